/**
 * What a task's tree and its timeline cost a browser while its agents work: from an entry's confirmation to its paint, and the
 * main thread's long tasks. `npm run bench -- paint [seconds] [rounds]`. The reference is the smallest page that shows the rows
 * of the tree.
 */
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { build } from 'esbuild'
import { openPerson, type Person } from '../e2e/fixtures/person'
import { startServer, type TestServer } from '../e2e/fixtures/server'
import { BROWSER_FLAGS, ensureBrowser } from '../scripts/browser.mjs'
import { median, percentile, table } from './lib/figures'
import { measurePaint, type Painted, watchPage } from './lib/paintRun'

const seconds = Number(process.argv[2] ?? 10)
const rounds = Number(process.argv[3] ?? 2)
/** Changes a second. */
const RATES = [100, 1_000]
const AGENTS = 20
/** Of the least page. */
const MOST = 1.5
/** The load is at its pace. */
const WARM_UP_MS = 4_000
/** A page without requests for this time has loaded its lazy files; they are compiled once, independent of its tree. */
const QUIET_MS = 3_000
const QUIET_WITHIN_MS = 60_000

const PAGES = ['least page', 'tree', 'timeline'] as const
type Which = (typeof PAGES)[number]
const OURS = ['tree', 'timeline'] as const satisfies readonly Which[]

const STYLE = `*{margin:0;font:13px sans-serif}.pane{height:100vh;overflow-y:auto}.pane>div{position:relative}
.line{position:absolute;left:0;right:0;height:28px;display:grid;grid-template-columns:28rem 7.5rem 4rem 3rem 3.5rem}`

async function leastPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: ['bench/lib/leastPage.tsx'],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { '@': process.cwd() },
  })
  const script = (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script')
  return `<!doctype html><style>${STYLE}</style><div id="root"></div><script>${script}</script>`
}

/** Agents begin to work at that pace. out: the task they work in */
async function startLoad(server: TestServer, ana: Person, changesPerSecond: number): Promise<string> {
  const tasks = async () => Object.keys(await ana.get<Record<string, unknown>>('/api/states?type=task&limit=500'))
  const before = new Set(await tasks())
  await server.load({ agents: AGENTS, tasks: 1, stepsPerAgent: 10_000, changesPerSecond, bytes: 200, seconds: 600 })
  const made = (await tasks()).find((id) => !before.has(id))
  if (made === undefined) throw new Error('the load has no task')
  return made.replace('TaskState_', '')
}

async function openPage(context: BrowserContext, server: TestServer, which: Which, task: string, least: string) {
  const page = await context.newPage()
  await page.addInitScript(watchPage)
  if (which !== 'least page') await page.goto(`${server.url}/tasks/${task}/${which}`)
  else {
    // An answer of the server itself: the socket is open to pages of its own address only.
    await page.goto(`${server.url}/api/health?task=${task}`)
    await page.setContent(least)
  }
  await page.waitForTimeout(WARM_UP_MS)
  await fetchedAll(page)
  return { page, session: await context.newCDPSession(page) }
}

async function fetchedAll(page: Page): Promise<void> {
  const until = Date.now() + QUIET_WITHIN_MS
  const count = (): Promise<number> => page.evaluate(() => performance.getEntriesByType('resource').length)
  for (let before = -1, now = await count(); now !== before && Date.now() < until; now = await count()) {
    before = now
    await page.waitForTimeout(QUIET_MS)
  }
}

const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: BROWSER_FLAGS })
const least = await leastPage()
let areAllHeld = true
try {
  const cells = [['changes/s', 'page', 'p50 ms', 'p99 ms', 'tasks > 50 ms', 'longest', 'CPU ms/s']]
  for (const rate of RATES) {
    const own = await startServer({ withLoad: true })
    const ana = await openPerson(own, 'ana')
    const task = await startLoad(own, ana, rate)
    const runs: Record<Which, Painted[]> = { 'least page': [], tree: [], timeline: [] }
    for (let round = 0; round < rounds; round++) {
      for (const which of PAGES) {
        const context = await browser.newContext({
          viewport: { width: 1440, height: 900 },
          serviceWorkers: 'block',
          bypassCSP: true,
        })
        await own.signInBrowser(context, 'ana')
        const { page, session } = await openPage(context, own, which, task, least)
        runs[which].push(await measurePaint(page, session, which === 'timeline' ? 'timeline' : 'tree', seconds * 1_000))
        await context.close()
      }
    }
    const of = (which: Which, part: number): number =>
      median(runs[which].map(({ paintMs }) => percentile(paintMs, part)))
    const long = (which: Which): number[] => runs[which].flatMap(({ longTasks }) => longTasks)
    for (const which of PAGES) {
      cells.push([
        String(rate),
        which,
        of(which, 0.5).toFixed(0),
        of(which, 0.99).toFixed(0),
        String(long(which).length),
        Math.max(0, ...long(which)).toFixed(0),
        median(runs[which].map(({ cpu }) => cpu)).toFixed(0),
      ])
    }
    for (const which of OURS) {
      const ratios = [0.5, 0.99].map((part) => of(which, part) / of('least page', part))
      const holds = ratios.every((ratio) => ratio <= MOST) && long(which).length === 0
      areAllHeld &&= holds
      const said = ratios.map((ratio) => ratio.toFixed(2)).join(' and ')
      cells.push([String(rate), `${which} over least: ${said} of ${MOST} ${holds ? 'holds' : 'MISSED'}`])
    }
    ana.close()
    await own.stop()
  }
  console.log(table(cells))
  console.log(`${rounds} × ${seconds} s of each page in turns, ${AGENTS} agents in one task, 1440 × 900.`)
} finally {
  await browser.close()
}
process.exitCode = areAllHeld ? 0 : 1
