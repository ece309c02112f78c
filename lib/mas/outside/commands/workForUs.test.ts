/** Work that an agent of another system does for ours: what ends the wait for it, what does not, and what it asks meanwhile. */
import { describe, expect, it } from 'vitest'
import { locksOf, must, says, saysFyi, stepsOf, sync } from '@/test/stories'
import { outcomeOf, type Story, TEAM } from '@/test/worldHistories'
import { type AgentId, type MessageId, SYSTEM_TASK, type TaskId } from '../../ids'
import { selectBudget } from '../../limits/limits'
import { selectNextStep } from '../../members'
import type { StepRecord } from '../../records'
import { whyRefused } from '../../steps/commands/sync'
import type { SyncOutput } from '../../steps/outcome'
import { selectOutgoing } from '../outside'
import type { WorkState } from '../records'
import { ADAPTER, comesIn, delivered, messagesOf, outsider, readerWaits, withPeer } from './test/outsideStories'

const SHARED = 'conv-theirs'
const hears = (workState: WorkState, theirs: string, more: Parameters<typeof comesIn>[0] = {}) =>
  comesIn({ shared: SHARED, theirs, text: theirs, needReply: workState === 'input_required', workState, ...more })

function waits(): { story: Story; task: TaskId; agent: AgentId; message: MessageId } {
  const all = readerWaits()
  delivered(all.story, { shared: SHARED })
  return all
}

describe('what an agent outside says of the work that ours asked for', () => {
  it.each(['working', 'paused', 'stopped'] as const)(
    '[R180] that it is %s ends no wait and runs no step, whether or not it names the question',
    (state) => {
      const { story, task, agent, message } = waits()
      story.put(ADAPTER, hears(state, 'named', { inReplyTo: message }))
      story.put(ADAPTER, hears(state, 'not named'))
      expect(locksOf(story.world, TEAM.reader.id)).toMatchObject([{ on: agent, message }])
      expect(story.world.deliveries[task]?.[agent]?.[message]?.state).toBe('delivered')
      const told = messagesOf(story, task).filter(({ sender }) => sender === agent)
      expect(told.map(({ replyTo, type, workState }) => [replyTo, type, workState])).toEqual([
        [message, 'fyi', state],
        [message, 'fyi', state],
      ])
      expect(stepsOf(story.world, TEAM.reader.id, task).filter(({ state: of }) => of === 'init')).toEqual([])
      expect(selectBudget(story.world, task)?.talk ?? 0).toBe(1)
    },
  )

  it.each(['finished', 'failed'] as const)('[R180] that it has %s ends the wait', (state) => {
    const { story, agent, task, message } = waits()
    story.put(ADAPTER, hears('working', 'begun'))
    story.put(ADAPTER, hears(state, 'over', { inReplyTo: message }))
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
    expect(story.world.deliveries[task]?.[agent]?.[message]?.state).toBe('answered')
  })

  it('[R180] what it needs to know is asked of the agent that waits, which answers although it waits', () => {
    const { story, task, agent, message } = waits()
    story.put(ADAPTER, hears('input_required', 'Which price?', { inReplyTo: message }))
    expect(locksOf(story.world, TEAM.reader.id)).toHaveLength(1)
    const question = must(messagesOf(story, task).at(-1), 'question')
    expect(question).toMatchObject({ text: 'Which price?', type: 'urgent', receivers: [TEAM.reader.id] })
    const ran = must(
      story.run(TEAM.reader.id, () => saysFyi([], '3.50')),
      'reply',
    )
    expect(ran.answers?.message).toBe(question.id)
    expect(messagesOf(story, task).at(-1)).toMatchObject({ text: '3.50', replyTo: question.id, receivers: [agent] })
    // It answered, and waits on.
    expect(locksOf(story.world, TEAM.reader.id)).toMatchObject([{ on: agent, message }])
    expect(story.run(TEAM.reader.id, () => outcomeOf({}))).toBeNull()
    delivered(story)
    story.put(ADAPTER, hears('finished', 'over', { inReplyTo: message }))
    expect(locksOf(story.world, TEAM.reader.id)).toEqual([])
  })

  it('[R186] the files of an awaited result stand in the step that took it in, where later prompts read them', () => {
    const { story, task, message } = waits()
    const file = { name: 'report.md', body: { sha: 'c'.repeat(64), bytes: 7, mime: 'text/markdown', preview: '' } }
    const attachments = [{ ...file, savedAs: 'inbox/report.md' }]
    story.put(ADAPTER, hears('finished', 'It is done.', { inReplyTo: message, attachments }))
    expect(
      stepsOf(story.world, TEAM.reader.id, task).find(({ executor }) => executor === 'process_message')?.text,
    ).toBe('It is done.\n[attachment report.md, text/markdown, 7 bytes, saved as inbox/report.md]')
  })

  it('[R186] a manager makes an agent of a known system a member by its URI, before that agent was heard of', () => {
    const { story } = asked()
    const uri = 'agent://other.example/buyer'
    story.run(TEAM.manager.id, () => sync(joins(uri)))
    const task = must(
      Object.values(story.world.tasks).find(({ name }) => name === 'Buy'),
      'task',
    )
    expect(task.group.map((id) => story.world.agents[id]?.outside?.uri)).toContain(uri)
  })

  it.each(['agent://stranger.example/buyer', 'agent://other.example/*', 'agent://ours.example/reader'])(
    '[R186] %s is no agent of a known system: nobody is made of it',
    (uri) => {
      const { story, step } = asked()
      expect(whyRefused(story.world, step, joins(uri), story.world.at)).toContain(uri)
    },
  )

  it('[R180] the part of an agent outside lasts until its work has ended, and fails with it', () => {
    for (const [state, part] of [
      ['finished', 'finished'],
      ['failed', 'failed'],
    ] as const) {
      const { story, task, agent } = partOutside()
      const partNow = () => Object.values(story.world.stages[task] ?? {})[0]?.parts[agent]
      story.put(ADAPTER, hears('working', 'begun', { to: TEAM.manager.id }))
      expect(partNow()).not.toBe('finished')
      story.put(ADAPTER, hears(state, 'It is 7.', { to: TEAM.manager.id }))
      expect(partNow()).toBe(part)
    }
  })
})

/** A person asks the manager for work; step: the reply that it owes. */
function asked(): { story: Story; step: StepRecord } {
  const story = withPeer()
  story.ask()
  return { story, step: must(selectNextStep(story.world, TEAM.manager.id), 'reply') }
}

const joins = (uri: string): SyncOutput => ({
  task_instruction: {
    action: 'add_task',
    task_name: 'Buy',
    task_intention: 'buy',
    members: ['reader', uri],
    stages: [{ stage_intention: 'buy', agent_allocation: { reader: 'ask them' } }],
  },
})

/** The agent outside has the one part of a stage, and was asked for it. */
function partOutside(): { story: Story; task: TaskId; agent: AgentId } {
  const story = withPeer()
  story.put(ADAPTER, comesIn())
  const agent = outsider(story).id
  story.run(TEAM.reader.id, () => says([], { need_reply: false, waiting: false }))
  delivered(story)
  const made = must(
    story.put(TEAM.ana.id, {
      type: 'makeTask',
      name: 'Compare',
      intention: 'compare',
      manager: TEAM.manager.id,
      members: [agent],
      stages: [{ intention: 'compare', allocation: { [agent]: 'compare' } }],
      reason: 'needed',
    }),
    'decision',
  )
  const task = must(made.events.flatMap((event) => (event.type === 'task.added' ? [event.task] : []))[0], 'task')
  expect(messagesOf(story, task).some(({ sender }) => sender !== SYSTEM_TASK)).toBe(true)
  expect(selectOutgoing(story.world).some((one) => one.task === task)).toBe(true)
  delivered(story, { shared: SHARED })
  return { story, task, agent }
}
