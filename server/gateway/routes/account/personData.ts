/** What the system holds about a person, for themselves, as one JSON text. Messages and requests come from the journal. */
import type { Entry, EventOf } from '@/lib/mas/events'
import type { RequestId, SenderId, TaskId } from '@/lib/mas/ids'
import type { AgentRecord, Attachment, ScheduleRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/team/agents'
import type { MyData, MyDataItem } from '@/lib/wire/http'
import { entryPages } from '../../../engine/snapshots/entryPages'
import { fieldPieces, type JsonPieces, listPieces, takingTurns } from '../../../shared/pieces'
import type { Store } from '../../../store'
import { readUpload, UPLOADS } from '../../files/uploads'
import type { NotifyPort } from '../../ports'
import { openTaskNames } from '../../records/taskNames'
import { openIdentities } from '../../sessions/company/identities'
import type { Sessions } from '../../sessions/sessions'
import { draftsOf } from './drafts'
import { cursorsOf } from './read'
import { hasPassword, readSettings, SETTINGS_KEY, shownSession, shownTokenRow } from './session'

type PersonToExport = {
  world: World
  person: AgentRecord
  /** The id of the session that asks. */
  session: string
  sessions: Pick<Sessions, 'list' | 'tokensOf'>
  notify: Pick<NotifyPort, 'channelsOf'> | undefined
  store: Pick<Store, 'journal' | 'archive' | 'people' | 'accounts'>
  /** Aborted when the reader went away: the journal may hold nothing of theirs for long, so no write would tell. */
  signal: AbortSignal
}

const PAGE = 200

/** in: asked. out: a JSON text of MyData */
export async function* personDataPieces(asked: PersonToExport): JsonPieces {
  yield* open(fieldPieces(fieldsOf(asked)))
  yield* listPieces(draftItems(asked), ',"drafts":[', ']')
  yield* listPieces(historyOf(asked), ',"history":[', ']}')
}

/** An object without its last brace, so that more fields may follow. */
async function* open(pieces: JsonPieces): JsonPieces {
  let before = ''
  for await (const piece of pieces) {
    yield before
    before = piece
  }
  yield before.slice(0, -1)
}

type Field = { [Name in keyof MyData]: readonly [Name, MyData[Name]] }[Exclude<keyof MyData, 'drafts' | 'history'>]

async function* fieldsOf({ world, person, session, sessions, notify, store }: PersonToExport): AsyncGenerator<Field> {
  const { accounts, people } = store
  const { id: agent_id, configId: id, name, role, profile, access, groups, createdAt } = person
  const account = { agent_id, id, name, role, profile, access, groups, createdAt }
  yield ['account', { ...account, hasPassword: await hasPassword(store, person) }]
  yield ['settings', readSettings((await people.get(agent_id, SETTINGS_KEY))?.value)]
  yield ['sessions', (await sessions.list(agent_id)).map((one) => shownSession(one, session))]
  yield ['tokens', (await sessions.tokensOf(agent_id)).flatMap(shownTokenRow)]
  const identities = await openIdentities(people).ofPerson(agent_id)
  yield ['providers', identities.map(({ provider, issuer, subject }) => ({ provider, issuer, subject }))]
  yield [
    'endedSessions',
    (await accounts.endedOf(agent_id)).map(
      ({ id, agent: browser = null, address = null, token = null, createdAt, endedAt = createdAt }) => ({
        ...{ id, browser, address, token, since: createdAt, endedAt },
      }),
    ),
  ]
  yield ['channels', notify === undefined ? null : channelsIn(notify.channelsOf(agent_id))]
  yield ['read', await cursorsOf(people, agent_id)]
  const uploads = await people.list(agent_id, UPLOADS)
  yield [
    'uploads',
    uploads.flatMap(({ value, at }) => {
      const upload = readUpload(value)
      return upload === null ? [] : [{ ...fileOf(upload), at }]
    }),
  ]
  const schedules = Object.values<ScheduleRecord>(world.schedules).filter(({ of }) => of === agent_id)
  yield [
    'schedules',
    schedules.map(({ id, name, text, cron, timeZone, attachments, createdAt }) => ({
      ...{ id, name, text, cron, timeZone, createdAt },
      attachments: attachments.map(fileOf),
    })),
  ]
}

/** The address of a browser's push service is a secret of the browser: its host says enough. */
const channelsIn = ({ browsers, email, webhook }: ReturnType<NotifyPort['channelsOf']>): MyData['channels'] => ({
  browsers: browsers.map(({ name, endpoint, at }) => ({ name, service: new URL(endpoint).host, at })),
  email,
  webhook,
})

const fileOf = ({ name, savedAs, body: { mime, bytes } }: Attachment) => ({ name, savedAs, mime, bytes })

async function* draftItems({ store, person }: PersonToExport): AsyncGenerator<MyData['drafts'][number]> {
  yield* await draftsOf(store.people, person.id)
}

async function* historyOf(asked: PersonToExport): AsyncGenerator<MyDataItem> {
  const { world, store, signal } = asked
  const turn = takingTurns()
  const making = { ...asked, nameOfTask: openTaskNames(world, store.archive) }
  const read = (after: number, limit: number) => store.journal.read(after, limit, world.seq)
  for await (const page of entryPages(read, 0, PAGE)) {
    for (const entry of page) yield* await itemsOf(making, entry)
    if (signal.aborted) return
    await turn()
  }
}

type Making = PersonToExport & { nameOfTask: ReturnType<typeof openTaskNames> }

/** What an entry adds: a message from or to them, a request to them, an answer of theirs, an offer by or to them. */
async function itemsOf(making: Making, { seq, at, event }: Entry): Promise<MyDataItem[]> {
  const me = making.person.id
  switch (event.type) {
    case 'message.sent':
      if (event.sender !== me && !event.receivers.includes(me)) return []
      return [await messageItem(making, { seq, at, event }, false)]
    case 'request.opened':
      if (!event.seed.asked.includes(me)) return []
      return [await requestItem(making, { seq, at, event }, false)]
    case 'request.answered': {
      const { by, for: owner, decision, text, arguments: changed } = event.answer
      if (by !== me && owner !== me) return []
      const fact = { seq, at, id: event.request, task: await taskOf(making, event.task), from: named(making, by) }
      const given = { decision, text, arguments: changed?.preview ?? null }
      return [{ what: 'answer', ...fact, for: owner === null ? null : named(making, owner), ...given }]
    }
    case 'request.transferOffered': {
      const { request: id, from, draft: begun = null } = event
      if (from !== me && event.to !== me) return []
      const fact = { seq, at, id, task: await taskOf(making, event.task) }
      const ends = { from: named(making, from), to: named(making, event.to) }
      const offered = event.to === me ? await passedItems(making, event) : []
      return [...offered, { what: 'offer', ...fact, ...ends, text: event.sentence, begun }]
    }
    case 'request.escalated':
      return event.to === me ? passedItems(making, event) : []
    default:
      return []
  }
}

/** The request that now is for them too, or its message; its own entry names others. Empty: it is in no index. */
async function passedItems(
  making: Making,
  { request, task }: EventOf<'request.transferOffered' | 'request.escalated'>,
): Promise<MyDataItem[]> {
  const opened = await entryOf(making, ['request', request], ({ event }) => event.type === 'request.opened')
  if (opened?.event.type === 'request.opened')
    return [await requestItem(making, { ...opened, event: opened.event }, true)]
  const isAsk = (one: { request: RequestId }): boolean => one.request === request
  const asked = await entryOf(
    making,
    ['task', task],
    ({ event }) => event.type === 'message.asked' && event.asks.some(isAsk),
  )
  const message = asked?.event.type === 'message.asked' ? asked.event.asks.find(isAsk)?.message : undefined
  const sent = await entryOf(
    making,
    ['task', task],
    ({ event }) => event.type === 'message.sent' && event.message === message,
  )
  return sent?.event.type === 'message.sent' ? [await messageItem(making, { ...sent, event: sent.event }, true)] : []
}

async function entryOf(
  { store, signal }: Making,
  [key, place]: ['task', TaskId] | ['request', RequestId],
  isIt: (entry: Entry) => boolean,
): Promise<Entry | null> {
  const read = (after: number, limit: number) => store.archive.entriesOf(key, place, after, limit)
  for await (const page of entryPages(read, 0, PAGE)) {
    const found = page.find(isIt)
    if (found || signal.aborted) return found ?? null
  }
  return null
}

type EntryOf<Type extends 'message.sent' | 'request.opened'> = Pick<Entry, 'seq' | 'at'> & { event: EventOf<Type> }

async function messageItem(making: Making, { seq, at, event }: EntryOf<'message.sent'>, passed: boolean) {
  const { message: id, task, sender, receivers, text, replyTo, attachments } = event
  return {
    what: 'message' as const,
    ...{ seq, at, id, task: await taskOf(making, task) },
    from: named(making, sender),
    to: receivers.map((one) => named(making, one)),
    ...{ text, replyTo, passed },
    attachments: attachments.map(fileOf),
  }
}

async function requestItem(making: Making, { seq, at, event }: EntryOf<'request.opened'>, passed: boolean) {
  const { kind, asker, question, choices, call } = event.seed
  return {
    what: 'request' as const,
    ...{ seq, at, id: event.request, task: await taskOf(making, event.task) },
    from: named(making, asker),
    ...{ kind, question, choices, passed },
    call: call && { server: call.server, tool: call.tool, changes: call.changes },
  }
}

const named = ({ world }: Making, id: SenderId) => ({ id, name: selectName(world, id) })

const taskOf = async ({ nameOfTask }: Making, id: TaskId) => ({ id, name: await nameOfTask(id) })
