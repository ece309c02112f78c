/** Trying a server says in words how it is, and what a person can do. */
import { expect, test } from 'vitest'
import { memoryLog, testServer } from '@/test/toolPools'
import { tryServer } from './tryServer'

const deps = { log: memoryLog().log, connectTimeLimitMs: 10_000 }

test('a server that answers says how much it offers, and is left again', async () => {
  const tried = await tryServer(testServer('rich'), deps)
  expect(tried).toMatchObject({ ok: true, hint: null })
  expect(tried.words).toMatch(
    /^rich is connected: \d+ tools, 2 resources, 1 prompt; \d+ of the tools ask a person first\.$/,
  )
  expect(tried.tools).toContain('read_only')
})

test('a command that is not there says so, and what to do', async () => {
  const config = { ...testServer('rich'), command: 'no-such-command' }
  expect(await tryServer(config, deps)).toEqual({
    ok: false,
    words: 'rich could not be reached: the command `no-such-command` was not found',
    hint: 'Install no-such-command, or enter its full path.',
    tools: [],
  })
})

test("is said in Chinese in a Chinese team, the server's own words as they are", async () => {
  expect((await tryServer(testServer('rich'), deps, 'zh')).words).toMatch(
    /^rich 已连接：\d+ 个工具、2 个资源、1 个提示；其中 \d+ 个工具在调用前会先问人。$/,
  )
  expect(await tryServer({ ...testServer('rich'), command: 'no-such-command' }, deps, 'zh')).toMatchObject({
    words: '无法启动 rich：找不到命令 no-such-command。',
    hint: '请安装 no-such-command，或写出它的完整路径。',
  })
  const away = { ...testServer('rich'), command: undefined, baseurl: 'http://127.0.0.1:9/mcp' }
  expect(await tryServer(away, deps, 'zh')).toMatchObject({
    words: expect.stringContaining('无法连接 rich（http://127.0.0.1:9/mcp）'),
    hint: expect.stringContaining('curl'),
  })
})

test('an address where nobody listens says so, and what to look at', async () => {
  const config = { ...testServer('rich'), command: undefined, baseurl: 'http://127.0.0.1:9/mcp' }
  const tried = await tryServer(config, deps)
  expect(tried.ok).toBe(false)
  expect(tried.hint).toContain('http://127.0.0.1:9/mcp')
})
