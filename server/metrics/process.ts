/** Metrics of the process: event loop, memory, CPU, open files, the store, the disk. */
import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'
import { metricsOf } from './metricsOf'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
/**
 * The delay is sampled so often, ms: a delay is shown by up to this much too short, and a longer one is always seen. Each
 * sample wakes the process; every 10 ms, that took 1.5 % of a core at rest.
 */
const RESOLUTION_MS = 100

export type ProcessSources = {
  /** How far the time is from that of the machine's clock, ms: positive when it is ahead of it. */
  clockOffsetMs(): number
  isStoreOk(): boolean
  /** Lines of the log that were lost since the start. */
  droppedLines(): number
  /** Bytes that are free where the data are; null: unknown. */
  freeBytes(): Promise<number | null>
}

/** out: stops the sampling of the event loop */
export function addProcess(registry: Registry, sources: () => ProcessSources | null, version: string): () => void {
  const registers = [registry]
  const metrics = metricsOf(registry)
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  new Gauge({
    name: 'convene_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last scrape, by quantile (0.5, 0.99, 1: the longest).',
    labelNames: ['quantile'],
    registers,
    collect() {
      const isSampled = delay.count > 0
      for (const quantile of [0.5, 0.99]) {
        const seconds = isSampled ? delay.percentile(quantile * 100) / NANOSECONDS : 0
        this.set({ quantile: String(quantile) }, beyondSample(seconds))
      }
      this.set({ quantile: '1' }, beyondSample(isSampled ? delay.max / NANOSECONDS : 0))
      delay.reset()
    },
  })
  metrics.gaugeBy(
    'convene_process_memory_bytes',
    'Memory of the process, by kind (rss, heap_used, heap_total, external).',
    'kind',
    () => {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
      return { rss, heap_used: heapUsed, heap_total: heapTotal, external }
    },
  )
  metrics.counted('convene_process_cpu_seconds_total', 'CPU time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return [{ value: (user + system) / MICROSECONDS, labels: {} }]
  })
  metrics.gauge(
    'convene_process_open_files',
    'Open files and sockets of the process; left out where the system does not tell.',
    () =>
      readdir('/proc/self/fd').then(
        ({ length }) => length,
        () => null,
      ),
  )
  const startedAt = Math.round(Date.now() / 1_000 - process.uptime())
  metrics.gauge(
    'convene_process_start_time_seconds',
    'When the process started, in seconds since 1970.',
    () => startedAt,
  )
  new Gauge({
    name: 'convene_build_info',
    help: 'Always 1; the labels name the version of the program and of Node.',
    labelNames: ['version', 'node_version'],
    registers,
  }).set({ version, node_version: process.version }, 1)
  metrics.gauge('convene_store_ok', '1: the store takes commands. 0: it refuses them.', () =>
    sources()?.isStoreOk() === false ? 0 : 1,
  )
  metrics.gauge(
    'convene_clock_offset_seconds',
    "The time of the journal minus that of the machine's clock.",
    () => (sources()?.clockOffsetMs() ?? 0) / 1_000,
  )
  metrics.gauge(
    'convene_disk_free_bytes',
    'Bytes that are free where the data are; left out where the system does not tell.',
    () => sources()?.freeBytes() ?? null,
  )
  metrics.counted('convene_log_lines_dropped_total', 'Lines of the log that could not be written.', () => [
    { value: sources()?.droppedLines() ?? 0, labels: {} },
  ])
  return () => delay.disable()
}

/** The histogram counts from one sample to the next: without any delay it shows its own resolution. */
const beyondSample = (seconds: number): number => Math.max(0, seconds - RESOLUTION_MS / 1_000)
