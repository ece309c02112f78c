/** What becomes of the steps that a process left running. */
import { describe, expect, it } from 'vitest'
import type { Envelope } from '@/lib/mas/commands/command'
import { asId, type StepId } from '@/lib/mas/ids'
import type { EffectRecord, StepRecord, ToolInstruction, World } from '@/lib/mas/records'
import { toolPoolOf } from '@/test/testEngine'
import { TEAM, walk } from '@/test/worldHistories'
import { recoverSteps, selectOrphans } from './recovery'

const story = walk([])
const running = story.start(TEAM.reader.id)
if (!running) throw new Error('no step')
const call = (name: string, target: 'tool' | 'resource' = 'tool'): ToolInstruction => ({
  kind: 'call',
  target,
  name,
  arguments: { sha: 'sha', bytes: 2, preview: '{}', mime: 'application/json' },
})
const effect = (step: string): EffectRecord => ({
  key: step,
  step: asId<StepId>(step),
  task: running.task,
  agent: running.agent,
  startedAt: 0,
  node: 'n1',
})
const OTHER = 'another step'

/** The world with this one step, and calls of steps that had gone out. */
function worldOf(step: Partial<StepRecord>, called: string[] = []): World {
  const own = { [running?.id ?? '']: { ...running, ...step } }
  const effects = Object.fromEntries(called.map((id) => [id, effect(id)]))
  // Only what recovery reads of a world is made here.
  return Object.assign({}, story.world, {
    steps: { [running?.task ?? '']: { [running?.agent ?? '']: own } },
    effects: { [running?.task ?? '']: effects },
  })
}

type Again = boolean | 'unlessCalled'
async function recovered(world: World): Promise<{ again: Again; reason: string }[]> {
  const pool = toolPoolOf({
    read: { info: { repeatable: true }, call: () => ({ ok: false, code: 'TOOL_UNKNOWN', message: '' }) },
    pay: { info: { repeatable: false }, call: () => ({ ok: false, code: 'TOOL_UNKNOWN', message: '' }) },
  })
  const put: Envelope[] = []
  const commit = async (envelope: Envelope) => {
    put.push(envelope)
    return { ok: true, seq: 1, reply: null } as const
  }
  const orphans = selectOrphans(world)
  await recoverSteps(orphans, { world: () => world, pool, commit, newId: () => 'id' })
  expect(put).toHaveLength(orphans.length)
  return put.flatMap(({ by, command }) =>
    command.type === 'recoverStep' && by === 'system:recovery'
      ? [{ again: command.again, reason: command.reason }]
      : [],
  )
}
const isAgain = async (step: Partial<StepRecord>, called?: string[]): Promise<Again | undefined> =>
  (await recovered(worldOf(step, called)))[0]?.again

const tool = (name: string, target: 'tool' | 'resource' = 'tool'): Partial<StepRecord> => ({
  type: 'tool',
  executor: 'files',
  instruction: call(name, target),
})

describe('a step that was running when its process went', () => {
  it('[R13] runs again when it is a skill, whatever it had called', async () => {
    expect(await isAgain({ type: 'skill' }, [running.id])).toBe(true)
  })

  it('[R13] runs again when it is a tool that had not been called yet; a call of another step is not its own', async () => {
    expect(await isAgain(tool('pay'))).toBe('unlessCalled')
    expect(await isAgain(tool('pay'), [OTHER])).toBe('unlessCalled')
    expect(await isAgain(tool('pay'), [running.id])).toBe(false)
    expect(await isAgain(tool('pay'), [OTHER, running.id])).toBe(false)
  })

  it('[R13] runs again after its call only where that very tool does no harm a second time', async () => {
    expect(await isAgain(tool('read'), [running.id])).toBe(true)
    expect(await isAgain(tool('unknown'), [running.id])).toBe(false)
    expect(await isAgain(tool('pay', 'resource'), [running.id])).toBe(true)
    expect(await isAgain({ ...tool('pay'), instruction: { kind: 'get_description' } }, [running.id])).toBe(true)
  })

  it('[R37] never runs again when a person ran it by hand, begun or not', async () => {
    for (const state of ['running', 'pending'] as const) {
      const [one] = await recovered(worldOf({ ...tool('read'), byHand: true, state }))
      expect(one?.again).toBe(false)
    }
    const [byHand] = await recovered(worldOf({ ...tool('read'), byHand: true }))
    const [byAgent] = await recovered(worldOf(tool('read')))
    expect(byHand?.reason).not.toBe(byAgent?.reason)
  })
})

describe('a step that was not running', () => {
  it('is left as it is', () => {
    for (const state of ['pending', 'finished', 'failed'] as const)
      expect([state, selectOrphans(worldOf({ state }))]).toEqual([state, []])
    expect(selectOrphans(worldOf({ byHand: true, state: 'finished' }))).toEqual([])
  })
})
