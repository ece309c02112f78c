/** A second server by other hands: what it keeps is kept, and its annotations decide when a person is asked. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { resultText, testPools, tool, toolResultOf } from '@/test/toolPools'
import { packageProgram } from '../../config/placeholders'
import type { ToolServerConfig } from '../types'

const pools = testPools()
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'convene-memory-'))
})
afterEach(async () => {
  await pools.closeAll()
  rmSync(folder, { recursive: true, force: true })
})

const server = (over: Partial<ToolServerConfig> = {}): ToolServerConfig => ({
  name: 'memory',
  command: 'node',
  args: [packageProgram('@modelcontextprotocol/server-memory', import.meta.url)],
  env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
  guide: '',
  confirm: 'risky',
  repeat: [],
  tools: {},
  ...over,
})

const RIVER = { name: 'Aare', entityType: 'river', observations: ['flows through Bern'] }

test('what one call writes the next one reads, also by another process', async () => {
  const first = pools.open([server()])
  const written = await first.call('memory', tool('create_entities', { entities: [RIVER] }), {})
  expect(toolResultOf(written)).toMatchObject({ isError: false, structured: { entities: [RIVER] } })
  await first.close()
  expect(readFileSync(join(folder, 'memory.jsonl'), 'utf8')).toContain('Aare')
  const found = await pools.open([server()]).call('memory', tool('search_nodes', { query: 'Bern' }), {})
  expect(resultText(found)).toContain('Aare')
})

test('a person is asked before what deletes; one rule for the server and one for a tool say otherwise', async () => {
  const asked = async (over: Partial<ToolServerConfig>): Promise<string[]> => {
    const described = await pools.open([server(over)]).describe('memory')
    return described.ok ? described.description.tools.filter(({ confirm }) => confirm).map(({ name }) => name) : []
  }
  const byAnnotation = await asked({})
  expect(byAnnotation).toEqual(expect.arrayContaining(['delete_entities', 'delete_relations']))
  expect(byAnnotation).not.toContain('read_graph')
  expect(await asked({ confirm: 'never', tools: { delete_entities: { confirm: 'always' } } })).toEqual([
    'delete_entities',
  ])
  expect(await asked({ confirm: 'always', tools: { read_graph: { confirm: 'never' } } })).not.toContain('read_graph')
})
