/** When a stage is judged: its parts are over, or one has failed and nothing else of it can move. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  answers,
  BEN,
  failed,
  goals,
  LEE,
  linesOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  requestOf,
  says,
  stageAt,
  stagesOf,
  stepNow,
  storyOf,
  submits,
  tell,
  todo,
} from '@/test/stories'
import { asks, teamOf } from '@/test/waitStories'
import { BASE_TASK, outcomeOf, planned, Story, send, teamConfig } from '@/test/worldHistories'

const isJudged = (story: Story): boolean => stageAt(story.world, 0).judging
const fails = (story: Story, agent = READER): void => {
  story.run(agent, () => failed('no format'))
}

describe('a stage with a part that failed', () => {
  it('is not judged while an agent has something to do in it', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    fails(story)
    expect([stageAt(story.world, 0).parts[READER], isJudged(story)]).toEqual(['failed', false])
    submits(story, ANALYST)
    expect(isJudged(story)).toBe(true)
  })

  it('is not judged while an agent waits for somebody', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    plans(story, ANALYST, 'send_message')
    story.run(ANALYST, () => says([BEN]))
    expect(todo(story.world, ANALYST)).toEqual([])
    fails(story)
    expect(isJudged(story)).toBe(false)
  })

  it('is not judged while an agent stands still at a limit', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    const file = teamConfig()
    story.put('system:start', { ...file, team: { ...file.team, limits: { ...file.team.limits, stepsPerPart: 2 } } })
    plans(story, ANALYST, 'think')
    story.run(ANALYST, () => outcomeOf({}))
    expect(requestOf(story, 'limit')).not.toBeNull()
    fails(story)
    expect(isJudged(story)).toBe(false)
  })

  it('is not judged while a person has their part', () => {
    const { story } = storyOf(goals('read', READER, BEN))
    fails(story)
    expect(isJudged(story)).toBe(false)
    story.put(BEN, answers(must(requestOf(story, 'part'), 'part'), 'done', 'all read'))
    expect(isJudged(story)).toBe(true)
  })

  it('is judged when the last one left is gone', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    const { world } = story
    const gone = { ...must(world.agents[ANALYST], 'analyst'), removed: true }
    story.world = { ...world, agents: { ...world.agents, [ANALYST]: gone } }
    submits(story, READER)
    expect(isJudged(story)).toBe(true)
  })

  it('of the base task never is', () => {
    const { story } = storyOf(goals('read', READER))
    const base = must(story.world.baseTask, 'base task')
    while (story.run(MANAGER, () => failed('no')) !== null) {}
    expect(stagesOf(story.world, base).map(({ judging, state }) => [judging, state])).toEqual([[false, 'running']])
  })
})

describe('a person who manages', () => {
  const judgedByBen = () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, { type: 'changeManager', task, agent: BEN, reason: 'he knows it' })
    submits(story, READER)
    return { story, task }
  }
  const open = (story: Story) => story.openRequests().filter(({ kind }) => kind === 'judge')

  it('is asked once, also when the task goes on after a pause', () => {
    const { story, task } = judgedByBen()
    story.put(ANA, { type: 'pauseTask', task, reason: 'lunch' })
    story.put(ANA, { type: 'resumeTask', task, reason: '' })
    expect(open(story)).toHaveLength(1)
  })

  it('is still asked about the stage that runs when stages are added, and no more about the task', () => {
    const { story, task } = judgedByBen()
    const adds = () =>
      story.put(ANA, {
        type: 'addStages',
        task,
        stages: [{ intention: 'more', allocation: { [READER]: 'more' } }],
        reason: 'more',
      })
    adds()
    expect(open(story)).toMatchObject([{ stage: stageAt(story.world, 0).id }])
    story.put(BEN, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'good' })
    expect(open(story)).toEqual([])
    story.put(BEN, { type: 'finishStage', stage: stageAt(story.world, 1).id, reason: 'good' })
    expect(open(story)).toMatchObject([{ stage: null, asked: [BEN] }])
    adds()
    expect(open(story)).toEqual([])
  })
})

describe('a member who leaves a task', () => {
  it('is asked no more what was put to them alone; what was put to others too stays', () => {
    const ring = teamOf(2)
    const { story, task } = ring
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    asks(ring, BEN)
    const request = must(requestOf(story, 'answer'), 'request')
    const { world } = story
    const both = { ...request, asked: [BEN, LEE] }
    story.world = { ...world, requests: { ...world.requests, [task]: { [request.id]: both } } }
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [BEN], reason: 'he goes' })
    expect(story.world.requests[task]?.[request.id]?.state).toBe('open')
    story.put(ANA, { type: 'changeParticipants', task, add: [BEN], remove: [LEE], reason: 'they change' })
    const { world: later } = story
    const alone = { ...must(later.requests[task]?.[request.id], 'request'), asked: [BEN] }
    story.world = { ...later, requests: { ...later.requests, [task]: { [request.id]: alone } } }
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [BEN], reason: 'he goes' })
    expect(story.world.requests[task]?.[request.id]?.state).toBe('superseded')
  })

  it('hears no replies: those who owe them one need not write it, and go on', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    story.put(BEN, send(BEN, [READER], { task, kind: 'action', text: 'Which?' }))
    plans(story, ANALYST, 'send_message', 'think')
    story.run(ANALYST, () => says([READER], { waiting: false }))
    expect(todo(story.world, READER)).toEqual(['planning', 'send_message', 'send_message'])
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [BEN], reason: 'he goes' })
    expect(todo(story.world, READER)).toEqual(['planning', 'send_message'])
  })

  it('with what waited in their queue leaves nobody waiting for it', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    story.put(ANA, { type: 'pauseAgent', agent: ANALYST, reason: 'lunch' })
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => says([ANALYST]))
    expect(story.world.work[READER]?.locks).toHaveLength(1)
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [ANALYST], reason: 'it goes' })
    expect(story.world.work[READER]?.locks).toEqual([])
    const said = messagesOf(story.world, task).find(({ sender }) => sender === READER)
    expect(story.world.deliveries[task]?.[ANALYST]?.[must(said, 'message').id]?.state).toBe('failed')
  })
})

describe('releasing a wait', () => {
  it('is for that very wait of that agent', () => {
    const ring = teamOf(2)
    const { story, members, task } = ring
    asks(ring, BEN)
    const [first, second] = [must(members[0], 'member'), must(members[1], 'member')]
    const lock = must(story.world.work[first]?.locks[0], 'lock')
    const release = (agent = first, waiting = lock.id, by = ANA) =>
      story.put(by, { type: 'releaseWait', agent, waiting, reason: 'it is late' })
    expect(release(first, 'none' as never)).toBeNull()
    expect(release(second)).toBeNull()
    expect(release(first, lock.id, BEN)).toBeNull()
    expect(release(first, lock.id, LEE)).toBeNull()
    expect(release()).not.toBeNull()
    expect(linesOf(story.world, task).at(-1)).toContain('Ben')
    expect(release()).toBeNull()
  })

  it('that nobody was asked for names nobody', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('files', 'tool')] } }))
    story.run(READER, () => outcomeOf({}))
    const tool = must(story.start(READER), 'tool')
    const sha = 'a'.repeat(64)
    const ref = { sha, bytes: 2, preview: '{}', mime: 'application/json' }
    story.put('system:runner', {
      type: 'holdStep',
      step: tool.id,
      attempt: 1,
      call: { server: 'files', tool: 'write', arguments: ref, digest: sha, changes: '' },
    })
    const lock = must(story.world.work[READER]?.locks[0], 'lock')
    story.put(ANA, { type: 'releaseWait', agent: READER, waiting: lock.id, reason: 'it is late' })
    expect(story.world.requests[task]?.[must(lock.request, 'request')]?.state).toBe('released')
    expect(todo(story.world, READER)[0]).toBe('tool_decision')
  })
})

describe('what a step leaves in its result', () => {
  const results = (outcome: ReturnType<typeof outcomeOf>) => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, 'think', 'think')
    const step = must(
      story.run(READER, () => outcome),
      'step',
    )
    return stepNow(story.world, step).result
  }

  it('is nothing made where nothing was made, and all that was', () => {
    expect(results(outcomeOf({}))?.made).toBeNull()
    const result = { kind: 'text' as const, text: 'said', body: null, made: { by: 'me' } }
    const sync = says([ANALYST], { waiting: false }).sync
    expect(results(outcomeOf({ result, sync }))?.made).toEqual({ by: 'me', message_id: expect.any(String) })
    expect(results(outcomeOf({ result: { ...result, made: ['a'] }, sync }))?.made).toEqual({
      message_id: expect.any(String),
    })
  })

  it('is a note before a long text, which keeps its body, and behind a short one', () => {
    const memory = [{ delete: '20200101T000000' }]
    const body = { sha: 'a'.repeat(64), bytes: 5_000, preview: 'x', mime: 'text/plain' }
    const long = results(outcomeOf({ memory, result: { kind: 'text', text: 'y'.repeat(400), body, made: null } }))
    expect(long?.body).toEqual(body)
    expect(long?.text).toMatch(/^[^y]*20200101T000000[^y]*\ny+$/)
    expect(long?.text).toHaveLength(400)
    const short = results(outcomeOf({ memory, result: { kind: 'text', text: 'short', body: null, made: null } }))
    expect(short?.text).toMatch(/^short\n.*20200101T000000/)
    // Nothing to note: it stays as it was.
    const result = { kind: 'text' as const, text: 'y', body, made: null }
    expect(results(outcomeOf({ result }))).toEqual(result)
  })
})

describe('a message that brought a step about', () => {
  it('is acknowledged when the step begins and done when it ends, unless it comes again', () => {
    const story = new Story()
    const tells = (text: string) => {
      story.put(ANA, send(ANA, [MANAGER], { text }))
      return must(messagesOf(story.world, BASE_TASK).at(-1), 'message').id
    }
    const one = tells('one')
    const stateOf = (id: typeof one) => story.world.deliveries[BASE_TASK]?.[MANAGER]?.[id]?.state
    expect(stateOf(one)).toBe('delivered')
    const step = must(story.start(MANAGER), 'step')
    expect(stateOf(one)).toBe('acknowledged')
    story.finish(step, outcomeOf({}))
    expect(stateOf(one)).toBe('done')
    const two = tells('two')
    const again = { kind: 'text' as const, text: 'more', body: null, made: { again: true } }
    while (stateOf(two) === 'delivered') story.run(MANAGER, () => outcomeOf({ result: again }))
    expect(stateOf(two)).toBe('acknowledged')
  })

  it('of a task that is no base task makes a task that nobody of ours asked for', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, send(ANA, [MANAGER], { task, text: 'Make another' }))
    story.run(MANAGER, () => tell({ action: 'add_task', task_name: 'Another', task_intention: 'x', members: [READER] }))
    const made = must(
      Object.values(story.world.tasks).find(({ name }) => name === 'Another'),
      'task',
    )
    expect(made).toMatchObject({ requestedBy: null, requestedIn: null, group: [MANAGER, READER] })
    story.put(ANA, { type: 'finishTask', task: made.id, state: 'finished', summary: 'done', reason: 'done' })
    expect(story.world.tasks[made.id]?.state).toBe('finished')
  })

  it('of a step that there is none is not found', () => {
    const { story } = storyOf(goals('read', READER))
    const outcome = outcomeOf({})
    const command = { type: 'finishStep', step: 'none' as never, attempt: 1, outcome, goOn: null } as const
    expect(story.put('system:runner', command)).toBeNull()
  })
})

describe('a message that answers nothing', () => {
  it('leaves the wait of its receiver as it is', () => {
    const ring = teamOf(1)
    const { story, task, members } = ring
    asks(ring, BEN)
    const asker = must(members[0], 'member')
    story.put(BEN, send(BEN, [asker], { task, text: 'by the way' }))
    expect(messagesOf(story.world, task).at(-1)).toMatchObject({ text: 'by the way', answersRequest: null })
    expect(story.world.work[asker]?.locks).toHaveLength(1)
  })

  it('does not confirm a call', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('files', 'tool')] } }))
    story.run(READER, () => outcomeOf({}))
    const tool = must(story.start(READER), 'tool')
    const sha = 'a'.repeat(64)
    const ref = { sha, bytes: 2, preview: '{}', mime: 'application/json' }
    const call = { server: 'files', tool: 'write', arguments: ref, digest: sha, changes: '' }
    story.put('system:runner', { type: 'holdStep', step: tool.id, attempt: 1, call })
    story.put(BEN, send(BEN, [READER], { task, text: 'yes', answers: 'oldest' }))
    expect(requestOf(story, 'confirm')).toMatchObject({ state: 'open' })
  })
})
