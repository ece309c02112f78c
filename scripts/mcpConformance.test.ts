/** Our tool client against the conformance suite of MCP: the suite's own server, its own judgement. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('./mcp-conformance.mjs', import.meta.url))
const isAll = process.env.CONVENE_ALL === '1'
test.skipIf(!isAll)('every scenario passes', { timeout: 600_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM], { encoding: 'utf8' })
  expect(stdout + stderr).toContain('23 of 23 scenarios passed')
  expect(status).toBe(0)
})
