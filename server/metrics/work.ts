/** Metrics of the work: commands, the journal, steps, waits, questions to people. */

import type { Registry } from 'prom-client'
import { isNumbered } from '@/lib/mas/asks/requests'
import type { Entry } from '@/lib/mas/events'
import type { RequestKind, StepRecord, StepState, World } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'
import { refsIn, selectStep } from '@/lib/mas/team/agents'
import type { CommitMeter } from '../engine/port'
import { metricsOf } from './metricsOf'

/** Seconds: a commit takes 0.2 ms on a fast disk and 100 ms on a slow one. */
const COMMIT_BUCKETS = [0.000_5, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export type WorkSources = {
  world: () => World
  /** Epoch ms. */
  now: () => number
}

type WorkMeter = CommitMeter & { decided(entries: readonly Entry[]): void }

const ENDS: Partial<Record<Entry['event']['type'], string>> = {
  'step.finished': 'finished',
  'step.failed': 'failed',
  'step.cancelled': 'cancelled',
  'step.interrupted': 'interrupted',
}

/** out: counts what is decided from now on; what is open is read when the metrics are */
export function addWork(registry: Registry, sources: () => WorkSources | null): WorkMeter {
  addOpenWork(registry, sources)
  return countDecisions(registry)
}

function countDecisions(registry: Registry): WorkMeter {
  const metrics = metricsOf(registry)
  const commands = metrics.counter(
    'convene_commands_total',
    'Commands that were answered, by kind and outcome (done, refused).',
    ['kind', 'outcome'],
  )
  const refusals = metrics.counter('convene_command_refusals_total', 'Refused commands, by the code of the refusal.', [
    'code',
  ])
  const queue = metrics.histogram(
    'convene_command_queue_seconds',
    'Time of a command in the queue before it is decided.',
    COMMIT_BUCKETS,
  )
  const commit = metrics.histogram(
    'convene_commit_seconds',
    'Time of one append to the journal until it is durable.',
    COMMIT_BUCKETS,
  )
  const batches = metrics.counter(
    'convene_journal_batches_total',
    'Appends to the journal; one holds the decisions of several commands.',
  )
  const entries = metrics.counter('convene_journal_entries_total', 'Entries that this process wrote to the journal.')
  const ended = metrics.counter(
    'convene_steps_ended_total',
    'Steps that ended, by outcome (finished, failed, cancelled, interrupted).',
    ['outcome'],
  )
  return {
    settled(kind, code) {
      commands.inc({ kind, outcome: code === null ? 'done' : 'refused' })
      if (code !== null) refusals.inc({ code })
    },
    queued: (ms) => queue.observe(ms / 1_000),
    appended(ms, count) {
      commit.observe(ms / 1_000)
      batches.inc()
      entries.inc(count)
    },
    decided(written) {
      for (const { event } of written) {
        const outcome = ENDS[event.type]
        if (outcome !== undefined) ended.inc({ outcome })
      }
    },
  }
}

/** Gauges of the world as it is when they are read. */
function addOpenWork(registry: Registry, sources: () => WorkSources | null): void {
  const metrics = metricsOf(registry)
  metrics.gauge(
    'convene_journal_head',
    'Number of the last entry of the journal that this process has taken in.',
    () => sources()?.world().seq ?? 0,
  )
  metrics.gaugeBy(
    'convene_steps_open',
    'Steps that have not ended, by state (init: queued, pending: waits for its instruction or for a person, running).',
    'state',
    () => openSteps(sources()?.world() ?? null),
  )
  metrics.gauge(
    'convene_waits_open',
    'Waits (locks) that agents hold now.',
    () => waitTimes(sources()?.world() ?? null).length,
  )
  metrics.gauge('convene_wait_oldest_seconds', 'Age of the oldest open wait; 0 without one.', () => {
    const from = sources()
    const times = waitTimes(from?.world() ?? null)
    const oldest = times.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)
    return from === null || times.length === 0 ? 0 : Math.max(0, from.now() - oldest) / 1_000
  })
  metrics.gaugeBy('convene_requests_open', 'Questions to people that are not answered, by kind.', 'kind', () =>
    openRequests(sources()?.world() ?? null),
  )
}

type OpenState = Exclude<StepState, 'finished' | 'failed'>

function openSteps(world: World | null): Record<OpenState, number> {
  const counts: Record<OpenState, number> = { init: 0, pending: 0, running: 0 }
  for (const { agent, work } of worksOf(world)) {
    for (const ref of refsIn(work)) {
      const step: StepRecord | null = world === null ? null : selectStep(world, ref.task, agent, ref.step)
      if (step && step.state !== 'finished' && step.state !== 'failed') counts[step.state] += 1
    }
  }
  return counts
}

const waitTimes = (world: World | null): number[] =>
  worksOf(world).flatMap(({ work }) => work.locks.map(({ at }) => at))

function openRequests(world: World | null): Record<RequestKind, number> {
  const counts: Record<RequestKind, number> = { answer: 0, part: 0, confirm: 0, limit: 0, judge: 0, tool: 0, plan: 0 }
  for (const requests of Object.values(world?.requests ?? {})) {
    for (const { kind, state, number } of Object.values(requests)) {
      if (isOpen({ state }) && isNumbered({ number })) counts[kind] += 1
    }
  }
  return counts
}

function worksOf(world: World | null) {
  const all: { agent: keyof World['work']; work: World['work'][keyof World['work']] }[] = []
  for (const agent of Object.keys(world?.work ?? {}) as (keyof World['work'])[]) {
    const work = world?.work[agent]
    if (work) all.push({ agent, work })
  }
  return all
}
