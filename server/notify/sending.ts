/** Sends the attempts in the journal. After a crash within one, all are sent again but mails, which would not replace the first. */

import { selectAlerts } from '@/lib/mas/asks/alerts'
import { selectUnfinishedAttempts, type UnfinishedAttempt } from '@/lib/mas/asks/unfinishedAttempts'
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import type { AgentId, AttemptId } from '@/lib/mas/ids'
import { type AttemptRecord, OWN_CHANNELS, type OwnChannel, PILES_UP, type World } from '@/lib/mas/records'
import type { CommitAnswer } from '../engine/port'
import type { Schedule } from '../shared/later'
import { type NoteParts, noteOf, openCallsOf, tagOf, waitingFor } from './notes'
import type { ChannelResult, ChannelSender, Item } from './types'

type SendingParts = {
  node: string
  world: () => World
  commit: (envelope: Envelope) => Promise<CommitAnswer>
  newId: () => string
  schedule: Schedule
  senders: Record<OwnChannel, ChannelSender>
  closePush: (person: AgentId, tag: string, waiting: number) => Promise<void>
  wordsFor: (person: AgentId) => NoteParts
  onMistake: (error: unknown, what: string) => void
}

/** Pauses between the tries of one attempt. */
const PAUSES_MS: readonly number[] = [2_000, 8_000, 30_000]

type Job = { attempt: Pick<AttemptRecord, 'id' | 'person' | 'because'> & { channel: OwnChannel }; items: Item[] }

const isOwn = (channel: AttemptRecord['channel']): channel is OwnChannel => OWN_CHANNELS.some((own) => own === channel)

/** Sends due notifications on each channel, with repeats, and records how each attempt ended. */
export function openSending(parts: SendingParts) {
  const { node, world, commit, newId, schedule, senders, onMistake } = parts
  /** Pushes that may still be displayed, by person and tag. */
  const onScreens = new Map<string, { attempt: Job['attempt']; items: Item[]; tag: string }>()
  const stops = new Set<() => void>()
  let isStopped = false

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const stop = schedule(() => {
        stops.delete(stop)
        resolve()
      }, ms)
      stops.add(stop)
    })

  async function end(job: Job, outcome: 'sent' | 'failed' | 'unknown', note: string | null): Promise<void> {
    await commit({
      id: newId(),
      by: 'system:notify',
      command: { type: 'endAttempt', attempt: job.attempt.id, items: job.items, outcome, note },
    })
  }

  async function perform(job: Job): Promise<void> {
    let last: ChannelResult = { ok: false, why: SETTLED, again: false }
    for (const ms of [0, ...PAUSES_MS]) {
      if (ms > 0) await pause(ms)
      // A stop is no failure: the next start finds the attempt unfinished.
      if (isStopped) return
      const note = noteOf(world(), job.attempt, job.items, parts.wordsFor(job.attempt.person))
      if (note === null) break
      last = await senders[job.attempt.channel](note)
      if (last.ok && job.attempt.channel === 'push') {
        onScreens.set(`${job.attempt.person} ${note.tag}`, { ...job, tag: note.tag })
        // The item may have been settled while the push was sent.
        takeAway(world())
      }
      if (last.ok || !last.again) break
    }
    await end(job, last.ok ? 'sent' : 'failed', last.ok ? null : last.why.slice(0, NOTE_LENGTH))
  }

  const begin = (job: Job): void => {
    perform(job).catch((error) => onMistake(error, `a notice by ${job.attempt.channel}`))
  }

  function takeAway(now: World): void {
    for (const [key, { attempt, items, tag }] of onScreens) {
      if (openCallsOf(now, attempt.person, attempt.because, items).length > 0) continue
      onScreens.delete(key)
      parts
        .closePush(attempt.person, tag, waitingFor(now, attempt.person))
        .catch((error) => onMistake(error, 'taking a push away'))
    }
  }

  return {
    /** Repeat what a stopped process had begun. */
    recover(): void {
      for (const { attempt, items } of selectUnfinishedAttempts(world())) {
        if (!isOurs(attempt, world(), node) || !isOwn(attempt.channel)) continue
        const { channel } = attempt
        const job: Job = { attempt: { ...attempt, channel }, items }
        if (PILES_UP[channel]) end(job, 'unknown', null).catch((error) => onMistake(error, 'a mail cut off'))
        else begin(job)
      }
      for (const call of selectAlerts(world()).rings) {
        const pushed = call.attempts.findLast(({ channel, outcome }) => channel === 'push' && outcome === 'sent')
        if (!pushed) continue
        const attempt = { ...pushed, channel: 'push' as const }
        const items = [{ task: call.task, request: call.request }]
        onScreens.set(`${pushed.person} ${tagOf(world(), call)}`, { attempt, items, tag: tagOf(world(), call) })
      }
    },
    onEntries(entries: readonly Entry[], now: World): void {
      const jobs = new Map<AttemptId, Job>()
      for (const { event } of entries) {
        if (event.type !== 'notice.attempted') continue
        const { attempt, task, request } = event
        if (attempt.outcome !== 'began' || attempt.node !== node || !isOwn(attempt.channel)) continue
        const job = jobs.get(attempt.id) ?? { attempt: { ...attempt, channel: attempt.channel }, items: [] }
        job.items.push({ task, request })
        jobs.set(attempt.id, job)
      }
      for (const job of jobs.values()) begin(job)
      if (onScreens.size > 0) takeAway(now)
    },
    stop(): void {
      isStopped = true
      for (const stop of stops) stop()
    },
  }
}

const NOTE_LENGTH = 300
const SETTLED = 'it was dealt with before it was sent'

/** Begun by this node before its restart, or by a node that no longer runs. */
const isOurs = ({ node }: UnfinishedAttempt['attempt'], world: World, ours: string): boolean =>
  node === ours || node === null || world.nodes[node] === undefined
