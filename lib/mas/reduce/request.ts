/** Requests: the one record behind card, row, strip and dialog. The first decision counts; an ended request stays ended. */
import type { MessageId, RequestId, TaskId } from '../ids'
import type { RequestNote, RequestRecord, World } from '../records'
import { isOpen } from '../statuses'
import { changed, changedOr, changedRecord, withKey, withoutKeys } from './branch'
import { notOnlyTalk } from './budget'
import type { Reducers } from './reducer'

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

const textOf = (world: World, task: TaskId, message: MessageId | null): string =>
  (message === null ? undefined : world.messages[task]?.[message]?.text) ?? ''

const whileOpen = (world: World, task: TaskId, request: RequestId, change: Change): World =>
  changeRequest(world, task, request, (old) => (isOpen(old) ? change(old) : old))

export const requestReducers = {
  'request.opened': (world, { task, request, seed }, { at, seq }) => {
    if (world.requests[task]?.[request]) return world
    const record: RequestRecord = {
      ...seed,
      question: seed.question ?? textOf(world, task, seed.message),
      id: request,
      task,
      state: 'open',
      claimed: null,
      answer: null,
      endReason: null,
      openedAt: at,
      openedSeq: seq,
      endedAt: null,
      changedAt: seq,
    }
    return {
      ...world,
      requests: changedOr(world.requests, task, {}, (requests) => withKey(requests, request, record)),
      requestCounts:
        seed.number === null
          ? world.requestCounts
          : withKey(world.requestCounts, task, Math.max(world.requestCounts[task] ?? 0, seed.number)),
    }
  },
  'request.claimed': (world, { task, request, agent, until }, { at }) =>
    whileOpen(world, task, request, (old) => ({
      ...old,
      state: 'claimed',
      claimed: { by: agent, at, until: until ?? at },
    })),
  'request.reminded': (world, { task, request, by }, { at }) =>
    whileOpen(world, task, request, (old) => withNote(old, { kind: 'reminded', by, at, until: null })),
  'request.snoozed': (world, { task, request, agent, until }, { at }) =>
    whileOpen(world, task, request, (old) => {
      if (until !== null) {
        const noted = withNote(old, { kind: 'remindLater', by: agent, at, until })
        return { ...noted, snoozed: { ...old.snoozed, [agent]: until } }
      }
      if (old.snoozed?.[agent] === undefined) return old
      const { [agent]: _, ...snoozed } = old.snoozed
      return { ...old, snoozed }
    }),
  'request.offered': (world, { task, request, handOver, from, to, sentence, begun }, { at }) =>
    whileOpen(world, task, request, (old) => {
      const wasAsked = old.asked.includes(to)
      const handing = { id: handOver, from, to, sentence, at, wasAsked }
      const asked = wasAsked ? old.asked : [...old.asked, to]
      const offered = [...(old.offered ?? []).filter((one) => one !== to), to]
      return {
        ...old,
        handing,
        asked,
        offered,
        ...(begun === undefined ? {} : { begun: { by: from, text: begun, at } }),
      }
    }),
  'request.handed': (world, { task, request, handOver, accepted }) =>
    whileOpen(world, task, request, (old) => {
      const { handing } = old
      if (!handing || handing.id !== handOver) return old
      const leaves = accepted ? handing.from : handing.wasAsked ? null : handing.to
      const asked = old.asked.filter((one) => one !== leaves)
      const handed = accepted ? [...(old.handed ?? []), handing.from] : old.handed
      return { ...old, handing: null, asked, ...(handed ? { handed } : {}) }
    }),
  'request.raised': (world, { task, request }, { at }) =>
    whileOpen(world, task, request, (old) => {
      const { claimed } = old
      const noted = claimed && withNote(old, { kind: 'raisedAgain', by: claimed.by, at, until: claimed.at })
      return { ...(noted ?? old), state: 'open', claimed: null, raisedAt: at }
    }),
  'request.reopened': (world, { task, request }) =>
    changeRequest(world, task, request, (old) =>
      isOpen(old) || old.answer?.decision === 'done'
        ? { ...old, state: 'open', claimed: null, answer: null, endedAt: null }
        : old,
    ),
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
  'request.released': (world, { task, request, reason }, { at }) =>
    whileOpen(world, task, request, (old) => ({ ...old, state: 'released', endReason: reason, endedAt: at })),
  'request.expired': (world, { task, request }, { at }) =>
    whileOpen(world, task, request, (old) => ({ ...old, state: 'expired', endedAt: at })),
  'request.superseded': (world, { task, request, reason }, { at }) =>
    whileOpen(world, task, request, (old) => ({ ...old, state: 'superseded', endReason: reason, endedAt: at })),

  'effect.started': (world, { task, agent, step, key, node }, { at }) => ({
    ...world,
    effects: changedOr(world.effects, task, {}, (effects) =>
      withKey(effects, key, { key, step, task, agent, node, startedAt: at }),
    ),
  }),
  'effect.finished': (world, { task, key }) => ({
    ...world,
    effects: changed(world.effects, task, (effects) => withoutKeys(effects, [key])),
  }),
  'effect.lateOutcome': (world) => world,
  'operator.acted': (world) => world,
} satisfies Reducers
