/** The pool against the real @modelcontextprotocol/server-filesystem. */
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TOOL_WORDS } from '@/messages/tools.zh'
import { bundledProgram } from '@/test/programs'
import {
  faultOf,
  isAlive,
  memoryLog,
  processesWith,
  resultText,
  sentencesOf,
  testPools,
  testServer,
  tool,
  toolResultOf,
  until,
} from '@/test/toolPools'
import type { ToolInfo, ToolServerConfig } from '../types'
import { abilitiesList } from './abilitiesList'

const SERVER = bundledProgram(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
)

const pools = testPools()
let root = ''

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'convene-tools-')))
  await mkdir(join(root, 'prices'))
  await writeFile(join(root, 'prices/north.csv'), 'item,price\napple,3.20\n')
})
afterEach(async () => {
  await pools.closeAll()
  await rm(root, { recursive: true, force: true })
})

function files(over: Partial<ToolServerConfig> = {}): ToolServerConfig {
  return {
    name: 'files',
    command: 'node',
    args: [SERVER, root],
    root,
    guide: 'Files of the team.',
    confirm: 'risky',
    repeat: [],
    tools: {},
    ...over,
  }
}

async function toolsOf(config: ToolServerConfig): Promise<Record<string, ToolInfo>> {
  const described = await pools.open([config]).describe(config.name)
  if (!described.ok) throw new Error(described.message)
  return Object.fromEntries(described.description.tools.map((info) => [info.name, info]))
}

describe('the filesystem server', () => {
  test('[R281] describes its tools and their arguments with sentences that Chinese pages say in Chinese', async () => {
    const sentences = sentencesOf(Object.values(await toolsOf(files())))
    expect(sentences).toContain('Text to replace with')
    expect(sentences.filter((sentence) => !(sentence in TOOL_WORDS))).toEqual([])
  })

  test('nothing is started before a server is first needed', async () => {
    const pool = pools.open([files()])
    expect(pool.servers()).toEqual([{ name: 'files', guide: 'Files of the team.', state: 'idle', isRemote: false }])
    expect(processesWith(root)).toEqual([])
    await pool.describe('files')
    expect(pool.servers()[0]?.state).toBe('connected')
    expect(processesWith(root)).toHaveLength(1)
  })

  test('[R95] a path that is hidden from the caller is refused in words, and nobody else is held up', async () => {
    const pool = pools.open([files()])
    const read = tool('read_multiple_files', { paths: ['prices/north.csv', './prices/../prices/north.csv'] })
    const isHidden = (path: string): boolean => path === 'prices/north.csv'
    expect(faultOf(await pool.call('files', read, { isHidden }))).toEqual({
      ok: false,
      code: 'TOOL_ARGUMENTS',
      message: 'prices/north.csv is not open to this task: a file below inbox/ is read where a message carries it',
    })
    const list = tool('list_directory', { path: 'prices' })
    expect(resultText(await pool.call('files', list, { isHidden }))).toBe('[FILE] north.csv')
    expect(resultText(await pool.call('files', read, {}))).toContain('apple,3.20')
  })

  test('lists, reads and writes', async () => {
    const pool = pools.open([files()])
    expect(resultText(await pool.call('files', tool('list_directory', { path: 'prices' }), {}))).toBe(
      '[FILE] north.csv',
    )
    const read = toolResultOf(await pool.call('files', tool('read_text_file', { path: 'prices/north.csv' }), {}))
    expect(read).toEqual({
      isError: false,
      content: [{ type: 'text', text: 'item,price\napple,3.20\n' }],
      structured: { content: 'item,price\napple,3.20\n' },
    })
    await pool.call('files', tool('write_file', { path: 'prices/report.md', content: '# 报告\n' }), {})
    expect(await readFile(join(root, 'prices/report.md'), 'utf8')).toBe('# 报告\n')
  })

  test('a server without resources and prompts is described all the same', async () => {
    const described = await pools.open([files()]).describe('files')
    expect(described).toMatchObject({
      ok: true,
      description: { server: 'files', capabilities: ['tools'], resources: [], prompts: [] },
    })
    expect(described.ok && described.description.tools.length).toBeGreaterThan(10)
  })

  test('a missing file is an error result that shows its path relative to the root', async () => {
    const result = toolResultOf(
      await pools.open([files()]).call('files', tool('read_text_file', { path: 'prices/west.csv' }), {}),
    )
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: "ENOENT: no such file or directory, open 'prices/west.csv'" }],
    })
  })

  test('a path outside of the root is refused without showing where the root is', async () => {
    const outcome = await pools.open([files()]).call('files', tool('read_text_file', { path: '/etc/passwd' }), {})
    expect(toolResultOf(outcome).isError).toBe(true)
    expect(resultText(outcome)).toBe('Access denied - path outside allowed directories: /etc/passwd not in ./')
  })

  test('a root that is reached through a link is hidden in both spellings', async () => {
    const link = `${root}-link`
    await symlink(root, link)
    try {
      const outcome = await pools
        .open([files({ args: [SERVER, link], root: link })])
        .call('files', tool('read_text_file', { path: 'west.csv' }), {})
      expect(resultText(outcome)).toBe("ENOENT: no such file or directory, open 'west.csv'")
    } finally {
      await rm(link)
    }
  })

  test('a person is asked before what may destroy, and only that, unless configured otherwise', async () => {
    const byDefault = await toolsOf(files())
    const asked = Object.values(byDefault).filter((info) => info.confirm)
    expect(asked.map((info) => info.name).sort()).toEqual(['edit_file', 'move_file', 'write_file'])
    const always = await toolsOf(files({ confirm: 'always', tools: { read_file: { confirm: 'never' } } }))
    expect([always.read_text_file?.confirm, always.read_file?.confirm]).toEqual([true, false])
    const never = await toolsOf(
      files({ confirm: 'never', tools: { write_file: { confirm: 'risky' }, read_file: { confirm: 'always' } } }),
    )
    expect([never.write_file?.confirm, never.edit_file?.confirm, never.read_file?.confirm]).toEqual([true, false, true])
  })

  test('what may run again after a crash is read-only, idempotent, or configured', async () => {
    const infos = await toolsOf(files({ repeat: ['move_file'] }))
    expect(
      [infos.read_text_file, infos.write_file, infos.edit_file, infos.move_file].map((info) => info?.repeatable),
    ).toEqual([true, true, false, true])
  })

  test('configured tools that the server does not have are said in the log', async () => {
    const { log, lines } = memoryLog()
    await pools.open([files({ tools: { write_fil: { confirm: 'always' } } })], { log }).describe('files')
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', data: { server: 'files', tools: ['write_fil'] } }),
    )
  })

  test('an unknown tool is answered with the nearest names', async () => {
    const fault = faultOf(await pools.open([files()]).call('files', tool('read_txt_file'), {}))
    expect(fault.code).toBe('TOOL_UNKNOWN')
    expect(fault.message).toMatch(/^files has no tool "read_txt_file" \(nearest: read_text_file, /)
  })

  test('arguments are checked before anything is sent', async () => {
    const fault = faultOf(await pools.open([files()]).call('files', tool('write_file', { path: 7 }), {}))
    expect(fault).toEqual({
      ok: false,
      code: 'TOOL_ARGUMENTS',
      message: 'write_file: content is missing; path must be a string, not a number',
    })
  })

  test('the short list of abilities tells types, what is optional, and one sentence', async () => {
    const described = await pools.open([files()]).describe('files')
    if (!described.ok) throw new Error(described.message)
    const lines = abilitiesList(described.description).split('\n')
    expect(lines).toContain(
      'read_text_file(path: string, tail?: number, head?: number): Read the complete contents of a file from the file system as text',
    )
    expect(lines).toContain(
      'edit_file(path: string, edits: {oldText: string, newText: string}[], dryRun?: boolean): Make line-based edits to a text file',
    )
    expect(lines).toContain(
      'list_directory_with_sizes(path: string, sortBy?: "name" | "size"): Get a detailed listing of all files and directories in a specified path, including sizes',
    )
  })

  test('20 calls of many agents are answered while another server hangs', async () => {
    const pool = pools.open([files(), testServer('hangs')])
    const control = new AbortController()
    const hanging = pool.call('hangs', tool('hang'), { signal: control.signal })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await pool.call('files', tool('write_file', { path: `out-${index}.txt`, content: `text ${index}` }), {})
        return pool.call('files', tool('read_text_file', { path: `out-${index}.txt` }), {})
      }),
    )
    expect(outcomes.map(resultText)).toEqual(Array.from({ length: 20 }, (_, index) => `text ${index}`))
    control.abort()
    expect(faultOf(await hanging).code).toBe('TOOL_ABORTED')
    expect(processesWith(root)).toHaveLength(1)
  })

  test('a server that was killed is started again by the next call', async () => {
    const pool = pools.open([files()])
    await pool.describe('files')
    const [pid] = processesWith(root)
    if (pid === undefined) throw new Error('no child')
    process.kill(pid, 'SIGKILL')
    await until(() => pool.servers()[0]?.state === 'failed')
    expect(pool.servers()[0]?.lastError).toMatch(/^ended by SIGKILL; it last said: /)
    expect(pool.servers()[0]?.lastError).not.toContain(root)
    expect(resultText(await pool.call('files', tool('list_directory', { path: '.' }), {}))).toBe('[DIR] prices')
    expect(pool.servers()[0]).toMatchObject({ state: 'connected' })
    expect(processesWith(root)).not.toContain(pid)
  })

  test('close leaves no child', async () => {
    const pool = pools.open([files()])
    await pool.describe('files')
    const [pid] = processesWith(root)
    await pool.close()
    expect(pid !== undefined && isAlive(pid)).toBe(false)
    expect(processesWith(root)).toEqual([])
  })
})
