/**
 * What a page costs at first, as a browser has it: scripts, typefaces, when it shows something, how it moves, how it answers a press.
 * `node --import tsx bench/pages.ts [rounds]`. A processor four times slower simulates a phone.
 */
import { type Browser, chromium, type Page } from '@playwright/test'
import { budgets, FONTS_KB, firstLoad, SHIFT } from '../e2e/fixtures/firstLoad'
import { openPerson, type Person } from '../e2e/fixtures/person'
import { startServer, type TestServer } from '../e2e/fixtures/server'
import { LISTS, writeFiles } from '../e2e/fixtures/work'
import { BROWSER_FLAGS, ensureBrowser } from '../scripts/browser.mjs'
import { median, percentile, table } from './lib/figures'

const rounds = Number(process.argv[2] ?? 3)
const SLOWER = 4
const LCP_MS = 1_500
/** Longer than a page takes to come. */
const LEFT_ALONE_MS = 4_000
const PRESS_MS = { p75: 100, p99: 200 }

type Felt = { lcp: number; cls: number; presses: number[] }

/** Runs in the page: keeps what the browser says of itself. */
const watch = (): void => {
  const felt: Felt = { lcp: 0, cls: 0, presses: [] }
  Object.assign(window, { felt })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) felt.lcp = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('value' in entry && 'hadRecentInput' in entry && entry.hadRecentInput !== true)
        felt.cls += Number(entry.value)
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ('interactionId' in entry && Number(entry.interactionId) > 0) felt.presses.push(entry.duration)
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}

/** Press what a reader presses first: the links of the rail and the tabs, or the fields of the sign-in page. */
async function use(page: Page): Promise<void> {
  const targets = page.locator('nav a:visible, [role=tab]:visible, form input:visible')
  for (let at = 0; at < Math.min(8, await targets.count()); at++) {
    // The demo's Urgent may have come: it is folded, as a reader does who is at something else.
    if (await page.getByRole('alertdialog').isVisible()) await page.keyboard.press('Escape')
    await targets
      .nth(at)
      .click({ timeout: 5_000 })
      .catch(() => undefined)
    await page.waitForTimeout(150)
  }
}

async function feel(browser: Browser, server: TestServer, budget: ReturnType<typeof budgets>[number]): Promise<Felt> {
  const context = await browser.newContext()
  if (budget.person !== null) await server.signInBrowser(context, budget.person)
  const page = await context.newPage()
  await page.addInitScript(watch)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(`${server.url}${budget.path}`, { waitUntil: 'commit' })
  // Nobody looks meanwhile: a look from here takes its time on the page's own thread.
  await page.waitForTimeout(LEFT_ALONE_MS)
  await budget.shows(page)
  await use(page)
  const felt = await page.evaluate(
    (): Felt => ('felt' in window ? (window.felt as Felt) : { lcp: 0, cls: 0, presses: [] }),
  )
  await context.close()
  return felt
}

/** A task that waits for Ana. out: its address. */
async function askedTask(server: TestServer, ana: Person): Promise<string> {
  writeFiles(server, 'scale', LISTS)
  await ana.post('/api/work', { wish: 'Compare the lists in scale and write a report', pasted: '', files: [] })
  return new Promise((resolve) => {
    const look = (): void => {
      const [first] = ana.requests()
      if (first) resolve(`/tasks/${first.request.task}`)
    }
    ana.onChange(look)
    look()
  })
}

const server = await startServer()
const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: BROWSER_FLAGS })
const ana = await openPerson(server, 'ana')
let areAllHeld = true
const goal = (value: number, most: number, digits: number): string => {
  const holds = value <= most
  areAllHeld &&= holds
  return `${value.toFixed(digits)} of ${most}${holds ? '' : ' MISSED'}`
}
try {
  const rows = [
    ['page', 'scripts kB', 'Markdown kB', 'typefaces kB', 'nodes', 'LCP ms', 'CLS', 'press p75 ms', 'press p99 ms'],
  ]
  for (const budget of budgets(await askedTask(server, ana))) {
    const { scriptsKB, markdownKB, fontsKB, nodes } = await firstLoad(browser, server, budget)
    const felt: Felt[] = []
    for (let round = 0; round < rounds; round++) felt.push(await feel(browser, server, budget))
    const presses = felt.flatMap((one) => one.presses)
    rows.push([
      budget.name,
      goal(scriptsKB, budget.kB, 0),
      markdownKB.toFixed(0),
      goal(fontsKB, FONTS_KB, 1),
      String(nodes),
      goal(median(felt.map(({ lcp }) => lcp)), LCP_MS, 0),
      goal(median(felt.map(({ cls }) => cls)), SHIFT, 3),
      goal(percentile(presses, 0.75), PRESS_MS.p75, 0),
      goal(percentile(presses, 0.99), PRESS_MS.p99, 0),
    ])
  }
  console.log(table(rows))
  console.log(
    `Times are the median of ${rounds} loads with a processor ${SLOWER} times slower; presses shorter than 16 ms are not told.`,
  )
} finally {
  ana.close()
  await browser.close()
  await server.stop()
}
process.exitCode = areAllHeld ? 0 : 1
