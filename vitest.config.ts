// How the unit tests run.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Components in a page (test/dom). */
const IN_A_PAGE = ['**/*.dom.test.tsx']
/** They put another module in the place of one: no other file may find it there. */
const REPLACE_MODULES = [
  'client/notify/sound.test.ts',
  'components/request/transfer.test.tsx',
  'components/shell/keys/keysShown.test.tsx',
  'server/config/packages.test.ts',
  'server/engine/idle.test.ts',
  'server/gateway/sessions/passwords.test.ts',
  'server/monitor/watching.test.ts',
  'server/tools/transports/outboundFetch.test.ts',
]
/** They judge how long the event loop stands still: what other files leave in the memory of a process makes its collector stop it. */
const MEASURE_PAUSES = ['server/gateway/routes/messages/attachments.test.ts']
const OWN_PROCESS = [...REPLACE_MODULES, ...MEASURE_PAUSES]
const NO_TESTS = ['**/node_modules/**', '**/.next/**', 'dist/**', 'out/**', 'e2e/**', 'workspace/**', '.convene/**']

const inRoot = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: inRoot('./') }] },
  test: {
    environment: 'node',
    setupFiles: ['test/seed.ts'],
    // Processes, not threads: native parts (store, password hashes) and tests that kill things stay apart.
    pool: 'forks',
    // One more than a CI machine has cores: some tests wait for a process or a timer, and each worker loads all modules.
    maxWorkers: 3,
    // Tests make much that is gone at once: with more room for it, collecting garbage takes a fifth less of the processor time.
    execArgv: ['--max-semi-space-size=64'],
    // What was transformed once is read from node_modules: the next run of a test begins in half the time.
    experimental: { fsModuleCache: true },
    // All of the random histories take minutes on a machine that does other things too.
    testTimeout: process.env.CONVENE_ALL ? 600_000 : 20_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    unstubGlobals: true,
    restoreMocks: true,
    // Where CI runs, other work may take the machine from a test that talks to a real process.
    retry: process.env.CI === 'true' ? 1 : 0,
    passWithNoTests: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // What is loaded here cannot be replaced by a test any more.
          setupFiles: ['server/packages.ts'],
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...NO_TESTS, ...OWN_PROCESS, ...IN_A_PAGE],
          // Files share the modules of their process: loading them for each file takes longer than most tests do.
          isolate: false,
        },
      },
      {
        extends: true,
        resolve: { alias: [{ find: 'socket.io-client', replacement: inRoot('test/dom/socket.ts') }] },
        test: {
          name: 'dom',
          include: IN_A_PAGE,
          exclude: NO_TESTS,
          environment: 'happy-dom',
          setupFiles: ['test/dom/setup.ts'],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'own process', include: OWN_PROCESS, exclude: NO_TESTS } },
    ],
  },
})
