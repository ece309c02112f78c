/** Everything that can go wrong with a server, and that it stays with the call and the server that it went wrong with. */
import { afterEach, describe, expect, test } from 'vitest'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import {
  faultOf,
  isAlive,
  memoryLog,
  resultText,
  testPools,
  testServer,
  tool,
  toolResultOf,
  until,
} from '@/test/toolPools'
import type { ToolPool } from '../types'

const pools = testPools()
afterEach(pools.closeAll)

async function pidOf(pool: ToolPool, server: string): Promise<number> {
  return Number(resultText(await pool.call(server, tool('pid'), {})))
}

describe('time', () => {
  test('a call that hangs ends at its limit, and the server is told to stop', async () => {
    const pool = pools.open([testServer('hangs')])
    const fault = faultOf(await pool.call('hangs', tool('hang', { name: 'first' }), { timeLimitMs: 50 }))
    expect(fault).toEqual({
      ok: false,
      code: 'TOOL_TIME_LIMIT',
      message: 'hangs did not answer hang within 50 ms; it was told to stop (it may have taken effect)',
    })
    await until(async () => resultText(await pool.call('hangs', tool('cancelled'), {})) === 'first')
    expect(pool.servers()[0]?.state).toBe('connected')
  })

  test('the limit is the configured one when the call names none', async () => {
    const pool = pools.open([testServer('hangs', { timeLimitMs: 60 })])
    expect(faultOf(await pool.call('hangs', tool('hang'), {})).message).toContain('within 60 ms')
    expect(resultText(await pool.call('hangs', tool('late', { delayMs: 120 }), { timeLimitMs: 30_000 }))).toBe('late')
  })

  test('other calls to the same server are answered while one hangs', async () => {
    const pool = pools.open([testServer('hangs')])
    const control = new AbortController()
    const hanging = pool.call('hangs', tool('hang'), { signal: control.signal })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => pool.call('hangs', tool('echo', { text: `${index}` }), {})),
    )
    expect(answers.map(resultText)).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`))
    control.abort()
    await hanging
  })

  test('a server that has stopped listening is replaced after a call hit its limit', async () => {
    const pool = pools.open([testServer('hangs')], { connectTimeLimitMs: 2_500 })
    const before = await pidOf(pool, 'hangs')
    expect(faultOf(await pool.call('hangs', tool('block'), { timeLimitMs: 50 })).code).toBe('TOOL_TIME_LIMIT')
    await until(() => pool.servers()[0]?.state === 'failed')
    expect(pool.servers()[0]?.lastError).toBe('stopped answering (no answer to a ping within 2.5 s)')
    await until(() => !isAlive(before))
    expect(await pidOf(pool, 'hangs')).not.toBe(before)
  })

  test('a server that never comes up hits the limit for connecting and is not left behind', async () => {
    const pool = pools.open([testServer('dies', { args: ['--silent-start'] })], { connectTimeLimitMs: 300 })
    const fault = faultOf(await pool.describe('dies'))
    expect(fault).toMatchObject({
      code: 'TOOL_TIME_LIMIT',
      message: expect.stringContaining('dies could not be reached: it did not answer within 300 ms'),
    })
    expect(pool.servers()[0]?.state).toBe('failed')
  })
})

describe('cancelling', () => {
  test('an abort reaches the server, with the reason in the outcome', async () => {
    const pool = pools.open([testServer('hangs')])
    await pool.describe('hangs')
    const control = new AbortController()
    const hanging = pool.call('hangs', tool('hang', { name: 'mine' }), { signal: control.signal })
    await until(async () => resultText(await pool.call('hangs', tool('begun'), {})) === 'mine')
    control.abort('cancelled by Ana')
    expect(faultOf(await hanging)).toMatchObject({
      code: 'TOOL_ABORTED',
      message: 'hang was cancelled: cancelled by Ana (it may have taken effect)',
    })
    await until(async () => resultText(await pool.call('hangs', tool('cancelled'), {})) === 'mine')
  })

  test('a call that was aborted before it began starts no server', async () => {
    const pool = pools.open([testServer('hangs')])
    const outcome = await pool.call('hangs', tool('echo', { text: 'a' }), { signal: AbortSignal.abort() })
    expect(faultOf(outcome).code).toBe('TOOL_ABORTED')
    expect(pool.servers()[0]?.state).toBe('idle')
  })

  test('one who gives up waiting for a server leaves it to those who still wait', async () => {
    const pool = pools.open([testServer('hangs')])
    const control = new AbortController()
    const impatient = pool.describe('hangs', control.signal)
    const patient = pool.describe('hangs')
    control.abort()
    expect(faultOf(await impatient).code).toBe('TOOL_ABORTED')
    expect((await patient).ok).toBe(true)
  })

  test('a signal that lives for many calls gathers no listeners', async () => {
    const pool = pools.open([testServer('hangs')])
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...args)
    }
    for (let index = 0; index < 5; index += 1) await pool.call('hangs', tool('echo', { text: 'a' }), { signal })
    await until(() => listeners === 0)
  })
})

describe('death', () => {
  test('a server that dies in a call says its last words, and others go on', async () => {
    const pool = pools.open([testServer('dies'), testServer('hangs')])
    const [dead, other] = await Promise.all([
      pool.call('dies', tool('die'), {}),
      pool.call('hangs', tool('late', { delayMs: 300 }), {}),
    ])
    expect(faultOf(dead)).toEqual({
      ok: false,
      code: 'TOOL_TRANSPORT',
      message: 'dies went away during die: ended with code 3; it last said: out of paper (it may have taken effect)',
    })
    expect(resultText(other)).toBe('late')
    expect(pool.servers().map((server) => server.state)).toEqual(['failed', 'connected'])
    expect(resultText(await pool.call('dies', tool('echo', { text: 'back' }), {}))).toBe('back')
  })

  test('a server that dies while it starts says why, with host paths relative', async () => {
    const pool = pools.open([
      testServer('dies', { args: ['--at-start'], root: '/srv/data', env: { STATE_FILE: '/srv/data/state.db' } }),
    ])
    expect(faultOf(await pool.call('dies', tool('echo', { text: 'a' }), {}))).toEqual({
      ok: false,
      code: 'TOOL_TRANSPORT',
      message:
        'dies could not be reached: it ended before it was ready: ended with code 2; it last said: cannot open state.db',
    })
    expect(pool.servers()[0]?.lastError).toContain('cannot open state.db')
  })

  test('a command that does not exist is named', async () => {
    const pool = pools.open([{ ...testServer('dies'), command: 'no-such-command' }])
    expect(faultOf(await pool.describe('dies')).message).toBe(
      'dies could not be reached: the command `no-such-command` was not found',
    )
  })

  test('a server with neither command nor address, and a server of another name', async () => {
    const pool = pools.open([{ ...testServer('dies'), command: undefined }])
    expect(faultOf(await pool.describe('dies')).message).toBe(
      'dies could not be reached: it has neither a command nor a baseurl',
    )
    expect(faultOf(await pool.describe('die'))).toEqual({
      ok: false,
      code: 'TOOL_UNKNOWN',
      message: 'no tool server "die" (nearest: dies)',
    })
  })

  test('many agents who need a server at once start it once', async () => {
    const { log, lines } = memoryLog()
    const pool = pools.open([testServer('hangs')], { log })
    const pids = await Promise.all(Array.from({ length: 10 }, () => pidOf(pool, 'hangs')))
    expect(new Set(pids).size).toBe(1)
    expect(lines.filter((line) => line.message === 'tool server connected')).toHaveLength(1)
  })

  test('a server sees nothing of our environment but the harmless part and what is configured', async () => {
    process.env.CONVENE_TEST_SECRET = 'secret'
    try {
      const pool = pools.open([testServer('dies', { env: { STATE_FILE: 'x' } })])
      const names = resultText(await pool.call('dies', tool('environment'), {})).split(',')
      expect(names).toContain('STATE_FILE')
      expect(names).toContain('PATH')
      const harmless = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'STATE_FILE']
      expect(names.filter((name) => !harmless.includes(name))).toEqual([])
    } finally {
      delete process.env.CONVENE_TEST_SECRET
    }
  })
})

describe('size', () => {
  test('an answer of 20 MiB is refused with the limit named; the server and its other calls go on', async () => {
    const pool = pools.open([testServer('large'), testServer('hangs')])
    const before = await pidOf(pool, 'large')
    const [large, small] = await Promise.all([
      pool.call('large', tool('large', { mebibytes: 20 }), {}),
      pool.call('large', tool('echo', { text: 'small' }), {}),
    ])
    expect(faultOf(large)).toEqual({
      ok: false,
      code: 'TOOL_TOO_LARGE',
      message: 'large answered with more than 8 MiB to large; ask for a smaller part',
    })
    expect(resultText(small)).toBe('small')
    expect(await pidOf(pool, 'large')).toBe(before)
  })

  test('an answer just under the limit is taken whole', async () => {
    const pool = pools.open([testServer('large')])
    expect(resultText(await pool.call('large', tool('large', { mebibytes: 7 }), {}))).toHaveLength(7 * 1024 * 1024)
  })

  test.each([
    [{ levels: 120, values: 1 }, null],
    [
      { levels: 130, values: 1 },
      'large answered with JSON nested deeper than 128 levels to nested; ask for a smaller part',
    ],
    [
      { levels: 200_000, values: 1 },
      'large answered with JSON nested deeper than 128 levels to nested; ask for a smaller part',
    ],
    [{ levels: 1, values: 90_000 }, null],
    [
      { levels: 1, values: 110_000 },
      'large answered with JSON of more than 200,000 values to nested; ask for a smaller part',
    ],
  ])('[R73] an answer of %j is read, or refused in words', async (args, message) => {
    const pool = pools.open([testServer('large')])
    const answer = await pool.call('large', tool('nested', args), {})
    expect(answer.ok ? null : answer.message).toBe(message)
  })

  test('an answer without an end ends the server, and the next call starts it again', async () => {
    const pool = pools.open([testServer('large')])
    const before = await pidOf(pool, 'large')
    const fault = faultOf(await pool.call('large', tool('endless'), {}))
    expect(fault).toMatchObject({
      code: 'TOOL_TRANSPORT',
      message: 'large went away during endless: sent one message of more than 64 MiB without an end',
    })
    expect(await pidOf(pool, 'large')).not.toBe(before)
  })
})

describe('noise and malformed answers', () => {
  test('what a server prints beside its answers does not disturb them', async () => {
    const { log, lines } = memoryLog()
    const pool = pools.open([testServer('garbage')], { log })
    expect(resultText(await pool.call('garbage', tool('chatty'), {}))).toBe('answered all the same')
    const noise = lines.filter((line) => line.message === 'tool server trouble').map((line) => line.data.error)
    expect(noise).toContain('wrote something else than JSON-RPC to its output: DEBUG chatty was called')
  })

  test('an answer that is no JSON-RPC answer is a fault at once, not at the time limit', async () => {
    const pool = pools.open([testServer('garbage')])
    const fault = faultOf(await pool.call('garbage', tool('not_an_answer'), {}))
    expect(fault).toMatchObject({
      code: 'TOOL_TRANSPORT',
      message: expect.stringContaining('garbage did not answer not_an_answer: its answer is not a JSON-RPC answer'),
    })
  })

  test("a structured result is held to its tool's own schema, on whichever page the tool was listed", async () => {
    const pool = pools.open([testServer('rich')])
    expect(toolResultOf(await pool.call('rich', tool('total'), {}))).toEqual({
      isError: false,
      content: [],
      structured: { total: 7 },
    })
    expect(toolResultOf(await pool.call('rich', tool('total_wrong'), {}))).toEqual({
      isError: false,
      content: [],
      structured: { total: 'seven' },
      unread: [{ why: 'unfit', at: 'structuredContent', found: 'total must be a number, not a string' }],
    })
    expect(toolResultOf(await pool.call('rich', tool('total_missing'), {})).unread).toEqual([
      { why: 'noStructured', at: 'structuredContent', found: '' },
    ])
  })
})

describe('much at once', () => {
  const isAll = process.env.CONVENE_ALL !== undefined

  test('[R75] the loop turns while a server with 20,000 tools is described, and a wrong name is looked up', async () => {
    const pool = pools.open([testServer('many', { args: ['20000'] })])
    const { outcome, blockMs } = await longestBlock(() => pool.describe('many'))
    expect(outcome.ok && outcome.description.tools.length).toBe(20_003)
    expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
    const wrong = await longestBlock(() => pool.call('many', tool('tool_of_nobody'), {}))
    expect(wrong.outcome).toMatchObject({ code: 'TOOL_UNKNOWN' })
    expect(wrong.blockMs).toBeLessThan(LONGEST_BLOCK_MS)
  })

  const lines = isAll ? 50_000 : 15_000

  test(`[R75] the loop turns while a call tells its progress ${lines} times`, async () => {
    const pool = pools.open([testServer('many', { args: ['1'] })])
    await pool.describe('many')
    let told = 0
    const { outcome, blockMs } = await longestBlock(() =>
      pool.call('many', tool('flood', { lines }), {
        onProgress: () => {
          told += 1
        },
      }),
    )
    expect(outcome.ok).toBe(true)
    // The last ones come together with the answer, and then nobody asks for them any more.
    expect(told).toBeGreaterThan(lines * 0.8)
    expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
  })

  test('[R75] the loop turns while an answer that is too large passes', async () => {
    const pool = pools.open([testServer('large')])
    await pool.describe('large')
    const { outcome, blockMs } = await longestBlock(() =>
      pool.call('large', tool('large', { mebibytes: isAll ? 60 : 20 }), {}),
    )
    expect(outcome).toMatchObject({ code: 'TOOL_TOO_LARGE' })
    expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
  })
})

describe('[R121] other servers than before', () => {
  test('those that are as they were stay connected; one that is gone is left when its last call has ended', async () => {
    const pool = pools.open([testServer('hangs'), testServer('rich')])
    const before = await pidOf(pool, 'hangs')
    const late = pool.call('hangs', tool('late', { delayMs: 150 }), {})
    await until(async () => pool.servers()[0]?.state === 'connected')
    expect(pool.apply([testServer('rich')])).toEqual([])
    expect(pool.servers().map(({ name }) => name)).toEqual(['rich'])
    expect(faultOf(await pool.call('hangs', tool('pid'), {})).code).toBe('TOOL_UNKNOWN')
    expect(resultText(await late)).toBe('late')
    await until(() => !isAlive(before))
  })

  test('one that is otherwise is started anew, and two of one name are refused', async () => {
    const pool = pools.open([testServer('hangs')])
    const before = await pidOf(pool, 'hangs')
    expect(pool.apply([testServer('hangs')])).toEqual([])
    expect(await pidOf(pool, 'hangs')).toBe(before)
    expect(pool.apply([testServer('hangs', { guide: 'another' })])).toEqual(['hangs'])
    expect(await pidOf(pool, 'hangs')).not.toBe(before)
    expect(() => pool.apply([testServer('rich'), testServer('rich')])).toThrow('two tool servers')
  })
})
