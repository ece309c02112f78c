/** Talks: private conversations of two. Who reads them, what can be done in them, what an agent takes in and out. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, LEE, MANAGER, must, READER, says, tell } from '@/test/stories'
import { openTask, outcomeOf, planned, Story, send } from '@/test/worldHistories'
import { canReadMessage, canReadStep, canSeeTask, taskAccessOf } from '../access/access'
import { isForReader, mayBeAskedIn } from '../access/visibility'
import { selectConfirmers } from '../asks/commands/confirm'
import { decide } from '../commands'
import type { Command } from '../commands/command'
import { event } from '../events'
import { type AgentId, asId, type TaskId } from '../ids'
import type { AgentRecord, MessageRecord, StepRecord } from '../records'
import { answerInfo } from '../steps/commands/askInfo'
import { stepsIn } from '../steps/ownSteps'
import { otherIn, selectTalk, selectTalkable } from './talks'

const open = (who: AgentId): Command => ({ type: 'openTalk', with: who })
const refusal = (story: Story, by: AgentId, command: Command): string => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? 'done' : decided.fault.code
}
const person = (story: Story, id: AgentId): AgentRecord => must(story.world.agents[id], 'person')
const messagesIn = (story: Story, task: TaskId): MessageRecord[] => Object.values(story.world.messages[task] ?? {})
const stepsOf = (story: Story, task: TaskId, agent: AgentId): StepRecord[] => stepsIn(story.world.steps[task]?.[agent])

/** Who has had a task with an agent knows it. */
const shareTask = (story: Story): void =>
  story.happens(
    event('task.added', {
      task: asId<TaskId>('00000000-0000-4000-8000-000000000777'),
      name: 'Shared',
      intention: 'to know each other',
      manager: MANAGER,
      group: [MANAGER, READER, BEN],
      base: false,
      requestedBy: null,
      requestedIn: null,
    }),
  )

/** Ben's talk with the reader, who has heard a word of his. */
function talkOf(other: AgentId = READER, by: AgentId = BEN): { story: Story; talk: TaskId } {
  const story = new Story()
  shareTask(story)
  story.put(by, open(other))
  const talk = must(selectTalk(story.world, by, other), 'talk').id
  story.put(by, send(by, [other], { task: talk, text: 'PRIVATEWORD' }))
  return { story, talk }
}

describe('[R815] a talk', () => {
  it('is a running task of exactly two, with no manager and no stages', () => {
    const { story, talk } = talkOf()
    expect(story.world.tasks[talk]).toMatchObject({ talk: true, manager: null, group: [BEN, READER], state: 'running' })
    expect(story.world.tasks[talk]?.stageOrder).toEqual([])
    expect(otherIn(must(story.world.tasks[talk], 'talk'), BEN)).toBe(READER)
    expect(otherIn(must(story.world.tasks[talk], 'talk'), LEE)).toBeNull()
  })

  it('is the same from both sides and however often it is opened', () => {
    const { story, talk } = talkOf(LEE)
    const again = story.put(LEE, open(BEN))
    expect(again?.events).toEqual([])
    expect(again?.reply).toEqual({ task: talk, made: false })
    story.put(BEN, open(ANA))
    expect(selectTalk(story.world, ANA, BEN)?.id).not.toBe(talk)
  })

  it('is begun with people and with agents that one knows, not with oneself, strangers or those who left', () => {
    const story = new Story()
    const known = (id: AgentId) => selectTalkable(story.world, person(story, id)).map(({ name }) => name)
    expect(known(BEN)).toEqual(expect.arrayContaining(['Ana', 'Lee']))
    expect(known(BEN)).not.toContain('Ben')
    expect(refusal(story, BEN, open(BEN))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, BEN, open(asId<AgentId>('nobody')))).toBe('RECEIVER_UNKNOWN')
    story.world = {
      ...story.world,
      tasks: {},
      agents: { ...story.world.agents, [LEE]: { ...person(story, LEE), removed: true } },
    }
    expect(known(BEN)).toEqual(['Ana'])
    expect(refusal(story, BEN, open(READER))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, ANA, open(READER))).toBe('done')
    expect(refusal(story, BEN, open(LEE))).toBe('RECEIVER_GONE')
  })
})

describe('[R816] what is in a talk', () => {
  it('is read by its two members, and by nobody else: operators, developers and participants alike', () => {
    const { story, talk } = talkOf()
    const developer: AgentRecord = { ...person(story, ANA), access: 'developer' }
    const [message] = messagesIn(story, talk)
    const [step] = stepsOf(story, talk, READER)
    const ways = (who: AgentRecord) => {
      const reach = taskAccessOf(story.world, who, talk)
      return [
        canSeeTask(story.world, who, talk),
        canReadMessage(reach, must(message, 'message')),
        canReadStep(reach, must(step, 'step')),
        mayBeAskedIn(story.world, talk, who.id),
      ]
    }
    expect(ways(person(story, BEN))).toEqual([true, true, true, true])
    for (const other of [person(story, ANA), developer, person(story, LEE)])
      expect(ways(other), other.name).toEqual([false, false, false, false])
    expect(message?.audience).toEqual({ members: [BEN, READER] })
  })

  it('is asked about nobody else: its person alone confirms a call', () => {
    const { story, talk } = talkOf()
    expect(selectConfirmers(story.world, { task: talk, thread: null })).toEqual([BEN])
    story.world = {
      ...story.world,
      agents: { ...story.world.agents, [BEN]: { ...person(story, BEN), access: 'none' } },
    }
    expect(selectConfirmers(story.world, { task: talk, thread: null })).toEqual([BEN])
  })

  it('stays with the one who is left when the other leaves the team', () => {
    const { story, talk } = talkOf(LEE)
    story.put('system:start', {
      ...must(
        story.envelopes.map(({ command }) => command).find((one) => one.type === 'applyConfig'),
        'configuration',
      ),
    } as Command)
    story.world = {
      ...story.world,
      agents: { ...story.world.agents, [LEE]: { ...person(story, LEE), removed: true, access: 'none' } },
    }
    expect(taskAccessOf(story.world, person(story, LEE), talk)).toBeNull()
    expect(taskAccessOf(story.world, person(story, BEN), talk)).not.toBeNull()
    expect(story.world.tasks[talk]?.group).toEqual([BEN, LEE])
  })

  it('[R815] is for nobody but its members, also if one of them, or both, were missing', () => {
    for (const group of [[BEN], []])
      expect([BEN, ANA].map((reader) => isForReader({ talk: true, group }, reader))).toEqual([
        group.includes(BEN),
        false,
      ])
  })
})

const reason = 'it is needed'
const acts = (task: TaskId): Command[] => [
  { type: 'pauseTask', task, reason },
  { type: 'finishTask', task, state: 'failed', summary: '', reason },
  { type: 'addStages', task, stages: [{ intention: 'read', allocation: { [READER]: 'read' } }], reason },
  { type: 'changeParticipants', task, add: [LEE], remove: [], reason },
  { type: 'changeManager', task, agent: ANA, reason },
  { type: 'renameTask', task, name: 'other' },
]

describe('[R817] a talk stays between two', () => {
  it('an operator in it cannot end, pause, rename or stage it, or add somebody', () => {
    const { story, talk } = talkOf(READER, ANA)
    for (const act of acts(talk)) expect([act.type, refusal(story, ANA, act)]).toEqual([act.type, 'TALK_FOR_TWO'])
  })

  it('for an operator outside of it, it is not there', () => {
    const { story, talk } = talkOf()
    for (const act of acts(talk)) expect([act.type, refusal(story, ANA, act)]).toEqual([act.type, 'NOT_FOUND'])
    expect(refusal(story, ANA, send(ANA, [READER], { task: talk }))).toBe('NOT_FOUND')
    expect(refusal(story, LEE, send(LEE, [READER], { task: talk }))).toBe('NOT_FOUND')
  })

  it('a wait in it is released by an operator, who reads nothing of it, and by no participant', () => {
    const { story, talk } = talkOf()
    story.run(READER, () => outcomeOf({ steps: { insert: [planned('send_message')], add: [] } }))
    story.run(READER, () => says([BEN], { waiting: true, need_reply: true, message: 'PRIVATEWORD?' }))
    const lock = story.world.work[READER]?.locks[0]
    if (lock?.task !== talk) {
      // The reply owed to Ben takes no lock of its own; the wait is made as an agent makes one.
      throw new Error('the reader does not wait')
    }
    const release: Command = { type: 'releaseWait', agent: READER, waiting: lock.id, reason }
    expect(refusal(story, LEE, release)).toBe('NOT_FOUND')
    expect(refusal(story, ANA, release)).toBe('done')
    story.put(ANA, release)
    expect(story.world.work[READER]?.locks).toEqual([])
  })
})

describe('[R818] an agent in a talk', () => {
  it('replies to each message, also to one that asks for nothing', () => {
    const { story, talk } = talkOf()
    expect(stepsOf(story, talk, READER).map(({ executor }) => executor)).toEqual(['send_message'])
    story.run(READER, () => says([BEN], { message: 'I am here.' }))
    expect(messagesIn(story, talk).map(({ text }) => text)).toEqual(['PRIVATEWORD', 'I am here.'])
    expect(messagesIn(story, talk).map(({ audience }) => audience)).toEqual([
      { members: [BEN, READER] },
      { members: [BEN, READER] },
    ])
  })

  it('makes no task and no agent of it', () => {
    const { story, talk } = talkOf(MANAGER)
    const before = Object.keys(story.world.tasks).length
    story.run(MANAGER, () => outcomeOf({ steps: { insert: [planned('task_manager')], add: [] } }))
    story.run(MANAGER, () =>
      tell({ action: 'add_task', task_name: 'Leak', task_intention: 'PRIVATEWORD', members: [READER] }),
    )
    expect(Object.keys(story.world.tasks)).toHaveLength(before)
    expect(stepsOf(story, talk, MANAGER).some(({ state, reason: why }) => state === 'failed' || why !== null)).toBe(
      true,
    )
  })

  it('is told there of no task, and elsewhere nothing of the talk', () => {
    const { story, talk } = talkOf()
    const work = must(openTask(story), 'task')
    const from = (task: TaskId) => ({ agent: READER, task, thread: null })
    const asked = (task: TaskId) =>
      [
        answerInfo(story.world, from(task), { type: 'my_tasks' }),
        answerInfo(story.world, from(task), { type: 'agent_states', agents: [READER] }),
        answerInfo(story.world, from(task), { type: 'messages', task_id: task === talk ? work : talk }),
        answerInfo(story.world, from(task), { type: 'task', task_id: task === talk ? work : talk }),
        answerInfo(story.world, from(task), { type: 'task', task_id: 'nothing' }),
      ].join('\n')
    const [inTalk, inWork] = [asked(talk), asked(work)]
    expect(inTalk).not.toContain('Compare')
    expect(inTalk).not.toContain('Shared')
    expect(inWork).not.toContain('PRIVATEWORD')
    expect(inWork).not.toContain(must(story.world.tasks[talk], 'talk').name)
    expect(answerInfo(story.world, from(talk), { type: 'messages' })).toContain('PRIVATEWORD')
    expect(inWork).toContain('Compare')
  })
})
