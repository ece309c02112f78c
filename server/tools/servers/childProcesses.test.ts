/** No child process outlives us, whatever way we end. The children here end for SIGKILL only, and have children of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { bundledProgram } from '@/test/programs'
import { faultOf, isAlive, resultText, testPools, testServer, testServerFile, tool, until } from '@/test/toolPools'

const HOLDER = fileURLToPath(new URL('../../../test/toolServers/pool-then-wait.ts', import.meta.url))
const pools = testPools()
afterEach(pools.closeAll)

describe('close', () => {
  test('ends even a child that ignores the end of its input and SIGTERM, with its own children', async () => {
    const pool = pools.open([testServer('dies', { args: ['--stubborn'] })])
    const child = Number(resultText(await pool.call('dies', tool('pid'), {})))
    const grandchild = Number(resultText(await pool.call('dies', tool('grandchild'), {})))
    expect([child, grandchild].map(isAlive)).toEqual([true, true])
    await pool.close()
    await until(() => ![child, grandchild].some(isAlive))
  })

  test('a call in flight and a call afterwards are told that the tools are closed', async () => {
    const pool = pools.open([testServer('hangs')])
    await pool.describe('hangs')
    const hanging = pool.call('hangs', tool('hang'), {})
    await pool.close()
    const closed = { ok: false, code: 'TOOL_ABORTED', message: 'the tools are closed' }
    expect(faultOf(await hanging)).toEqual(closed)
    expect(faultOf(await pool.call('hangs', tool('echo', { text: 'a' }), {}))).toEqual(closed)
    expect(faultOf(await pool.describe('hangs'))).toEqual(closed)
  })

  test('a server that is still starting is ended too', async () => {
    const pool = pools.open([testServer('dies', { args: ['--silent-start'] })])
    const starting = pool.describe('dies')
    await until(() => pool.servers()[0]?.state === 'connecting')
    await pool.close()
    expect(faultOf(await starting).code).toBe('TOOL_ABORTED')
    expect(pool.servers()[0]?.state).toBe('idle')
  })
})

test('a server that dies takes its own children with it, even one that holds its output open', async () => {
  const pool = pools.open([testServer('dies', { args: ['--stubborn'] })])
  const grandchild = Number(resultText(await pool.call('dies', tool('grandchild'), {})))
  expect(isAlive(grandchild)).toBe(true)
  expect(faultOf(await pool.call('dies', tool('die'), {})).message).toContain(
    'ended with code 3; it last said: out of paper',
  )
  await until(() => !isAlive(grandchild))
})

describe('the end of the process', () => {
  const ways: { how: string; args: string[]; signal?: NodeJS.Signals }[] = [
    { how: 'SIGTERM that nobody handles', args: [], signal: 'SIGTERM' },
    { how: 'SIGINT that nobody handles', args: [], signal: 'SIGINT' },
    { how: 'SIGTERM that closes the pool', args: ['--handles-sigterm'], signal: 'SIGTERM' },
    // Nobody can act then; a child that heeds the end of its input ends, a stubborn one would stay.
    { how: 'SIGKILL', args: ['--gentle'], signal: 'SIGKILL' },
    { how: 'process.exit without close', args: ['--exits'] },
  ]
  test.each(ways)('$how leaves no child', async ({ args, signal }) => {
    const holder = spawn(process.execPath, [bundledProgram(HOLDER), testServerFile('dies'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(holder, 'exit')
    const [printed] = await once(holder.stdout, 'data')
    const pids = String(printed).trim().split(' ').map(Number)
    expect(pids).toHaveLength(args.includes('--gentle') ? 1 : 2)
    if (signal) {
      expect(pids.every(isAlive)).toBe(true)
      holder.kill(signal)
    }
    await ended
    await until(() => !pids.some(isAlive))
  })
})
