// How the browser tests run.
import { cpus } from 'node:os'
import { defineConfig, type ReporterDescription } from '@playwright/test'
import { BROWSER_FLAGS, findBrowser } from './scripts/browser.mjs'

const isAll = process.env.CONVENE_ALL === '1'
// Tests of the long suite only (`npm test -- --all`).
const LONG = isAll ? [] : [/@all/]
// A test that a phone takes by the same words and presses as a desk is tested there in the long suite.
const LONG_ON_PHONE = isAll ? [] : [/@phone-in-all/]
const report = process.env.CONVENE_E2E_REPORT
const reporters: ReporterDescription[] = [['list']]
if (report !== undefined) reporters.push(['json', { outputFile: report }])

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  snapshotPathTemplate: 'e2e/pictures/{arg}{ext}',
  // One test keeps a core busy half of its time: it waits for a server, a browser, an agent in turn.
  workers: Math.min(3, cpus().length + 1),
  fullyParallel: false,
  forbidOnly: report !== undefined,
  // A shared machine stalls at times. What passes only the second time is named in the summary, with the page as it was.
  retries: process.env.CI === 'true' ? 1 : 0,
  // Limits are generous: a machine that is busy with other things is slow, and that is no fault of the console.
  timeout: 180_000,
  globalTimeout: 40 * 60_000,
  expect: { timeout: 25_000 },
  reporter: reporters,
  use: {
    browserName: 'chromium',
    headless: true,
    locale: 'en-US',
    // What moves is drawn without a graphics card here, and costs a page a tenth of its time. The long suite has it.
    contextOptions: isAll ? {} : { reducedMotion: 'reduce' },
    timezoneId: 'UTC',
    // Each page is a new browser, and would fetch the whole shell for when there is no line; the tests of that allow it.
    serviceWorkers: 'block',
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    screenshot: 'only-on-failure',
    // A trace takes as long again as a third of the test. After a failure: npx playwright test <file> --trace on.
    trace: 'on-first-retry',
    launchOptions: { executablePath: findBrowser({ isShell: !isAll }), args: BROWSER_FLAGS },
  },
  projects: [
    { name: 'desktop', grepInvert: LONG, use: { viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      // What a small screen changes: the others end in the same commands as on a desk, or are about keys, the line to the
      // server and the content policy. Of a file that comes here, what is tagged @desktop stays there.
      // An operator's forms are tested on a phone in the long suite; `walk` looks at their width here too.
      testIgnore: [
        /journey-(5|8|10|11|13|14|17)-/,
        /system\//,
        /(keyboard|live|policy|gallery|budgets)\.spec/,
        ...(isAll
          ? []
          : [
              /journey-(4|6|16|18)-/,
              /(people|templates|tasks-by-operators|answering-tools|chat-filter|language|help|tool-effects)\.spec/,
            ]),
      ],
      grepInvert: [/@desktop/, ...LONG, ...LONG_ON_PHONE],
      use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    },
  ],
})
