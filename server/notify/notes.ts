/** Builds notifications: texts, links, counts. Names and words from outside are shown in them as on a page (lib/format/hiddenSigns.ts). */
import { shownValue, withIsolates } from '@/lib/format/hiddenSigns'
import { firstWords } from '@/lib/format/plainText'
import { sayerOf } from '@/lib/i18n/sentences'
import type { Language } from '@/lib/language'
import { findAlert, type PendingAlert, selectAlerts } from '@/lib/mas/asks/alerts'
import { isNumbered, selectAwaitingAsker } from '@/lib/mas/asks/requests'
import { type AgentId, type SenderId, SYSTEM_TASK } from '@/lib/mas/ids'
import type { AttemptRecord, World } from '@/lib/mas/records'
import { textIn } from '@/lib/mas/said'
import { taskTitleIn } from '@/lib/mas/tasks/taskTitle'
import { NOTIFICATIONS_EN } from '@/messages/reports.en'
import { NOTIFICATIONS_ZH } from '@/messages/reports.zh'
import type { Item, OutsideNote } from './types'

export type NoteParts = {
  /** Public address of this console, without a trailing slash. */
  address: string
  language: Language
  isSilent: boolean
}

const TEXT_LENGTH = 200
/** Of several items; the first one is there whole. */
const TEXTS_LENGTH = 400
/** All long-open items share one notification. */
const OPEN_TAG = 'open'

/** Those of these items that still need the person. */
export const openCallsOf = (world: World, person: AgentId, because: AttemptRecord['because'], items: readonly Item[]) =>
  items.flatMap(
    ({ task, request }) => findAlert(world, because === 'rings' ? 'rings' : 'open', { task, person, request }) ?? [],
  )

/** Texts of notifications in the person's language. */
export const sayNotified = sayerOf(NOTIFICATIONS_EN, NOTIFICATIONS_ZH)

/** out: null when none of the items still needs the person */
export function noteOf(
  world: World,
  attempt: Pick<AttemptRecord, 'id' | 'person' | 'because'>,
  items: readonly Item[],
  { address, language, isSilent }: NoteParts,
): OutsideNote | null {
  const { id, person, because } = attempt
  const told = openCallsOf(world, person, because, items).map((call) => itemOf(world, call, { address, language }))
  const [first] = told
  if (first === undefined) return null
  const shared = {
    id,
    person: { id: person, name: world.agents[person]?.name ?? '' },
    because,
    language,
    isSilent,
    items: told.map(({ tag: _, isWaiting: __, ...item }) => item),
    waiting: waitingFor(world, person),
  }
  if (because === 'rings') {
    const title = sayNotified(language, first.isWaiting ? 'waits' : 'urgent', { who: first.from })
    return {
      ...shared,
      tag: first.tag,
      title,
      text: sayNotified(language, 'inTask', { task: first.task, text: first.text }),
      url: first.url,
    }
  }
  return {
    ...shared,
    tag: OPEN_TAG,
    title: sayNotified(language, 'open', { count: told.length }),
    text: firstOf(told.map(({ from, text }) => `${from}: ${text}`)),
    url: told.length === 1 ? first.url : `${address}/inbox`,
  }
}

/** A notification that a person asked for, to see that it arrives. */
export const testNote = (
  id: string,
  person: OutsideNote['person'],
  language: NoteParts['language'],
  url: string,
): OutsideNote => ({
  id,
  person,
  because: 'test',
  tag: 'test',
  title: sayNotified(language, 'test'),
  text: sayNotified(language, 'testText'),
  url,
  items: [],
  language,
  isSilent: false,
  waiting: 0,
})

/** A newer notification replaces one with the same tag. */
export const tagOf = (world: World, { task, request }: PendingAlert): string => {
  const record = world.requests[task]?.[request]
  return record !== undefined && !isNumbered(record) && record.message !== null ? record.message : request
}

/** Number of items that need the person, seen or not. */
export const waitingFor = (world: World, person: AgentId): number => {
  const { rings, left, open } = selectAlerts(world)
  return [...rings, ...left, ...open].filter((call) => call.person === person).length
}

/** The texts that fit, in a row. */
function firstOf(texts: readonly string[]): string {
  let all = texts[0] ?? ''
  for (const text of texts.slice(1)) {
    if (all.length + text.length > TEXTS_LENGTH) return `${all} · …`
    all += ` · ${text}`
  }
  return all
}

function itemOf(world: World, call: PendingAlert, { address, language }: Pick<NoteParts, 'address' | 'language'>) {
  const { task } = call
  const request = world.requests[task]?.[call.request]
  const sender: SenderId = request?.asker ?? SYSTEM_TASK
  // What the program itself says stands in the message that has no card.
  const message = request?.message == null ? undefined : world.messages[task]?.[request.message]
  const record: Parameters<typeof textIn>[1] =
    request === undefined
      ? { text: '' }
      : isNumbered(request) || message === undefined
        ? { ...request, text: request.question }
        : message
  const tag = tagOf(world, call)
  return {
    tag,
    isWaiting: request !== undefined && selectAwaitingAsker(request) !== null,
    task: shownValue(taskTitleIn(language, world.tasks[task]?.name ?? '')),
    from: sender === SYSTEM_TASK ? sayNotified(language, 'theTask') : shownValue(world.agents[sender]?.name ?? ''),
    text: shownValue(withIsolates(firstWords(textIn(language, record), TEXT_LENGTH), record.said?.with)),
    url: tag === request?.id ? `${address}/requests/${tag}` : `${address}/tasks/${task}/messages/${tag}`,
    since: call.since,
  }
}
