/** Plans of a manager that people approve, change or send back before their stages begin. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  answers,
  BEN,
  goals,
  LEE,
  linesOf,
  locksOf,
  MANAGER,
  managerSays,
  must,
  READER,
  requestOf,
  saysFyi,
  stagesOf,
  stepNow,
  storyOf,
  submits,
  tell,
  todo,
  workTask,
} from '@/test/stories'
import { BASE_TASK, outcomeOf, planned as plannedStep, Story, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { CommandOf } from '../../commands/command'
import type { AgentId } from '../../ids'
import { PLAIN_QUESTION } from '../../messages/commands/personSends'
import { emptyWorld, type RequestRecord } from '../../records'
import { reduceAll } from '../../reduce/reduceAll'
import type { PlannedStage, TaskInstruction } from '../../steps/outcome'
import { selectTaskStop } from '../../waits/progress'

const add = (...stages: PlannedStage[]): TaskInstruction => ({
  action: 'add_task',
  task_name: 'Compare',
  task_intention: 'Compare the lists',
  members: [READER, ANALYST, BEN],
  stages,
  reply: 'I have begun.',
})

const wish = (sender: AgentId): CommandOf<'sendMessage'> => ({
  ...PLAIN_QUESTION,
  ...{ task: BASE_TASK, sender, receivers: [MANAGER], text: 'Compare the lists', attachments: [] },
  reviewPlans: true,
})

/** Somebody asks for work with a review of its plan, and the manager plans it. */
function planned(more: Partial<CommandOf<'sendMessage'>> = { reviewPlans: true }, by: AgentId = BEN) {
  const story = new Story()
  const request = { task: BASE_TASK, sender: by, receivers: [MANAGER], text: 'Compare the lists', attachments: [] }
  story.put(by, { ...PLAIN_QUESTION, ...request, ...more })
  const step = must(
    story.run(MANAGER, () => tell(add(goals('read', READER), goals('compare', ANALYST)))),
    'step',
  )
  return { story, step }
}
const plan = (story: Story): RequestRecord => must(requestOf(story, 'plan'), 'plan')
const tasks = (story: Story) => Object.values(story.world.tasks).filter(({ base }) => !base)
const faultOf = (story: Story, by: AgentId, command: CommandOf<'answerRequest'>): string | null => {
  const decided = decide(story.world, { id: 'try', by, command, bodies: [] }, 1_800_000_000_000)
  return decided.ok ? null : decided.fault.code
}
const changed = (request: RequestRecord, more: CommandOf<'answerRequest'>['plan']): CommandOf<'answerRequest'> => ({
  ...answers(request, 'approve_edited'),
  plan: more ?? [],
})

describe('[R830] the stages that a manager plans are held', () => {
  it('when the request asks for it: nothing begins, and who asked decides', () => {
    const { story, step } = planned()
    expect(tasks(story)).toEqual([])
    expect(stepNow(story.world, step)).toMatchObject({ state: 'pending', held: plan(story).id })
    expect(plan(story)).toMatchObject({
      type: 'approval',
      asked: [BEN],
      asker: MANAGER,
      question: 'Plan for Compare: 2 stages',
      plan: { stages: [{ intention: 'read', allocation: { [READER]: 'read it' } }, { intention: 'compare' }] },
    })
  })

  it('not when nobody asks for it, nor without stages', () => {
    const { story } = planned({})
    expect([tasks(story).length, requestOf(story, 'plan')]).toEqual([1, null])
    const bare = new Story()
    bare.put(ANA, wish(ANA))
    const task = { task_name: 'Compare', task_intention: 'Compare the lists', members: [READER] }
    bare.run(MANAGER, () => tell({ action: 'add_task', ...task }))
    expect([tasks(bare).length, requestOf(bare, 'plan')]).toEqual([1, null])
  })

  it('when the team or the template of the request wants it', () => {
    const config = teamConfig()
    const { story } = planned({})
    story.put('system:start', { ...config, team: { ...config.team, reviewPlans: true } })
    const task = workTask(story.world).id
    story.ask('more', BEN)
    managerSays(story, { action: 'add_stage', task_id: task, stages: [goals('again', READER)] })
    expect(plan(story)).toMatchObject({ asked: [BEN], question: 'More work in Compare: 1 stage' })

    const other = new Story()
    other.put(ANA, { type: 'saveTemplate', template: null, name: 'T', text: 'Compare', fields: [], reviewPlans: true })
    const [template] = Object.values(other.world.templates)
    other.put(ANA, {
      ...PLAIN_QUESTION,
      ...{ task: BASE_TASK, sender: ANA, receivers: [MANAGER], text: 'Compare', attachments: [] },
      fromTemplate: must(template, 'template').id,
    })
    other.run(MANAGER, () => tell(add(goals('read', READER))))
    expect(plan(other).asked).toEqual([ANA])
  })

  it('of a task that was so asked for also later, stages that are added and tried again', () => {
    const { story } = planned()
    story.put(BEN, answers(plan(story), 'approve'))
    const [first] = stagesOf(story.world)
    submits(story, READER)
    managerSays(story, {
      action: 'retry_stage',
      stage_id: must(first, 'stage').id,
      stages: [goals('read better', READER)],
    })
    expect(plan(story)).toMatchObject({ question: 'Another try in Compare: 1 stage', asked: [BEN] })
    expect(stagesOf(story.world)).toHaveLength(2)
    story.put(BEN, answers(plan(story), 'approve'))
    expect(stagesOf(story.world).map(({ state }) => state)).toEqual(['failed', 'running', 'init'])
  })

  it('fails as before when it could not be carried out', () => {
    const story = new Story()
    story.put(BEN, wish(BEN))
    const step = story.run(MANAGER, () => tell(add(goals('read', 'nobody' as AgentId))))
    expect([step && stepNow(story.world, step).state, requestOf(story, 'plan')]).toEqual(['failed', null])
  })

  it('put to the operators where nobody who asked can answer', () => {
    const { story } = planned()
    const config = teamConfig()
    story.put(BEN, answers(plan(story), 'approve'))
    story.put('system:start', { ...config, agents: config.agents.filter(({ id }) => id !== BEN) })
    const task = workTask(story.world).id
    story.ask('more', ANA)
    managerSays(story, { action: 'add_stage', task_id: task, stages: [goals('again', READER)] })
    expect(plan(story).asked).toEqual([ANA])
  })
})

describe('[R831] a plan that is approved', () => {
  it('begins in one decision: the task, its stages, the reply to who asked', () => {
    const { story, step } = planned()
    const cut = story.entries.length
    story.put(BEN, answers(plan(story), 'approve'))
    const events = story.entries.slice(cut).map(({ event }) => event.type)
    expect(new Set(story.entries.slice(cut).map(({ cause }) => cause)).size).toBe(1)
    expect(events).toEqual(expect.arrayContaining(['request.answered', 'task.added', 'stage.started', 'step.finished']))
    expect(stagesOf(story.world).map(({ state }) => state)).toEqual(['running', 'init'])
    expect(stepNow(story.world, step)).toMatchObject({ state: 'finished', held: null })
    expect(workTask(story.world)).toMatchObject({ reviewPlans: true, requestedBy: BEN })
    const said = Object.values(story.world.messages[BASE_TASK] ?? {}).find(({ sender }) => sender === MANAGER)
    expect(said).toMatchObject({ text: 'I have begun.', receivers: [BEN] })
  })

  it('with changes begins with these stages, and says so to the manager', () => {
    const { story, step } = planned()
    const stages = [
      { intention: 'read twice', allocation: { [READER]: 'a', [ANALYST]: 'b' }, needs: { [ANALYST]: [READER] } },
    ]
    const request = plan(story)
    story.put(BEN, changed(request, stages))
    expect(stagesOf(story.world)).toMatchObject([
      { intention: 'read twice', allocation: { [READER]: 'a', [ANALYST]: 'b' } },
    ])
    expect(story.world.requests[BASE_TASK]?.[request.id]?.answer).toMatchObject({
      decision: 'approve_edited',
      plan: stages,
    })
    expect(stepNow(story.world, step).result).toMatchObject({
      text: 'Ben changed the plan and approved it.',
      made: { edited_by: 'Ben', stages: [{ intention: 'read twice', parts: ['Reader: a', 'Analyst: b'] }] },
    })
  })

  it('with a part less drops what waits for it', () => {
    const { story } = planned()
    story.put(
      BEN,
      changed(plan(story), [{ intention: 'x', allocation: { [ANALYST]: 'b' }, needs: { [ANALYST]: [READER] } }]),
    )
    expect(stagesOf(story.world)[0]?.needs).toBeUndefined()
  })

  it('counts once: the slower of two learns who decided', () => {
    const { story } = planned()
    const request = plan(story)
    story.put(BEN, answers(request, 'approve'))
    expect(faultOf(story, ANA, { ...answers(request, 'refuse', 'no'), reason: 'late' })).toBe('REQUEST_OVER')
    expect(tasks(story)).toHaveLength(1)
  })

  it('is nothing to people who are not asked, and to operators only with a reason', () => {
    const { story } = planned()
    expect(faultOf(story, LEE, answers(plan(story), 'approve'))).toMatch(/NOT_FOUND|NOT_ASKED/)
    expect(faultOf(story, ANA, answers(plan(story), 'approve'))).toBe('REASON_MISSING')
    expect(faultOf(story, ANA, { ...answers(plan(story), 'approve'), reason: 'Ben is away' })).toBeNull()
  })

  it('is refused with stages that cannot begin, and stays open', () => {
    const { story } = planned()
    const request = plan(story)
    expect(faultOf(story, BEN, changed(request, []))).toBe('BAD_ARGUMENTS')
    expect(faultOf(story, BEN, changed(request, [{ intention: ' ', allocation: { [READER]: 'a' } }]))).toBe('BAD_INPUT')
    expect(faultOf(story, BEN, changed(request, [{ intention: 'x', allocation: {} }]))).toBe('BAD_INPUT')
    const gone = 'nobody' as AgentId
    expect(faultOf(story, BEN, changed(request, [{ intention: 'x', allocation: { [gone]: 'a' } }]))).toBe(
      'RECEIVER_UNKNOWN',
    )
    expect(faultOf(story, BEN, { ...changed(request, []), decision: 'approve' })).toBe('ARGUMENTS_UNUSED')
    expect(faultOf(story, BEN, { ...answers(request, 'approve'), plan: [] })).toBe('ARGUMENTS_UNUSED')
    expect(faultOf(story, BEN, answers(request, 'answer', 'yes'))).toBe('DECISION_UNFIT')
    expect(plan(story).state).toBe('open')
  })
})

describe('[R832] a plan that is sent back', () => {
  it('needs a comment, and runs the same step again with nothing begun', () => {
    const { story, step } = planned()
    const request = plan(story)
    expect(faultOf(story, BEN, answers(request, 'refuse', ' '))).toBe('REASON_MISSING')
    story.put(BEN, answers(request, 'refuse', 'Reader is enough.'))
    expect(stepNow(story.world, step)).toMatchObject({ state: 'init', held: null })
    const again = must(story.start(MANAGER), 'step')
    expect([again.id, again.attempt?.number]).toEqual([step.id, 2])
    story.finish(again, tell(add(goals('read all', READER))))
    expect(plan(story)).toMatchObject({ asked: [BEN], plan: { stages: [{ intention: 'read all' }] } })
    story.put(BEN, answers(plan(story), 'approve'))
    expect(stagesOf(story.world)).toMatchObject([{ intention: 'read all', state: 'running' }])
  })
})

describe('[R833] while a plan waits', () => {
  it('its manager works for others, and holds only what it was to do next in that thread', () => {
    const { story } = planned()
    expect(locksOf(story.world, MANAGER)).toEqual([])
    story.ask('Something else', ANA)
    const other = must(story.start(MANAGER), 'step')
    expect(other.answers?.to).toBe(ANA)
    story.finish(other, saysFyi([ANA]))
    expect(story.start(MANAGER)).toBeNull()
  })

  it('a question about it is answered', () => {
    const { story } = planned()
    story.put(BEN, { type: 'askBack', request: plan(story).id, text: 'Why the analyst?' })
    const reply = must(story.start(MANAGER), 'step')
    expect(reply.answers?.to).toBe(BEN)
  })

  it('the steps that follow it in its thread wait too', () => {
    const story = new Story()
    story.put(BEN, wish(BEN))
    const insert = [plannedStep('task_manager'), plannedStep('think')]
    story.run(MANAGER, () => outcomeOf({ steps: { insert, add: [] } }))
    story.run(MANAGER, () => tell(add(goals('read', READER))))
    expect(todo(story.world, MANAGER)).toEqual(['task_manager', 'think'])
    expect(story.start(MANAGER)).toBeNull()
    story.put(BEN, answers(plan(story), 'approve'))
    expect(story.start(MANAGER)?.executor).toBe('think')
  })

  it('the task waits for who is asked', () => {
    const { story } = planned()
    story.put(BEN, answers(plan(story), 'approve'))
    submits(story, READER)
    const [first] = stagesOf(story.world)
    managerSays(story, { action: 'retry_stage', stage_id: must(first, 'stage').id, stages: [goals('x', READER)] })
    expect(selectTaskStop(story.world, workTask(story.world))).toMatchObject({
      state: 'waiting',
      on: [BEN],
      request: plan(story).id,
    })
  })

  it('it ends with its step, and with its task', () => {
    const { story, step } = planned()
    const request = plan(story)
    story.put(ANA, { type: 'cancelStep', step: step.id, reason: 'not now' })
    expect(story.world.requests[BASE_TASK]?.[request.id]?.state).toBe('superseded')

    const { story: other, task } = storyOf(goals('read', READER))
    const config = teamConfig()
    other.put('system:start', { ...config, team: { ...config.team, reviewPlans: true } })
    submits(other, READER)
    const [first] = stagesOf(other.world)
    managerSays(other, { action: 'retry_stage', stage_id: must(first, 'stage').id, stages: [goals('x', READER)] })
    const held = plan(other)
    other.put(ANA, { type: 'finishTask', task, state: 'failed', summary: '', reason: 'enough' })
    expect(other.world.requests[task]?.[held.id]?.state).toBe('superseded')
    expect(linesOf(other.world, task).length).toBeGreaterThan(0)
  })

  it('a restart changes nothing: the journal alone brings it back, and it can be answered', () => {
    const { story } = planned()
    const restored = reduceAll(emptyWorld, story.entries)
    expect(restored).toEqual(story.world)
    const decided = decide(
      restored,
      { id: 'after', by: BEN, command: answers(plan(story), 'approve'), bodies: [] },
      1_800_000_000_000,
    )
    expect(decided.ok).toBe(true)
  })
})
