/** Our tool client against the conformance suite of MCP: the suite's own server, its own judgement. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('./mcp-conformance.mjs', import.meta.url))
const isAll = process.env.CONVENE_ALL === '1'
/** One scenario shows that the entry works; the others take half a minute. */
const SCENARIOS = isAll ? [] : ['tools_call']

test('every scenario passes', { timeout: isAll ? 600_000 : 60_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...SCENARIOS], { encoding: 'utf8' })
  const all = isAll ? 23 : 1
  expect(stdout + stderr).toContain(`${all} of ${all} scenarios passed`)
  expect(status).toBe(0)
})
