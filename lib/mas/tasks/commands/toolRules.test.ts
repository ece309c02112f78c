/** Allowing a tool for one task, having it always ask there, and taking either back. */
import { describe, expect, it } from 'vitest'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { ANA, addTask, BEN, goals, linesOf, MANAGER, READER } from '@/test/stories'
import { BASE_TASK, openTask, outcomeOf, planned, Story, TEAM } from '@/test/worldHistories'
import { selectDue } from '../../asks/due'
import { bodyOf } from '../../bodies'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import { type AgentId, asId, type TaskId } from '../../ids'
import { selectNextStep } from '../../members'
import type { HeldCall, RequestRecord, StepRecord } from '../../records'
import { TOOL_RULES_MAX } from './toolRules'

const DEFINITION = 'the tool as it is'
const args = (n: number) => bodyOf(`{"n":${n}}`, 'application/json').ref
const callOf = (n: number, more: Partial<HeldCall> = {}): HeldCall => {
  const { sha, ...rest } = args(n)
  return {
    server: 'files',
    tool: 'write',
    arguments: { sha, ...rest },
    digest: sha,
    changes: '',
    definition: DEFINITION,
    ...more,
  }
}
/** The reader begins a call, and its runner says that people are to be asked. out: its step, as it is then */
function holds(story: Story, task: TaskId, n: number, more: Partial<HeldCall> = {}): StepRecord {
  story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('files', 'tool')] } }))
  const instruction = { kind: 'call', target: 'tool', name: 'write', arguments: args(n) } as const
  story.run(READER, (writer) =>
    outcomeOf({ instruct: writer.boundTo === null ? null : { step: writer.boundTo, instruction } }),
  )
  const running = story.start(READER)
  if (!running) throw new Error('no tool runs')
  story.put('system:runner', { type: 'holdStep', step: running.id, attempt: 1, call: callOf(n, more) })
  const step = stepIn(story.world.steps[task]?.[READER], running.id)
  if (!step) throw new Error('no step')
  return step
}
const begin = (): { story: Story; task: TaskId } => {
  const story = new Story()
  const task = openTask(story)
  if (!task) throw new Error('no task')
  return { story, task }
}
const rules = (task: TaskId, more: Partial<CommandOf<'ruleTool'>> = {}) => ({
  type: 'ruleTool' as const,
  about: { task },
  server: 'files',
  tool: 'write',
  rule: 'allow' as const,
  endsAt: null,
  definition: DEFINITION,
  reason: 'it is a draft',
  ...more,
})
const refusal = (story: Story, by: string, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const asked = (story: Story): RequestRecord[] => story.openRequests().filter(({ kind }) => kind === 'confirm')

describe('[R108] a tool that is allowed for a task', () => {
  it('runs there without asking, by whom is kept with its step, and each call says so', () => {
    const { story, task } = begin()
    story.put(ANA, rules(task))
    const step = holds(story, task, 1)
    expect(asked(story)).toEqual([])
    expect(step).toMatchObject({
      state: 'running',
      held: null,
      approvedBy: { by: ANA, edited: false, digest: args(1).sha, allowed: true },
    })
    expect(story.world.work[READER]?.locks).toEqual([])
    expect(linesOf(story.world, task).at(-1)).toBe('Ana allowed files.write for this task · it is a draft')
    expect(story.world.tasks[task]?.toolRules).toEqual([
      { server: 'files', tool: 'write', rule: 'allow', definition: DEFINITION, by: ANA, at: expect.any(Number) },
    ])
  })

  it('lets the calls run that people were asked about at that moment, and no other tool', () => {
    const { story, task } = begin()
    const step = holds(story, task, 1)
    expect(asked(story)).toHaveLength(1)
    story.put(ANA, rules(task, { tool: 'move' }))
    expect(asked(story)).toHaveLength(1)
    story.put(ANA, rules(task))
    expect(asked(story)).toEqual([])
    expect(stepIn(story.world.steps[task]?.[READER], step.id)).toMatchObject({ held: null, approvedBy: { by: ANA } })
    expect(selectNextStep(story.world, READER)?.id).toBe(step.id)
  })

  it('asks again once that is revoked, which needs no reason', () => {
    const { story, task } = begin()
    story.put(ANA, rules(task))
    expect(refusal(story, ANA, rules(task, { rule: null, reason: '' }))).toBeNull()
    story.put(ANA, rules(task, { rule: null, reason: '' }))
    expect(story.world.tasks[task]?.toolRules).toEqual([])
    holds(story, task, 1)
    expect(asked(story)).toHaveLength(1)
  })

  it('asks in every other task', () => {
    const { story, task } = begin()
    const other = addTask(story, [goals('read', READER)], 'Other')
    story.put(ANA, rules(other))
    holds(story, task, 1)
    expect(asked(story)).toHaveLength(1)
  })

  it('asks where the configuration says always, whatever the rule says', () => {
    const { story, task } = begin()
    holds(story, task, 1, { always: true })
    story.put(ANA, rules(task))
    expect(asked(story)).toHaveLength(1)
  })

  it('is for operators alone: neither a participant nor the manager, and nobody outside learns that the task exists', () => {
    const { story, task } = begin()
    expect(refusal(story, BEN, rules(task))).toBe('NOT_ALLOWED')
    expect(refusal(story, TEAM.lee.id, rules(task))).toBe('NOT_FOUND')
    expect(refusal(story, MANAGER, rules(task))).not.toBeNull()
    story.put(ANA, rules(task))
    expect(refusal(story, BEN, rules(task, { rule: null }))).toBe('NOT_ALLOWED')
  })

  it('needs a reason, changes something, and is for a task that goes on', () => {
    const { story, task } = begin()
    expect(refusal(story, ANA, rules(task, { reason: ' ' }))).toBe('REASON_MISSING')
    expect(refusal(story, ANA, rules(task, { rule: null }))).toBe('ALREADY_SO')
    story.put(ANA, rules(task))
    expect(refusal(story, ANA, rules(task))).toBe('ALREADY_SO')
    expect(refusal(story, ANA, rules(task, { rule: 'ask' }))).toBeNull()
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 's', reason: 'r' })
    expect(refusal(story, ANA, rules(task, { rule: 'ask' }))).toBe('TASK_OVER')
  })

  it('is one of so many at most', () => {
    const { story, task } = begin()
    for (let n = 0; n < TOOL_RULES_MAX; n++) story.put(ANA, rules(task, { tool: `tool-${n}` }))
    expect(refusal(story, ANA, rules(task, { tool: 'one-more' }))).toBe('TOO_LARGE')
    expect(refusal(story, ANA, rules(task, { tool: 'tool-0', rule: 'ask' }))).toBeNull()
    const over = decide(
      story.world,
      { id: 'a-try', by: ANA, command: rules(task, { tool: 'one-more' }) },
      story.world.at,
    )
    expect(over).toMatchObject({ ok: false, fault: { data: { limit: '100', size: '101' } } })
  })

  it('is told in the chat as what it is: allowed, to ask, off, or revoked', () => {
    const { story, task } = begin()
    const said = ['actAllowedTool', 'actToolAsks', 'actToolUrgent', 'actToolOff']
    const toldBy = (rule: CommandOf<'ruleTool'>['rule']): string => {
      const envelope = { id: 'a-try', by: ANA, command: rules(task, { rule }) }
      const decided = decide(story.world, envelope, story.world.at + 1)
      return decided.ok
        ? [...said, 'actToolRevoked'].filter((one) => JSON.stringify(decided.events).includes(`"${one}"`)).join()
        : 'refused'
    }
    expect([toldBy('allow'), toldBy('ask'), toldBy('urgent'), toldBy('off')]).toEqual(said)
    story.put(ANA, rules(task))
    expect(toldBy(null)).toBe('actToolRevoked')
  })

  it('decides nothing about a call that a person has decided on', () => {
    const { story, task } = begin()
    holds(story, task, 1)
    const [request] = asked(story)
    if (!request?.call) throw new Error('nothing was asked')
    const answer = { decision: 'refuse', text: 'no', arguments: null, digest: request.call.digest } as const
    story.put(ANA, { type: 'answerRequest', request: request.id, ...answer })
    expect(asked(story)).toEqual([])
    const decided = decide(story.world, { id: 'a-try', by: ANA, command: rules(task) }, story.world.at + 1)
    expect(decided.ok && decided.events.map(({ type }) => type)).not.toContain('request.answered')
    expect(decided.ok).toBe(true)
  })
})

describe('[R741] a tool that is allowed for an agent', () => {
  const ofReader = (more: Partial<CommandOf<'ruleTool'>> = {}) =>
    rules(BASE_TASK, { about: { agent: READER }, ...more })

  it('runs in every task without asking, and its step says that it was allowed for the agent', () => {
    const { story, task } = begin()
    story.put(ANA, ofReader())
    expect(story.world.agents[READER]?.toolRules).toMatchObject([{ rule: 'allow', by: ANA }])
    expect(holds(story, task, 1)).toMatchObject({ approvedBy: { by: ANA, allowed: 'agent' } })
    expect(asked(story)).toEqual([])
  })

  it('lets its calls run that wait, and those of no other agent', () => {
    const { story, task } = begin()
    holds(story, task, 1)
    story.put(ANA, rules(task, { about: { agent: MANAGER } }))
    expect(asked(story)).toHaveLength(1)
    story.put(ANA, ofReader())
    expect(asked(story)).toEqual([])
  })

  it('is allowed by operators alone, for an agent that is there', () => {
    const { story } = begin()
    expect(refusal(story, BEN, ofReader())).toBe('NOT_ALLOWED')
    expect(refusal(story, MANAGER, ofReader())).not.toBeNull()
    expect(refusal(story, ANA, ofReader({ about: { agent: asId<AgentId>('nobody') } }))).toBe('NOT_FOUND')
  })

  it('asks again when the agent left the team and came back', () => {
    const { story } = begin()
    story.put(ANA, ofReader())
    story.happens({ type: 'agent.removed', v: 1, agent: READER })
    expect(story.world.agents[READER]?.toolRules).toBeUndefined()
  })
})

describe('[R742] an allowed tool asks again', () => {
  it('at the end of its rule, which an entry removes, and not before', () => {
    const { story, task } = begin()
    const endsAt = story.world.at + 60_000
    expect(refusal(story, ANA, rules(task, { endsAt: story.world.at }))).toBe('BAD_INPUT')
    story.put(ANA, rules(task, { endsAt }))
    const due = selectDue(story.world).filter(({ command }) => command.type === 'endToolRule')
    expect(due).toEqual([
      { at: endsAt, command: { type: 'endToolRule', about: { task }, server: 'files', tool: 'write', endsAt } },
    ])
    const [first] = due
    if (!first) throw new Error('nothing is due')
    const eventsAt = (at: number) => {
      const decided = decide(story.world, { id: 'e', by: 'system:timer', command: first.command }, at)
      return decided.ok ? decided.events.map(({ type }) => type) : []
    }
    expect(eventsAt(endsAt - 1)).toEqual([])
    expect(eventsAt(endsAt)).toEqual(['task.toolRuled'])
    story.put(ANA, rules(task, { endsAt: null }))
    expect(eventsAt(endsAt)).toEqual([])
  })

  it('when the tool says something else of itself: the rule ends, people are asked, and the chat says so', () => {
    const { story, task } = begin()
    story.put(ANA, rules(task))
    holds(story, task, 1, { definition: 'another tool' })
    expect(asked(story)).toHaveLength(1)
    expect(story.world.tasks[task]?.toolRules).toEqual([])
    expect(linesOf(story.world, task)).toContain(
      'files.write is no longer allowed by Ana: what the tool says of itself has changed',
    )
  })

  it('also when the rule is set for what the tool was', () => {
    const { story, task } = begin()
    holds(story, task, 1, { definition: 'another tool' })
    story.put(ANA, rules(task))
    expect(asked(story)).toHaveLength(1)
    expect(refusal(story, ANA, rules(task, { tool: 'move', definition: null }))).toBe('BAD_INPUT')
  })
})

it('[R741] a tool that an operator turns off refuses what waits, in their name', () => {
  const { story, task } = begin()
  const step = holds(story, task, 1)
  story.put(ANA, rules(task, { rule: 'off', definition: null, reason: 'not here' }))
  expect(asked(story)).toEqual([])
  expect(stepIn(story.world.steps[task]?.[READER], step.id)).toMatchObject({
    state: 'failed',
    reason: 'refused by Ana: not here',
  })
})

it('[R741] a tool that asks as urgent alerts from the start', () => {
  const { story, task } = begin()
  story.put(ANA, rules(task, { rule: 'urgent', definition: null }))
  holds(story, task, 1)
  expect(asked(story).map(({ type }) => type)).toEqual(['urgent'])
})
