// How the unit tests run.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: fileURLToPath(new URL('./', import.meta.url)) }] },
  test: {
    environment: 'node',
    setupFiles: ['test/seed.ts'],
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/.next/**', 'dist/**', 'out/**', 'e2e/**', 'workspace/**', '.convene/**'],
    // Processes, not threads: native parts (store, password hashes) and tests that kill things stay apart.
    pool: 'forks',
    maxWorkers: 2,
    // All of the random histories take minutes on a machine that does other things too.
    testTimeout: process.env.CONVENE_ALL ? 600_000 : 20_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    // Where CI runs, other work may take the machine from a test that talks to a real process.
    retry: process.env.CI === 'true' ? 1 : 0,
    passWithNoTests: true,
  },
})
