/** One page that shows a task's tree or timeline while its agents work: when entries were on screen, and what it took. */
import type { CDPSession, Page } from '@playwright/test'

declare global {
  interface Window {
    /** Set by watchPage. */
    longTasks?: { at: number; ms: number }[]
    benchMarks?: { name: string; startTime: number; detail: { server: number; view?: string } }[]
  }
}

/**
 * paintMs: from confirmed to painted; arrivedMs: to the page's socket
 * longTasks: ms of each task over 50 ms; cpu: ms a second of the page's main thread
 */
export type Painted = { paintMs: number[]; arrivedMs: number[]; longTasks: number[]; cpu: number }

/** ms of CPU that the page's main thread has taken: a busy machine makes times longer, but not the work. */
async function cpuOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1_000
}

/**
 * Runs in the page before its own scripts: keeps what the browser says of long tasks, and the marks. The browser's own list of
 * marks copies each `detail`, which took a sixth of the console's time.
 */
export const watchPage = (): void => {
  const longTasks: { at: number; ms: number }[] = []
  const benchMarks: unknown[] = []
  Object.assign(window, { longTasks, benchMarks })
  const mark = (name: string, options?: PerformanceMarkOptions): void => {
    benchMarks.push({ name, startTime: performance.now(), detail: options?.detail })
  }
  Object.assign(performance, { mark })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ at: startTime, ms: duration })
  }).observe({ type: 'longtask', buffered: true })
}

/**
 * Measure for a while.
 *
 * in      a page that shows this kind of view, with `watchPage`, on a server under a bench
 * out     server and page have clocks of their own: the quickest beat is taken for no way at all
 */
export async function measurePaint(
  page: Page,
  session: CDPSession,
  view: 'tree' | 'timeline',
  forMs: number,
): Promise<Painted> {
  await session.send('Performance.enable')
  const from = await page.evaluate(() => performance.now())
  const before = await cpuOf(session)
  await page.waitForTimeout(forMs)
  const after = await cpuOf(session)
  const { paintMs, arrivedMs, longTasks } = await page.evaluate(
    ([start, kind]) => {
      const marks = window.benchMarks ?? []
      const late = ({ startTime, detail }: (typeof marks)[number]): number => startTime - detail.server
      const offset = Math.min(...marks.filter(({ name }) => name.startsWith('beat:')).map(late))
      const seen = new Map<string, number>()
      for (const mark of marks) {
        const isShown = (mark.detail.view ?? kind).startsWith(kind)
        if (mark.name.startsWith('painted:') && mark.startTime >= start && isShown && !seen.has(mark.name))
          seen.set(mark.name, late(mark) - offset)
      }
      const all = window.longTasks ?? []
      const arrived = new Map<string, number>()
      for (const mark of marks)
        if (mark.name.startsWith('entry:') && mark.startTime >= start && !arrived.has(mark.name))
          arrived.set(mark.name, late(mark) - offset)
      return {
        paintMs: [...seen.values()],
        arrivedMs: [...arrived.values()],
        longTasks: all.filter(({ at }) => at >= start).map(({ ms }) => ms),
      }
    },
    [from, view] as const,
  )
  return { paintMs, arrivedMs, longTasks, cpu: (after - before) / (forMs / 1_000) }
}
