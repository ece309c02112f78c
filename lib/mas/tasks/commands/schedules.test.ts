/** Requests asked again at set times: when, by whom, what is missed. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, LEE, MANAGER, must, READER, storyOf } from '@/test/stories'
import type { Story } from '@/test/worldHistories'
import { selectDue } from '../../asks/due'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import { event } from '../../events'
import { type AgentId, asId, type ScheduleId, type TaskId } from '../../ids'
import type { MessageRecord, ScheduleRecord } from '../../records'
import { LATE_MS, SCHEDULE_NAME_CHARACTERS, SCHEDULES_MOST, SCHEDULES_OF_ONE_MOST } from './schedules'

const HOUR = 3_600_000
const saves = (more: Partial<CommandOf<'saveSchedule'>> = {}): CommandOf<'saveSchedule'> => ({
  type: 'saveSchedule',
  schedule: null,
  name: 'Every morning',
  text: 'Compare the lists',
  attachments: [],
  template: null,
  cron: '0 9 * * *',
  timeZone: 'UTC',
  ...more,
})
const refusal = (story: Story, by: AgentId, command: Command): string => {
  const decided = decide(story.world, { id: 'refused', by, command }, story.world.at)
  return decided.ok ? 'done' : decided.fault.code
}
const only = (story: Story): ScheduleRecord => must(Object.values<ScheduleRecord>(story.world.schedules)[0], 'schedule')
const hourOf = (at: number | null): number => new Date(at ?? 0).getUTCHours()
const asked = (story: Story, text = 'Compare the lists'): MessageRecord[] =>
  Object.values<MessageRecord>(story.world.messages[must(story.world.baseTask, 'base task')] ?? {}).filter(
    (message) => message.text.startsWith(text) && message.sender === BEN,
  )
/** Wait until the next time of the only schedule, and `late` more; then the timer puts what is due. */
function comes(story: Story, late = 0): void {
  const next = must(only(story).next, 'next time')
  story.pass(next - story.world.at + late)
  for (const { at, command } of selectDue(story.world)) if (at === next) story.put('system:timer', command)
}

describe('[R128] a scheduled request', () => {
  it('is asked in its person’s name at each of its times, once, and knows the task that came of it', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(BEN, saves())
    const first = must(only(story).next, 'next time')
    expect(hourOf(first)).toBe(9)
    expect(selectDue(story.world)).toContainEqual({
      at: first,
      command: { type: 'askScheduled', schedule: only(story).id, due: first },
    })
    comes(story)
    expect(asked(story)).toMatchObject([{ text: 'Compare the lists', receivers: [MANAGER], type: 'action' }])
    expect(only(story)).toMatchObject({ next: first + 24 * HOUR, last: { due: first, message: asked(story)[0]?.id } })
    const [message] = asked(story)
    const requestedIn = { task: must(story.world.baseTask, 'base task'), thread: must(message, 'message').id }
    const work = {
      name: 'Lists',
      intention: 'Compare',
      manager: MANAGER,
      group: [MANAGER, BEN],
      base: false,
      load: false,
    }
    const task = asId<TaskId>('00000000-0000-4000-8000-00000000f00d')
    story.happens(event('task.added', { ...work, task, requestedBy: BEN, requestedIn }))
    expect(only(story).last?.task).toBe(task)
    const again: Command = { type: 'askScheduled', schedule: only(story).id, due: first }
    expect(refusal(story, 'system:timer' as AgentId, again)).toBe('ALREADY_SO')
  })

  it('counts in the time zone of its person, also over the change of the clocks', () => {
    const { story } = storyOf(goals('read', READER))
    story.pass(Date.UTC(2027, 2, 27, 12) - story.world.at)
    story.put(BEN, saves({ timeZone: 'Europe/Berlin' }))
    // On 28 March the clocks go forward: nine in the morning is an hour earlier by UTC.
    expect(new Date(only(story).next ?? 0).toISOString()).toBe('2027-03-28T07:00:00.000Z')
    story.put(BEN, saves({ schedule: only(story).id, timeZone: 'Asia/Shanghai' }))
    expect(new Date(only(story).next ?? 0).toISOString()).toBe('2027-03-28T01:00:00.000Z')
  })

  it('that was missed is asked once, with a note; within five minutes without one', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(BEN, saves())
    comes(story, LATE_MS - 60_000)
    expect(asked(story).at(-1)?.text).toBe('Compare the lists')
    const due = must(only(story).next, 'next time')
    comes(story, 3 * 24 * HOUR)
    expect(asked(story)).toHaveLength(2)
    expect(asked(story).at(-1)?.text).toBe(
      `Compare the lists\n\n(Asked late: this was due at ${new Date(due).toISOString()}.)`,
    )
    expect(only(story).next).toBeGreaterThan(story.world.at)
  })

  it('rests while it is paused; what was due meanwhile is not asked', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(BEN, saves())
    const schedule = only(story).id
    story.put(BEN, { type: 'pauseSchedule', schedule })
    expect(only(story)).toMatchObject({ next: null, paused: { by: BEN } })
    expect(selectDue(story.world).filter(({ command }) => command.type === 'askScheduled')).toEqual([])
    expect(refusal(story, BEN, { type: 'pauseSchedule', schedule })).toBe('ALREADY_SO')
    story.pass(50 * HOUR)
    story.put(BEN, { type: 'resumeSchedule', schedule })
    expect(only(story).next).toBeGreaterThan(story.world.at)
    expect(asked(story)).toEqual([])
  })

  it('is changed by its person and by operators, who leave it theirs; for others it does not exist', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(BEN, saves())
    const schedule = only(story).id
    expect(refusal(story, LEE, saves({ schedule }))).toBe('NOT_FOUND')
    expect(refusal(story, LEE, { type: 'removeSchedule', schedule })).toBe('NOT_FOUND')
    story.put(ANA, saves({ schedule, cron: '0 10 * * 1' }))
    expect(only(story)).toMatchObject({ of: BEN, cron: '0 10 * * 1' })
    story.put(ANA, { type: 'removeSchedule', schedule })
    expect(story.world.schedules).toEqual({})
  })

  it('stops with the reason when its person leaves the team', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(BEN, saves())
    const { id, next } = only(story)
    story.world = {
      ...story.world,
      agents: { ...story.world.agents, [BEN]: { ...must(story.world.agents[BEN], 'Ben'), access: 'none' } },
    }
    story.put('system:timer', { type: 'askScheduled', schedule: id, due: must(next, 'next time') })
    expect(only(story)).toMatchObject({ next: null, paused: { by: null, reason: 'Ben can no longer send requests' } })
    expect(asked(story)).toEqual([])
  })

  it('of somebody who is taken out of the team stops, and no other; one that they had paused stays as it was', () => {
    const { story } = storyOf(goals('read', READER))
    for (const [who, name] of [
      [BEN, 'runs'],
      [BEN, 'rests'],
      [LEE, 'of Lee'],
    ] as const)
      story.put(who, saves({ name }))
    const named = (name: string): ScheduleRecord =>
      must(
        Object.values<ScheduleRecord>(story.world.schedules).find((one) => one.name === name),
        name,
      )
    story.put(BEN, { type: 'pauseSchedule', schedule: named('rests').id })
    const id = must(story.world.agents[BEN]?.configId, 'id')
    story.put(ANA, { type: 'leaveTeam', id, seen: 0, handTo: null, reason: 'a new job' })
    expect(named('runs')).toMatchObject({ next: null, paused: { by: null } })
    expect(named('rests')).toMatchObject({ paused: { by: BEN } })
    expect(named('of Lee')).toMatchObject({ paused: null, next: expect.any(Number) })
  })

  it('has limits, each reached and passed', () => {
    const { story } = storyOf(goals('read', READER))
    for (const [fits, passes] of [
      [saves({ cron: '0 * * * *' }), saves({ cron: '0,59 * * * *' })],
      [saves({ cron: '0 9 29 2 *' }), saves({ cron: '0 9 31 2 *' })],
      [saves({ cron: '30 9 * * 1-5' }), saves({ cron: '0 30 9 * * 1-5' })],
      [saves(), saves({ cron: 'at nine' })],
      [saves(), saves({ timeZone: 'Europe/Nowhere' })],
      [
        saves({ name: 'x'.repeat(SCHEDULE_NAME_CHARACTERS) }),
        saves({ name: 'x'.repeat(SCHEDULE_NAME_CHARACTERS + 1) }),
      ],
      [saves({ text: 'x'.repeat(63 * 1024) }), saves({ text: 'x'.repeat(63 * 1024 + 1) })],
      [saves(), saves({ text: ' ' })],
    ] as const) {
      expect(refusal(story, BEN, fits)).toBe('done')
      expect(['TOO_LARGE', 'BAD_INPUT', 'EMPTY_TEXT']).toContain(refusal(story, BEN, passes))
    }
    const large = { id: 'large', by: BEN, command: saves({ text: 'x'.repeat(63 * 1024 + 1) }) }
    expect(decide(story.world, large, story.world.at)).toMatchObject({ fault: { data: { size: '64 KiB' } } })
    for (let n = 0; n < SCHEDULES_OF_ONE_MOST; n++) story.put(BEN, saves({ name: `S${n}` }))
    expect(refusal(story, BEN, saves())).toBe('BAD_INPUT')
    expect(refusal(story, LEE, saves())).toBe('done')
    // One that is there may be changed.
    expect(refusal(story, BEN, saves({ schedule: only(story).id, name: 'Another name' }))).toBe('done')
  })

  it('is one of two hundred of the whole team', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(BEN, saves())
    const one = only(story)
    const others = (count: number) =>
      Array.from({ length: count }, (_, n) => {
        const id = asId<ScheduleId>(`other-${n}`)
        return [id, { ...one, id, of: asId<AgentId>(`person-${n}`) }]
      })
    story.world = { ...story.world, schedules: Object.fromEntries(others(SCHEDULES_MOST - 1)) }
    expect(refusal(story, BEN, saves())).toBe('done')
    story.world = { ...story.world, schedules: Object.fromEntries(others(SCHEDULES_MOST)) }
    expect(refusal(story, BEN, saves())).toBe('BAD_INPUT')
  })

  it('is late from five minutes on, to the millisecond; it mentions nobody, and says that it asked', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(BEN, saves())
    const { id: schedule, next } = only(story)
    const due = must(next, 'next time')
    const at = (now: number) => {
      const command: Command = { type: 'askScheduled', schedule, due }
      const decided = decide(story.world, { id: 'asks', by: 'system:timer', command }, now)
      if (!decided.ok) throw decided.fault
      expect(decided.reply).toEqual({ schedule, asked: true })
      return decided.events.flatMap((one) => (one.type === 'message.sent' ? [one] : []))[0]
    }
    expect(at(due + LATE_MS - 1)).toMatchObject({ text: 'Compare the lists', mention: false })
    expect(at(due + LATE_MS)?.text).toMatch(/^Compare the lists\n\n\(Asked late/)
  })
})
