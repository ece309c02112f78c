/** The metrics of this process in the text format of Prometheus: one registry, and the counters that other parts report to. */
import { Registry } from 'prom-client'
import type { Entry } from '@/lib/mas/events'
import type { ServerStatus } from '../tools'
import { addModels } from './models'
import { addPeople, type PeopleSources } from './people'
import { addProcess, type ProcessSources } from './process'
import { addTools } from './tools'
import { addWork, type WorkSources } from './work'

/** Read for each request of the metrics. */
type MetricsSources = WorkSources &
  PeopleSources &
  ProcessSources & {
    servers(): ServerStatus[]
    /** Called after each durable decision. out: stop it. */
    onDecision(listener: (entries: Entry[]) => void): () => void
  }

/** clock: ms, for durations only. */
export function openMetrics({ version, clock }: { version: string; clock: () => number }) {
  const registry = new Registry()
  let sources: MetricsSources | null = null
  let stopListening = (): void => {}
  const from = (): MetricsSources | null => sources
  const commits = addWork(registry, from)
  const gateway = addPeople(registry, from)
  const models = addModels(registry)
  const tools = addTools(registry, () => sources?.servers() ?? [], clock)
  const stopProcess = addProcess(registry, from, version)
  return {
    commits,
    gateway,
    models,
    tools,
    /** Set the sources, once all parts are open. Gauges are 0 before. */
    watch(given: MetricsSources): void {
      sources = given
      stopListening = given.onDecision((entries) => {
        commits.decided(entries)
        models.decided(entries)
      })
    },
    /** All of them, for the answer to a scrape. */
    registry,
    close(): void {
      stopListening()
      stopProcess()
      registry.clear()
    },
  }
}

export type Metrics = ReturnType<typeof openMetrics>
