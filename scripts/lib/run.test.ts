import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, runNode } from './run.mjs'
import { duration } from './say.mjs'

test('a program gives its output and its exit code', async () => {
  const result = await runNode(['-e', 'console.log("out"); console.error("err"); process.exit(3)'], {
    limitMs: 10_000,
    quiet: true,
  })
  expect(result).toMatchObject({ code: 3, timedOut: false })
  expect(result.output).toContain('out')
  expect(result.output).toContain('err')
})

test('a program that does not exist is an exit code, not a crash', async () => {
  expect(await run('no-such-program-anywhere', [], { limitMs: 10_000, quiet: true })).toMatchObject({ code: 127 })
})

test('a time limit ends the program and what it started', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'convene-run-')), 'child')
  const grandchild = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`
  const program = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'ignore' }); setInterval(() => {}, 1000)`
  const { timedOut } = await runNode(['-e', program], { limitMs: 1_500, quiet: true })
  expect(timedOut).toBe(true)
  const pid = Number(readFileSync(file, 'utf8'))
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('durations are said as people read them', () => {
  expect([duration(420), duration(61_000)]).toEqual(['0.4 s', '1 min 1 s'])
})

/** Ended, or ended and not yet collected by the process that took it over. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return process.platform !== 'linux'
  }
}
