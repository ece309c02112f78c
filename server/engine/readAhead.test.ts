/** Calls that were written together and only read run at once; what more than reads waits its turn. */
import { describe, expect, it } from 'vitest'
import type { PlannedCall } from '@/lib/mas/outcome'
import type { StepRecord, ToolInstruction } from '@/lib/mas/records'
import { ask, isFinished, openPart } from '@/test/enginePart'
import { stepsOf } from '@/test/stories'
import type { TestTool } from '@/test/testEngine'
import { outcomeOf, planned, TEAM } from '@/test/worldHistories'
import type { SkillRun } from '../skills/port'
import type { ToolOutcome } from '../tools'

const said = (text: string): ToolOutcome => ({
  ok: true,
  result: { isError: false, content: [{ type: 'text', text }] },
})

/** A part whose one tool step is written as these calls. */
async function begin(names: readonly string[], tools: Record<string, TestTool>) {
  const callOf = (run: SkillRun, name: string, n: number): ToolInstruction => ({
    kind: 'call',
    target: 'tool',
    name,
    arguments: run.bodies.make(JSON.stringify({ n }), 'application/json'),
  })
  const test = await openPart([planned('files', 'tool')], {
    tools,
    skill: (step, run) => {
      if (step.executor === 'tool_decision') return outcomeOf({})
      if (step.executor !== 'instruction_generation' || step.boundTo === null) return null
      const [first, ...further] = names.map((name, n) => callOf(run, name, n))
      if (first === undefined) throw new Error('a call is needed')
      const calls: PlannedCall[] = further.map((instruction) => ({ server: 'files', intention: 'read', instruction }))
      return outcomeOf({ instruct: { step: step.boundTo, instruction: first }, calls })
    },
  })
  await ask(test)
  return test
}

/** The same, played to its end. */
async function play(names: readonly string[], tools: Record<string, TestTool>) {
  const test = await begin(names, tools)
  const world = await test.until(isFinished)
  const steps: StepRecord[] = stepsOf(world, TEAM.reader.id).filter(({ type }) => type === 'tool')
  return { calls: test.pool.calls, results: steps.map(({ state, result }) => `${state} ${result?.text}`) }
}

describe('[R98] calls that only read', () => {
  it('are all under way before the first of them ends, and each step has its own result', async () => {
    let [open, release] = [0, () => {}]
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    const read: TestTool = {
      info: {},
      call: async (args) => {
        open += 1
        if (open === 3) release()
        await all
        return said(`read ${args.n}`)
      },
    }
    const { calls, results } = await play(['read', 'read', 'read'], { read })
    expect(results).toEqual(['finished read 0', 'finished read 1', 'finished read 2'])
    expect(calls).toHaveLength(3)
  })

  it('behind one that writes are made after it has ended, in the order in which they were written', async () => {
    let text = 'old'
    let under = 0
    const underWay: number[] = []
    const read: TestTool = {
      info: {},
      call: async () => {
        under += 1
        // What is begun early is begun by then.
        for (let turn = 0; turn < 5_000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        underWay.push(under)
        return said(text)
      },
    }
    const write: TestTool = {
      info: { readOnly: false },
      call: async () => {
        under += 1
        text = 'new'
        return said('written')
      },
    }
    const { calls, results } = await play(['read', 'write', 'read'], { read, write })
    expect(results).toEqual(['finished old', 'finished written', 'finished new'])
    expect(underWay).toEqual([1, 3])
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['read', 'write', 'read'])
  })

  it('and fail when they are begun early are made again at their turn, where the failure is said', async () => {
    const failing: TestTool = {
      info: {},
      call: async (args) => (args.n === 1 ? { ok: false, code: 'TOOL_TRANSPORT', message: 'not there' } : said('read')),
    }
    const { calls, results } = await play(['read', 'read'], { read: failing })
    expect(results).toEqual(['finished read', 'failed not there'])
    expect(calls).toHaveLength(3)
  })

  it('behind a call that nobody knows are made at their turn', async () => {
    const read: TestTool = { info: {}, call: async (args) => said(`read ${args.n}`) }
    const { calls, results } = await play(['read', 'unknown', 'read'], { read })
    expect(results).toEqual(['finished read 0', 'failed no tool unknown', 'finished read 2'])
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['read', 'unknown', 'read'])
  })

  it('and that a person is asked about first are not begun early', async () => {
    const read: TestTool = { info: {}, call: async () => said('read') }
    const asked: TestTool = { info: { confirm: true }, call: async () => said('read after all') }
    const test = await begin(['read', 'asked', 'read'], { read, asked })
    await test.until((world) =>
      Object.values(world.requests).some((own) => Object.values(own).some(({ kind }) => kind === 'confirm')),
    )
    expect(test.pool.calls).toEqual(['read {"n":0}'])
  })
})
