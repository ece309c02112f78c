/** People who send one message after the other, whatever happens to the server, and what of it the journal holds in the end. */
import { randomUUID } from 'node:crypto'
import { decodeEntry } from '@/lib/mas/decode'
import { COUNTED, type CounterRow, counterOf, mergedCounters } from '@/lib/mas/limits/counters'
import type { World } from '@/lib/mas/records'
import { emptyWorld } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { isSettled } from '@/lib/mas/statuses'
import { openStore, type Store, type StorePlace } from '@/server/store'
import type { Person } from '../../e2e/fixtures/person'
import { demand, pause, pick } from './scenario'

/** People who answer nothing: without a pause a long run would measure thousands of open Urgents instead of faults. */
const PAUSE_MS = 50

export type Sent = { by: string; text: string; type: 'fyi' | 'action' | 'urgent'; outcome: 'acknowledged' | 'refused' }

export type Senders = {
  readonly sent: Sent[]
  /** Refusals by code. */
  readonly refused: Map<string, number>
  /** Let the last ones be answered, then end. */
  stop(): Promise<void>
}

/** Each sends a moment after the message before was answered. A request without an answer is repeated under its id. */
export function startSenders(people: Record<string, Person>, baseTask: string, random: () => number): Senders {
  const sent: Sent[] = []
  const refused = new Map<string, number>()
  let isOver = false
  let count = 0
  const names = Object.keys(people)
  const send = async (by: string, person: Person): Promise<void> => {
    while (!isOver) {
      count += 1
      const text = `Message ${count} of ${by}, ${randomUUID()}`
      const type = pick(random, ['fyi', 'action', 'urgent'] as const)
      const receivers = [
        pick(
          random,
          names.filter((name) => name !== by),
        ),
      ]
      const { status, body } = await person.post('/api/messages', {
        task: baseTask,
        receivers,
        text,
        type,
        stage: null,
        answers: null,
        replyTo: null,
        mention: false,
      })
      sent.push({ by, text, type, outcome: status === 200 ? 'acknowledged' : 'refused' })
      await pause(PAUSE_MS)
      if (status !== 200) {
        const code = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : String(status)
        refused.set(code, (refused.get(code) ?? 0) + 1)
      }
    }
  }
  const all = Promise.all(Object.entries(people).map(([by, person]) => send(by, person)))
  // A scenario that failed before stop() has said why already.
  all.catch(() => {})
  return {
    sent,
    refused,
    async stop() {
      isOver = true
      await all
    },
  }
}

export type JournalFigures = {
  acknowledged: number
  lost: number
  doubled: number
  ghosts: number
  disordered: number
  openWaits: number
  countedCalls: number
}

/**
 * Compare what people were told with what the journal of a stopped server holds.
 *
 * faults  Error with the first of each kind: an acknowledged message that is not there, one that is there twice, a refused one that is
 *         there, two of a sender in the wrong order, an Urgent that its receiver is not waited for any more, a counter that differs from
 *         a recount
 */
export async function compareWithJournal(place: StorePlace, sent: readonly Sent[]): Promise<JournalFigures> {
  const { world, messages, counted } = await readJournal(place)
  const acknowledged = sent.filter(({ outcome }) => outcome === 'acknowledged')
  const times = (text: string): number => messages.get(text)?.length ?? 0
  const lost = acknowledged.filter(({ text }) => times(text) === 0)
  const doubled = sent.filter(({ text }) => times(text) > 1)
  const ghosts = sent.filter(({ text, outcome }) => outcome === 'refused' && times(text) > 0)
  const lastOf = new Map<string, number>()
  const disordered = acknowledged.filter(({ by, text }) => {
    const seq = messages.get(text)?.[0]?.seq ?? Number.POSITIVE_INFINITY
    const isBehind = seq < (lastOf.get(by) ?? 0)
    lastOf.set(by, seq)
    return isBehind
  })
  const urgent = acknowledged.filter(({ type }) => type === 'urgent')
  const open = openDeliveries(world)
  const closed = urgent.filter(({ text }) => !messages.get(text)?.every(({ message }) => open.has(message)))
  for (const [what, found] of Object.entries({
    lost,
    doubled,
    ghosts,
    disordered,
    'waits that are not open any more': closed,
    'counters that a recount has not': counted.wrong,
  }))
    demand(found.length === 0, `${found.length} ${what}, the first: ${JSON.stringify(found[0])}`)
  return {
    acknowledged: acknowledged.length,
    lost: lost.length,
    doubled: doubled.length,
    ghosts: ghosts.length,
    disordered: disordered.length,
    openWaits: urgent.length,
    countedCalls: counted.calls,
  }
}

/** Messages with a receiver who has not answered or acknowledged them. */
const openDeliveries = (world: World): ReadonlySet<string> =>
  new Set(
    Object.values(world.deliveries)
      .flatMap((ofTask) => Object.values(ofTask).flatMap((ofAgent) => Object.entries(ofAgent)))
      .filter(([, { state }]) => !isSettled(state))
      .map(([message]) => message),
  )

type Written = { seq: number; message: string }

type ReadJournal = { world: World; messages: Map<string, Written[]>; counted: { wrong: string[]; calls: number } }

async function readJournal(place: StorePlace): Promise<ReadJournal> {
  const store = await openStore(place)
  try {
    let world = emptyWorld
    const messages = new Map<string, Written[]>()
    for (;;) {
      const page = (await store.journal.read(world.seq, 1_000)).map(decodeEntry)
      if (page.length === 0) return { world, messages, counted: await compareCounters(store) }
      for (const { seq, event } of page)
        if (event.type === 'message.sent')
          messages.set(event.text, [...(messages.get(event.text) ?? []), { seq, message: event.message }])
      world = reduceAll(world, page)
    }
  } finally {
    await store.close()
  }
}

const KEYS = ['hour', 'task', 'agent', 'model'] as const

/** The counters beside a recount of the entries up to their cursor. */
async function compareCounters({ journal, counters }: Store): Promise<ReadJournal['counted']> {
  const lineOf = (row: Partial<CounterRow>): string => [...KEYS, ...COUNTED].map((name) => String(row[name])).join(' ')
  const kept = await counters.sum(KEYS, { from: 0, to: Number.MAX_SAFE_INTEGER, tasks: null })
  const upTo = await counters.cursor()
  demand(upTo > 0, 'nothing was counted')
  const entries = (await journal.read(0, upTo)).map(decodeEntry)
  const due = new Set(mergedCounters(entries.flatMap((entry) => counterOf(entry) ?? [])).map(lineOf))
  const found = new Set(kept.map(lineOf))
  return {
    wrong: [...[...found].filter((line) => !due.has(line)), ...[...due].filter((line) => !found.has(line))],
    calls: kept.reduce((sum, { calls }) => sum + calls, 0),
  }
}
