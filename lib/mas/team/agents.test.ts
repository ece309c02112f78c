/** What an agent does now, and the agent that an id means. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { apply, having, like, sampleWorld } from '@/test/sampleWorld'
import type { EventShape } from '../events'
import { type AgentId, asId, type PeerId, type StageId, type StepId, type TaskId } from '../ids'
import {
  findStep,
  isOperator,
  isPresent,
  managesTask,
  resolveAgent,
  resolveStage,
  resolveTask,
  selectName,
  selectStepsInOrder,
  selectWorkingState,
} from './agents'

const { task, agent, step, stage } = sampleShapeOf('step.added')
const { config } = sampleShapeOf('agent.created')
const other = asId<AgentId>('00000000-0000-4000-8000-0000000000aa')
const second = asId<StepId>('second')
const elsewhere = asId<TaskId>('elsewhere')
const added = (change: Partial<EventShape<'step.added'>>) => like('step.added', change)
const person = having(
  sampleWorld,
  like('agent.created', {
    agent: other,
    config: { ...config, id: other, kind: 'human', configId: 'ana', access: 'operator' },
  }),
)

describe('the working state', () => {
  it('is waiting before working before idle', () => {
    expect(selectWorkingState(sampleWorld, agent)).toBe('working')
    expect(selectWorkingState(having(sampleWorld, like('step.started')), agent)).toBe('working')
    expect(selectWorkingState(having(sampleWorld, like('step.finished')), agent)).toBe('idle')
    expect(selectWorkingState(having(sampleWorld, like('lock.added')), agent)).toBe('waiting')
    expect(selectWorkingState(sampleWorld, other)).toBe('idle')
  })
})

describe('who somebody is', () => {
  it('is read from the record', () => {
    expect([isOperator(person, other), isOperator(person, agent)]).toEqual([true, false])
    expect([isPresent(person, other), isPresent(person, asId<AgentId>('x'))]).toEqual([true, false])
    expect(isPresent(having(person, like('agent.removed')), agent)).toBe(false)
    expect([
      selectName(person, agent),
      selectName(person, 'system:task'),
      selectName(person, asId<AgentId>('x')),
    ]).toEqual(['Reader', 'system:task', 'x'])
  })

  it('is a manager while a task of theirs is not over; a conversation is none', () => {
    expect([managesTask(sampleWorld, agent), managesTask(sampleWorld, other)]).toEqual([true, false])
    expect(managesTask(having(sampleWorld, like('task.finished')), agent)).toBe(false)
    expect(managesTask(apply(sampleWorld, like('task.added', { conversation: true })), agent)).toBe(false)
    const two = having(sampleWorld, like('task.added', { task: elsewhere, manager: other }))
    expect([managesTask(two, agent), managesTask(two, other)]).toEqual([true, true])
  })

  it('is meant by an id, a configured id, a prefixed id or a URI, and by nothing inherited', () => {
    const uri = 'agent://other.example/x'
    const outsider = asId<AgentId>('00000000-0000-4000-8000-0000000000ee')
    const world = having(
      person,
      like('agent.created', {
        agent: outsider,
        config: {
          ...config,
          id: outsider,
          configId: 'outsider',
          kind: 'outside',
          outside: { peer: asId<PeerId>('p'), uri },
        },
      }),
    )
    for (const text of [other, ` ${other} `, `HumanAgent_${other}`, 'ana'])
      expect(resolveAgent(world, text)?.id).toBe(other)
    expect(resolveAgent(world, uri)?.id).toBe(outsider)
    expect(resolveAgent(world, 'reader')?.id).toBe(agent)
    for (const text of ['constructor', 'nobody', '']) expect(resolveAgent(world, text)).toBeNull()
    expect([resolveTask(world, `TaskState_${task}`)?.id, resolveTask(world, 'constructor')]).toEqual([task, null])
    expect([
      resolveStage(world, task, `StageState_${stage}`)?.id,
      resolveStage(world, elsewhere, String(stage)),
    ]).toEqual([stage, null])
  })
})

describe('a step', () => {
  it('is found where it is said to be, where it runs, and anywhere else', () => {
    const world = having(sampleWorld, added({ step: second, agent: other }))
    expect(findStep(world, second, { task, agent: other })?.id).toBe(second)
    expect(findStep(world, second, { task, agent })?.id).toBe(second)
    expect(findStep(world, step)?.id).toBe(step)
    expect(findStep(having(world, like('step.started')), step)?.state).toBe('running')
    expect(findStep(having(world, like('step.started')), second)?.id).toBe(second)
    expect(findStep(world, asId<StepId>('none'))).toBeNull()
  })

  it('stands with the others of its stage in the order they ran or will run', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => asId<StepId>(id)) as [StepId, StepId, StepId]
    const two = asId<StageId>('two')
    const world = having(
      sampleWorld,
      added({ step: a }),
      added({ step: b, stage: two }),
      like('step.added', { step: c, position: 0 }),
      like('step.started', { step: a }),
    )
    const ids = (of: StageId | null | undefined) => selectStepsInOrder(world, task, agent, of).map(({ id }) => id)
    expect(ids(undefined)).toEqual([a, c, step, b])
    expect(ids(stage)).toEqual([a, c, step])
    expect(ids(two)).toEqual([b])
    expect(ids(null)).toEqual([])
    const cancelled = having(world, like('step.cancelled', { step: c }))
    expect(selectStepsInOrder(cancelled, task, agent, stage).map(({ id }) => id)).toEqual([a, c, step])
    expect(selectStepsInOrder(world, task, other, undefined)).toEqual([])
  })
})
