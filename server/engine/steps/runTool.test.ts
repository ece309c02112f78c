/** What a tool step comes to: who may run it, what is asked first, and what each way of its end says. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { asId, type StepId } from '@/lib/mas/ids'
import type { RequestRecord, StepRecord, ToolRule, World } from '@/lib/mas/records'
import { saySaid } from '@/lib/mas/said'
import { type TestTool, toolPoolOf } from '@/test/testEngine'
import { Story, TEAM, walk } from '@/test/worldHistories'
import type { FilesFound, FileWatch } from '../../files'
import type { ToolCallOptions, ToolFaultCode, ToolInfo, ToolOutcome, ToolPool } from '../../tools'
import { openBodyCaches } from './bodyCache'
import { openReadAhead } from './readAhead'
import { runTool, type ToolEnd } from './runTool'

const { world } = walk([])
const stepOf = (): StepRecord => {
  const story = walk([])
  const step = story.start(TEAM.reader.id)
  if (!step) throw new Error('no step')
  return { ...step, type: 'tool', executor: 'files' }
}
const STEP = stepOf()
const said = (text: string): ToolOutcome => ({
  ok: true,
  result: { isError: false, content: [{ type: 'text', text }] },
})

type Change = {
  step?: Partial<StepRecord>
  args?: string
  name?: string
  target?: 'tool' | 'resource'
  tool?: Partial<TestTool>
  pool?: Partial<ToolPool>
  world?: World
  signal?: AbortSignal
  files?: FileWatch
}
/** One tool step, run to its end; a call of `count` with {"n":1} unless said otherwise. */
async function run(change: Change = {}) {
  const { args = '{"n":1}', name = 'count', target = 'tool' } = change
  const { body, ref } = bodyOf(args, 'application/json')
  const pool = toolPoolOf({ count: { info: {}, call: () => said('done'), ...change.tool } })
  const progress: string[] = []
  const found: FilesFound[] = []
  let effects = 0
  const bodies = openBodyCaches({ get: async () => body }, () => 0).open()
  const end = await runTool({
    world: change.world ?? world,
    step: { ...STEP, instruction: { kind: 'call', target, name, arguments: ref }, ...change.step },
    bodies,
    pool: { ...pool, ...change.pool },
    ahead: openReadAhead(),
    signal: change.signal ?? new AbortController().signal,
    onProgress: (text) => progress.push(text),
    asks: { question: async () => ({ action: 'cancel' }), sample: async () => ({ ok: false, reason: '' }) },
    onEffect: async () => {
      effects += 1
    },
    ...(change.files ? { files: change.files } : {}),
    onFiles: async (one) => void found.push(one),
  })
  return { ...pool, end, progress, effects, found, digest: ref.sha }
}
const outcomeOf = (end: ToolEnd) => {
  if (end.held) throw new Error('it is held')
  const { state, reason, result, sync } = end.outcome
  return { state, reason, text: result.text, decides: sync.need_tool_decision ?? null }
}
/** The outcome of a call that went wrong before or after it was sent. */
const failed = (reason: string, decides: boolean) => ({ state: 'failed', reason, text: reason, decides })

const found: FilesFound = { changes: [], more: 1, complete: true, keep: 20 }
const watching = () => {
  const log: string[] = []
  const files: FileWatch = {
    async before(args) {
      log.push(`before ${JSON.stringify(args)}`)
      return {
        async after() {
          log.push('after')
          return found
        },
      }
    },
    aside: (save) => save(),
    find: async () => null,
  }
  return { files, log }
}

describe('a tool step', () => {
  it('runs its call, and what came of it is the result that its agent decides on', async () => {
    const { end, calls, effects } = await run()
    expect(outcomeOf(end)).toEqual({ state: 'finished', reason: null, text: 'done', decides: true })
    expect([calls, effects]).toEqual([['count {"n":1}'], 1])
  })

  it('fails and calls nothing when the server is not among the tools of its agent', async () => {
    for (const step of [{ executor: 'mail' }, { agent: TEAM.manager.id }]) {
      const { end, calls } = await run({ step })
      const reason = `${step.executor ?? 'files'} is not among this agent's tools`
      expect([outcomeOf(end), calls]).toEqual([failed(reason, false), []])
    }
  })

  it('fails without an instruction, and does nothing where the instruction says why not', async () => {
    expect(outcomeOf((await run({ step: { instruction: null } })).end)).toEqual(failed('it has no instruction', false))
    const { end, calls } = await run({ step: { instruction: { kind: 'none', reason: 'nothing to count' } } })
    expect([outcomeOf(end), calls]).toEqual([
      { state: 'finished', reason: null, text: 'nothing to count', decides: null },
      [],
    ])
  })

  it('[R398] tells its agent and its step what of the result could not be read', async () => {
    const unread = [{ why: 'isNull' as const, at: 'content[1].text', found: '' }]
    const call = (): ToolOutcome => ({
      ok: true,
      result: { isError: false, content: [{ type: 'text', text: 'kept' }], unread },
    })
    const { end } = await run({ tool: { call } })
    expect(outcomeOf(end)).toMatchObject({ state: 'finished', text: 'kept\n\n[content[1].text is null]' })
  })

  it('[R801] names the tool as the cause of its failure, or the file that the tool did not find', async () => {
    const causeOf = async (text: string) => {
      const call = (): ToolOutcome => ({ ok: true, result: { isError: true, content: [{ type: 'text', text }] } })
      const { end } = await run({ tool: { call } })
      return end.held ? null : end.outcome.failureCause
    }
    expect(await causeOf('no such row')).toBe('tool')
    expect(await causeOf("ENOENT: no such file or directory, open 'west.csv'")).toBe('file')
  })

  it('asks a server what it can do', async () => {
    const instruction = { kind: 'get_description' } as const
    const { end } = await run({ step: { instruction } })
    expect(outcomeOf(end)).toMatchObject({ state: 'finished', decides: true })
    const fault = { ok: false, code: 'TOOL_TRANSPORT', message: 'it is gone' } as const
    const pool = { describe: async () => fault }
    for (const step of [{ instruction }, {}])
      expect(outcomeOf((await run({ step, pool })).end)).toEqual(failed('it is gone', false))
  })
})

describe('the arguments of a call', () => {
  const MIB = 1024 * 1024
  it('have at most 1 MiB', async () => {
    const of = (bytes: number) => `{"n":"${'x'.repeat(bytes - 8)}"}`
    expect(outcomeOf((await run({ args: of(MIB) })).end).state).toBe('finished')
    const { end, calls } = await run({ args: of(MIB + 1) })
    expect([outcomeOf(end), calls]).toEqual([failed('its arguments are larger than 1 MiB', true), []])
  })

  it('are a JSON object, no deeper than JSON may be', async () => {
    for (const args of ['[1]', 'null', '"text"', '1', '{'])
      expect([args, outcomeOf((await run({ args })).end)]).toEqual([
        args,
        failed('its arguments are no JSON object', true),
      ])
    const deep = `{"n":${'['.repeat(200)}${']'.repeat(200)}}`
    expect(outcomeOf((await run({ args: deep })).end).reason).toMatch(/^the text of its arguments /)
  })

  it('fit what the tool takes; of a resource of the same name nobody asks that', async () => {
    const tool = { info: { inputSchema: { type: 'object', required: ['path'] }, required: ['path'] } }
    const { end, calls } = await run({ tool })
    expect(outcomeOf(end)).toMatchObject({ state: 'failed', decides: true })
    expect(calls).toEqual([])
    expect(outcomeOf((await run({ tool, target: 'resource' })).end).state).toBe('finished')
  })
})

describe('the options of a call', () => {
  it('[R95] say whose it is, and hide what the step may not use', async () => {
    const seen: ToolCallOptions[] = []
    const tool: Partial<TestTool> = {
      call: (_args, _signal, options) => {
        seen.push(options)
        return said('done')
      },
    }
    await run({ tool })
    const { agent, task, stage, id } = STEP
    expect(seen).toMatchObject([{ group: task, caller: { agent, task, stage, step: id } }])
    expect(['inbox/9/unsent.txt', 'notes.txt'].map((path) => seen[0]?.isHidden?.(path))).toEqual([true, false])
  })
})

describe('a risky call', () => {
  const risky = { info: { confirm: true, description: 'Counts all. Slowly.' } }
  it('[R11] is held and shown with what it does, and is not sent', async () => {
    const { end, calls, effects, digest } = await run({ tool: risky })
    expect(end).toMatchObject({
      held: true,
      until: { call: { server: 'files', tool: 'count', changes: 'Counts all.', digest } },
    })
    expect([calls, effects]).toEqual([[], 0])
    expect((await run({ tool: { info: { confirm: true } } })).end).toMatchObject({ until: { call: { changes: '' } } })
  })

  it('[R11] runs when exactly these arguments were approved, and is held with others', async () => {
    const { digest } = await run()
    const approved = (sha: string) => ({ approvedBy: { by: TEAM.ana.id, edited: false, digest: sha } })
    expect((await run({ tool: risky, step: approved(digest) })).calls).toHaveLength(1)
    expect((await run({ tool: risky, step: approved('other') })).end.held).toBe(true)
  })

  it('[R108] a call of a tool that is to ask in this task is held, whatever the configuration says', async () => {
    const ruled = (tool: string, kind: ToolRule['rule'] = 'ask'): World => {
      const rule = { server: 'files', tool, rule: kind, by: TEAM.ana.id, at: 1 }
      const [task] = Object.values(world.tasks)
      return task ? { ...world, tasks: { [STEP.task]: { ...task, toolRules: [rule] } } } : world
    }
    expect((await run({ world: ruled('count') })).end.held).toBe(true)
    expect((await run({ world: ruled('other') })).end.held).toBe(false)
    // A person who runs it by hand asked for it.
    expect((await run({ world: ruled('count'), step: { byHand: true } })).calls).toHaveLength(1)
    // [R741] One that is off runs for nobody, and its agent decides how to continue.
    for (const byHand of [false, true]) {
      const off = await run({ world: ruled('count', 'off'), step: { byHand } })
      expect(outcomeOf(off.end)).toMatchObject({ state: 'failed', reason: 'Ana turned files.count off', decides: true })
      expect(off.calls).toEqual([])
    }
  })

  it('[R742] is held with the digest of what its server says of it, which another description changes', async () => {
    const definitionOf = async (info: Partial<ToolInfo>) => {
      const { end } = await run({ tool: { info: { confirm: true, ...info } } })
      return end.held && end.until.type === 'holdStep' ? end.until.call.definition : null
    }
    const first = await definitionOf({ description: 'Counts.' })
    expect(first).not.toBeNull()
    expect(await definitionOf({ description: 'Counts.' })).toBe(first)
    expect(await definitionOf({ description: 'Counts and deletes.' })).not.toBe(first)
    expect(await definitionOf({ description: 'Counts.', inputSchema: { type: 'object', required: ['n'] } })).not.toBe(
      first,
    )
    expect(await definitionOf({ description: 'Counts.', destructive: true })).not.toBe(first)
  })

  it('[R745] says which file it would write, and nothing of one that its step may not see', async () => {
    const titleOf = async (path: string) => {
      const files = { ...watching().files, find: async () => ({ path, bytes: 2_000 }) }
      const info = { confirm: true, title: 'Write File', idempotent: true }
      const { end } = await run({ files, args: JSON.stringify({ path, content: 'x' }), tool: { info } })
      return end.held && end.until.type === 'holdStep' && end.until.title ? saySaid('en', end.until.title) : null
    }
    expect(await titleOf('a.md')).toBe('Write a.md, changed, 2 kB → 1 B')
    expect(await titleOf('inbox/9/unsent.txt')).toBe('Write File: inbox/9/unsent.txt')
    expect((await run({ tool: risky })).end).not.toHaveProperty('until.title')
  })

  it('[R108] says where its configuration wants it to ask always', async () => {
    const always = await run({ tool: { info: { confirm: true, confirmRule: 'always' } } })
    expect(always.end).toMatchObject({ held: true, until: { call: { always: true } } })
  })

  it('[R37] that you run by hand runs only when you saw it whole, and nobody is asked in your place', async () => {
    const byHand = { info: { confirmByHand: true, confirm: true } }
    const { digest, ...unseen } = await run({ tool: byHand, step: { byHand: true } })
    expect(outcomeOf(unseen.end)).toMatchObject({ state: 'failed', decides: false })
    expect(unseen.calls).toEqual([])
    const seen = { byHand: true, approvedBy: { by: TEAM.ana.id, edited: false, digest } }
    expect((await run({ tool: byHand, step: seen })).calls).toHaveLength(1)
    // What asks first for agents alone runs at once for a person, and the other way round.
    expect((await run({ tool: risky, step: { byHand: true } })).calls).toHaveLength(1)
    expect((await run({ tool: { info: { confirmByHand: true } } })).calls).toHaveLength(1)
  })

  it('that a person edited says so with its result', async () => {
    const noteOf = async (edited: boolean, on: World): Promise<unknown> => {
      const { end } = await run({ world: on, step: { approvedBy: { by: TEAM.ana.id, edited, digest: 'd' } } })
      return end.held ? null : end.outcome.result.made
    }
    const asked = new Story().world
    expect(await noteOf(true, asked)).toEqual({ note: expect.stringContaining('Ana') })
    expect(await noteOf(false, asked)).toBeNull()
  })
})

it('[R542] a call that was done again with changed arguments names who changed them, and what they were', async () => {
  const reader = STEP.agent
  const past = (id: string, was: string, more: Partial<StepRecord> = {}): StepRecord => {
    const { ref } = bodyOf(was, 'application/json')
    const instruction = { kind: 'call', target: 'tool', name: 'count', arguments: ref } as const
    return { ...STEP, id: asId<StepId>(id), state: 'failed', instruction, ...more }
  }
  const noteOf = async (before: StepRecord[], step: Partial<StepRecord>): Promise<unknown> => {
    const recent = Object.fromEntries(before.map((one) => [one.id, one]))
    const on: World = { ...world, steps: { [STEP.task]: { [reader]: recent } } }
    const { end } = await run({ world: on, step })
    return end.held ? null : end.outcome.result.made
  }
  const editedBy = TEAM.ana.id
  const first = past('first', '{"n":0}')
  const edit = { retryOf: first.id, editedBy }
  const note = 'Ana changed the arguments before it ran; they were {"n":0}'
  expect(await noteOf([first], edit)).toEqual({ note })
  // It failed, and was done again as it was.
  const second = past('second', '{"n":1}', edit)
  expect(await noteOf([first, second], { retryOf: second.id, editedBy })).toEqual({ note })
  // Ben approved it with a change of his own.
  const both = await noteOf([first], { ...edit, approvedBy: { by: TEAM.ben.id, edited: true, digest: 'd' } })
  expect(both).toEqual({ note: `${note}; Ben changed the arguments before it ran; they were ` })
  expect(await noteOf([first], { retryOf: first.id })).toBeNull()
  // What it repeats has left the world.
  expect(await noteOf([], edit)).toEqual({ note: 'Ana changed the arguments before it ran; they were ' })
})

it('the arguments that a person changed are those of that very call, as they were asked about last', async () => {
  const request = (id: string, more: Partial<RequestRecord>, was: string, decision = 'approve_edited') => [
    id,
    // Only what is looked at of a request is made here.
    {
      id,
      kind: 'confirm',
      step: STEP.id,
      answer: { decision },
      call: { arguments: { preview: was } },
      ...more,
    },
  ]
  const asked = (...all: (string | object)[][]): World =>
    Object.assign({}, new Story().world, { requests: { [STEP.task]: Object.fromEntries(all) } })
  const noteOf = async (on: World): Promise<unknown> => {
    const { end } = await run({ world: on, step: { approvedBy: { by: TEAM.ana.id, edited: true, digest: 'd' } } })
    return end.held ? null : end.outcome.result.made
  }
  const other = asId<StepId>('another step')
  const world = asked(
    request('r1', {}, 'first'),
    request('r2', {}, 'last'),
    request('r3', { step: other }, 'of another step'),
    request('r4', { kind: 'tool' }, 'of a question'),
    request('r5', {}, 'as it was', 'approve'),
  )
  expect(await noteOf(world)).toEqual({ note: expect.stringMatching(/last$/) })
})

describe('a call that went wrong', () => {
  it.each<[ToolFaultCode, boolean]>([
    ['TOOL_ARGUMENTS', true],
    ['TOOL_UNKNOWN', true],
    ['TOOL_TRANSPORT', false],
    ['TOOL_TIME_LIMIT', false],
    ['TOOL_TOO_LARGE', false],
  ])('[R12] with %s fails its step; the agent decides on it: %s', async (code, decides) => {
    const call = (): ToolOutcome => ({ ok: false, code, message: 'no luck' })
    expect(outcomeOf((await run({ tool: { call } })).end)).toEqual(failed('no luck', decides))
  })

  it('because its step is over is no outcome', async () => {
    const control = new AbortController()
    const call = (): ToolOutcome => {
      control.abort(new Error('the step is over'))
      return { ok: false, code: 'TOOL_ABORTED', message: 'stopped' }
    }
    await expect(run({ tool: { call }, signal: control.signal })).rejects.toThrow('the step is over')
  })

  it("by the tool's own word fails its step with that word, and its agent decides", async () => {
    const call = (): ToolOutcome => ({
      ok: true,
      result: { isError: true, content: [{ type: 'text', text: 'ENOENT' }] },
    })
    expect(outcomeOf((await run({ tool: { call } })).end)).toEqual(failed('ENOENT', true))
  })
})

describe('what a call tells', () => {
  it('on its way is a line each, as far as the server says', async () => {
    const { progress } = await run({
      tool: {
        call: (_args, _signal, { onProgress }) => {
          onProgress?.({ progress: 1, total: 0 })
          onProgress?.({ progress: 2, message: 'pages' })
          onProgress?.({ progress: 3, total: 4, message: 'more' })
          return said('done')
        },
      },
    })
    expect(progress).toEqual(['1/0\n', '2 pages\n', '3/4 more\n'])
  })

  it('at its end is its texts; anything else is named by its kind', async () => {
    const call = (): ToolOutcome => ({
      ok: true,
      result: {
        isError: false,
        content: [
          { type: 'text', text: 'one' },
          { type: 'image', data: '', mimeType: 'image/png' },
          { type: 'audio', data: '', mimeType: 'audio/ogg' },
          { type: 'resource', uri: 'a:b', text: 'inside' },
          { type: 'resource', uri: 'a:c', blob: '' },
          { type: 'resource_link', uri: 'a:d', name: 'd' },
        ],
      },
    })
    expect(outcomeOf((await run({ tool: { call } })).end).text).toBe(
      'one\n\n[image image/png]\n\n[audio audio/ogg]\n\ninside\n\n[resource a:c]\n\n[link a:d]',
    )
  })
})

describe('files that change while a call runs', () => {
  const writing = { info: { readOnly: false } }

  it('[R111] are recorded with the step, also where the call fails', async () => {
    const { files, log } = watching()
    expect((await run({ tool: writing, files })).found).toEqual([found])
    expect(log).toEqual(['before {"n":1}', 'after'])
    const failing = { ...writing, call: () => ({ ok: false, code: 'TOOL_TRANSPORT', message: 'late' }) as const }
    expect((await run({ tool: failing, files })).found).toEqual([found])
    const thrown = { ...writing, call: () => Promise.reject(new Error('cut')) }
    await expect(run({ tool: thrown, files })).rejects.toThrow('cut')
    expect(log).toHaveLength(6)
  })

  it('[R111] are not looked for where a call only reads, or is held', async () => {
    const { files, log } = watching()
    await run({ files })
    await run({ files, target: 'resource' })
    await run({ files, tool: { info: { readOnly: false, confirm: true } } })
    expect(log).toEqual([])
  })
})
