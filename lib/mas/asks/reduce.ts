/** Requests: the one record behind card, row, strip and dialog. The first decision counts; an ended request stays ended. */
import type { EventOf } from '../events'
import type { AgentId, MessageId, RequestId, TaskId } from '../ids'
import { notOnlyTalk } from '../limits/reduce'
import type { MessageRecord, RequestNote, RequestRecord, World } from '../records'
import { changed, changedOr, changedRecord, withKey, withoutKeys } from '../reduce/branch'
import type { EventPosition, Reducers } from '../reduce/reducer'
import { isOpen } from '../statuses'

type Change = (old: RequestRecord) => RequestRecord

export const changeRequest = (world: World, task: TaskId, request: RequestId, change: Change): World => ({
  ...world,
  requests: changed(world.requests, task, (requests) => changedRecord(requests, request, world.seq, change)),
})

/** Maximum number of lines of a request. */
const NOTES_KEPT = 50
const withNote = (old: RequestRecord, note: RequestNote): RequestRecord => ({
  ...old,
  notes: [...(old.notes ?? []).slice(1 - NOTES_KEPT), note],
})

/** What every request is when it is opened. */
const freshRequest = ({ at, seq }: EventPosition) =>
  ({
    state: 'open',
    claimed: null,
    answer: null,
    endReason: null,
    openedAt: at,
    openedSeq: seq,
    endedAt: null,
    changedAt: seq,
  }) satisfies Partial<RequestRecord>

/** What a message asks of one person. */
const askedBy = (
  { id: message, task, sender: asker, type, thread, text: question, audience, due }: MessageRecord,
  { request: id, person }: EventOf<'message.asked'>['asks'][number],
  place: EventPosition,
): RequestRecord => ({
  ...{ id, task, asker, message, thread, question, asked: [person] },
  ...freshRequest(place),
  number: null,
  kind: 'answer',
  type: type === 'urgent' ? 'urgent' : 'action',
  step: null,
  stage: null,
  lock: null,
  choices: [],
  call: null,
  fingerprint: '',
  ...(audience === 'task' ? {} : { audience }),
  ...(due === undefined ? {} : { due }),
})

const whileOpen = (world: World, task: TaskId, request: RequestId, change: Change): World =>
  changeRequest(world, task, request, (old) => (isOpen(old) ? change(old) : old))

/** until: when this person wants to see it again; null: the time has come */
function snoozed(old: RequestRecord, agent: AgentId, until: number | null, at: number): RequestRecord {
  if (until !== null) {
    const noted = withNote(old, { kind: 'remindLater', by: agent, at, until })
    return { ...noted, snoozed: { ...old.snoozed, [agent]: until } }
  }
  return old.snoozed?.[agent] === undefined ? old : { ...old, snoozed: withoutKeys(old.snoozed, [agent]) }
}

const withReminder = (
  reminders: World['reminders'],
  { task, message, agent, until }: Extract<EventOf<'reminder.set'>, { message: MessageId }>,
): World['reminders'] =>
  until === null
    ? changed(reminders, task, (byAgent) => changed(byAgent, agent, (own) => withoutKeys(own, [message])))
    : changedOr(reminders, task, {}, (byAgent) => changedOr(byAgent, agent, {}, (own) => withKey(own, message, until)))

/** It alerts again: nobody has it any more. */
function raised(old: RequestRecord, at: number): RequestRecord {
  const { claimed } = old
  const noted = claimed && withNote(old, { kind: 'raisedAgain', by: claimed.by, at, until: claimed.at })
  return { ...(noted ?? old), state: 'open', claimed: null, raisedAt: at }
}

/** It alerts from now on, as if it had come now. */
const urged = (old: RequestRecord, at: number): RequestRecord => ({
  ...old,
  ...{ type: 'urgent', state: 'open', claimed: null, raisedAt: at },
})

export const requestReducers = {
  'request.opened': (world, { task, request, seed }, { at, seq }) => {
    if (world.requests[task]?.[request]) return world
    const record = { ...seed, ...freshRequest({ at, seq }), id: request, task }
    return {
      ...world,
      requests: changedOr(world.requests, task, {}, (requests) => withKey(requests, request, record)),
      requestCounts: withKey(world.requestCounts, task, Math.max(world.requestCounts[task] ?? 0, seed.number)),
    }
  },
  'message.asked': (world, { task, asks }, place) => {
    const known = world.requests[task]
    const opened = asks.flatMap((ask) => {
      const message = world.messages[task]?.[ask.message]
      return message === undefined || known?.[ask.request] ? [] : [[ask.request, askedBy(message, ask, place)] as const]
    })
    // One copy for all: a message may ask hundreds.
    const requests = { ...known, ...Object.fromEntries(opened) }
    return opened.length === 0 ? world : { ...world, requests: withKey(world.requests, task, requests) }
  },
  'request.claimed': (world, { task, request, agent, until }, { at }) =>
    whileOpen(world, task, request, (old) => ({
      ...old,
      state: 'claimed',
      claimed: { by: agent, at, until: until ?? at },
    })),
  'request.reminded': (world, { task, request, by }, { at }) =>
    whileOpen(world, task, request, (old) => withNote(old, { kind: 'reminded', by, at, until: null })),
  'reminder.set': (world, event, { at }) => {
    const { task, agent, until } = event
    return 'request' in event
      ? whileOpen(world, task, event.request, (old) => snoozed(old, agent, until, at))
      : { ...world, reminders: withReminder(world.reminders, event) }
  },
  'request.transferOffered': (world, { task, request, handOver, from, to, sentence, draft }, { at }) =>
    whileOpen(world, task, request, (old) => {
      const wasAsked = old.asked.includes(to)
      const transfer = { id: handOver, from, to, sentence, at, wasAsked }
      const asked = wasAsked ? old.asked : [...old.asked, to]
      const offered = [...(old.offered ?? []).filter((one) => one !== to), to]
      return {
        ...old,
        transfer,
        asked,
        offered,
        ...(draft === undefined ? {} : { draft: { by: from, text: draft, at } }),
      }
    }),
  'request.transferSettled': (world, { task, request, handOver, accepted }) =>
    whileOpen(world, task, request, (old) => {
      const { transfer } = old
      if (!transfer || transfer.id !== handOver) return old
      const leaves = accepted ? transfer.from : transfer.wasAsked ? null : transfer.to
      const asked = old.asked.filter((one) => one !== leaves)
      const transferredBy = accepted ? [...(old.transferredBy ?? []), transfer.from] : old.transferredBy
      return { ...old, transfer: null, asked, ...(transferredBy ? { transferredBy } : {}) }
    }),
  'request.reopened': (world, { task, request, because }, { at }) =>
    changeRequest(world, task, request, (old) => {
      if (because === 'raised') return isOpen(old) ? raised(old, at) : old
      if (because === 'urgent') return isOpen(old) ? urged(old, at) : old
      const isUndone = isOpen(old) || old.answer?.decision === 'done'
      return isUndone ? { ...old, state: 'open', claimed: null, answer: null, endedAt: null } : old
    }),
  'request.escalated': (world, { task, request, from, to }, { at }) =>
    whileOpen(world, task, request, (old) => ({
      ...old,
      asked: old.asked.includes(to) ? old.asked : [...old.asked, to],
      escalated: [...(old.escalated ?? []), { from, to, at }],
    })),
  'request.answered': (world, { task, request, answer }, { at, seq }) =>
    whileOpen(notOnlyTalk(world, task), task, request, (old) => ({
      ...old,
      state: 'answered',
      answer: { ...answer, at, seq },
      endedAt: at,
    })),
  'request.ended': (world, { task, request, state, reason }, { at }) =>
    whileOpen(world, task, request, (old) => ({ ...old, state, endReason: reason, endedAt: at })),
} satisfies Reducers
