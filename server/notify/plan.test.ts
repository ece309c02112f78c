/** Who is notified when: each time just before and when it is reached, each rule with a second person. */
import { describe, expect, it } from 'vitest'
import type { Command } from '@/lib/mas/commands/command'
import { type AgentId, asId, type MessageId } from '@/lib/mas/ids'
import { OWN_CHANNELS, type RequestRecord } from '@/lib/mas/records'
import { notifyTimes } from '@/test/notifyServices'
import { BASE_TASK, Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import { planNotices } from './plan'

const KIM_CONFIG = {
  ...TEAM.lee,
  id: asId<AgentId>('00000000-0000-4000-8000-000000000009'),
  configId: 'kim',
  name: 'Kim',
}
const [ANA, BEN, LEE, KIM] = [TEAM.ana.id, TEAM.ben.id, TEAM.lee.id, KIM_CONFIG.id]
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]
const NAMES = new Map<AgentId, string>([...Object.values(TEAM), KIM_CONFIG].map(({ id, name }) => [id, name]))

type Situation = Parameters<typeof planNotices>[2]
const situation = (more: Partial<Situation> = {}): Situation => ({
  node: 'n1',
  times: notifyTimes,
  escalation: [],
  channelsOf: () => ['webhook'],
  goneSince: () => null,
  restOf: () => ({ isResting: false, until: null, lets: true }),
  rulesOf: () => ({}),
  ...more,
})

/** These people are one role group of operators. */
function storyWith(group: readonly AgentId[] = []): Story {
  const story = new Story()
  const config = teamConfig()
  const agents = [...config.agents, KIM_CONFIG].map((agent) =>
    group.includes(agent.id) ? { ...agent, groups: ['leads'], access: 'operator' as const } : agent,
  )
  story.put('system:start', { ...config, agents } satisfies Command)
  return story
}

/** out: the message, and when it came */
function put(story: Story, from: AgentId, to: AgentId, isUrgent: boolean): { message: MessageId; since: number } {
  const decided = story.put(from, send(from, [to], { text: 'Come', kind: isUrgent ? 'urgent' : 'action' }))
  const sent = decided?.ok ? decided.events.find(({ type }) => type === 'message.sent') : undefined
  if (sent?.type !== 'message.sent') throw new Error('no message was sent')
  return { message: sent.message, since: story.world.at }
}

/** "seconds after `since`: what, whom, how", earliest first. */
const plan = (story: Story, since: number, afterMs: number, situation: Situation): string[] =>
  planNotices(story.world, since + afterMs, situation)
    .map(({ at, command }) => {
      const seconds = (at - since) / SECOND
      switch (command.type) {
        case 'attemptNotice': {
          const { channel, person, outcome, rung, items } = command
          return `${seconds}: ${channel} ${NAMES.get(person)} ${outcome} ${rung} (${items.length})`
        }
        case 'escalate':
          return `${seconds}: from ${NAMES.get(command.from)} to ${NAMES.get(command.to)}`
        default:
          return `${seconds}: ${command.type}`
      }
    })
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))

describe('the own channels of a person who is asked urgently', () => {
  const story = storyWith()
  const { since } = put(story, LEE, BEN, true)

  it('[R43] are used when the time for the open page has passed, and not before', () => {
    expect(plan(story, since, 60 * SECOND - 1, situation())).toEqual(['60: none Ben began 1 (1)'])
    expect(plan(story, since, 60 * SECOND, situation())).toEqual([
      '60: webhook Ben began 1 (1)',
      '360: none Ben began 2 (1)',
    ])
  })

  it('[R43] are used sooner when no page is open: from the arrival, or from the close of the last page', () => {
    const gone = (at: number) => situation({ goneSince: () => since + at })
    expect(plan(story, since, 5 * SECOND - 1, gone(-HOUR))).toEqual(['5: none Ben began 1 (1)'])
    expect(plan(story, since, 5 * SECOND, gone(-HOUR))).toContain('5: webhook Ben began 1 (1)')
    expect(plan(story, since, 25 * SECOND - 1, gone(20 * SECOND))).toEqual(['25: none Ben began 1 (1)'])
    expect(plan(story, since, 25 * SECOND, gone(20 * SECOND))).toContain('25: webhook Ben began 1 (1)')
    // Never later than with an open page.
    expect(plan(story, since, 60 * SECOND, gone(59 * SECOND))).toContain('60: webhook Ben began 1 (1)')
  })

  it('[R43] are used again after each pause, up to the end; of several missed times the latest counts', () => {
    const until = (untilMs: number) => situation({ times: { ...notifyTimes, untilMs } })
    expect(plan(story, since, 11 * MINUTE, until(11 * MINUTE))).toEqual(['660: webhook Ben began 3 (1)'])
    expect(plan(story, since, 11 * MINUTE, until(11 * MINUTE - 1))).toEqual(['360: webhook Ben began 2 (1)'])
    expect(plan(story, since, 11 * MINUTE - 1, until(11 * MINUTE))).toEqual([
      '360: webhook Ben began 2 (1)',
      '660: none Ben began 3 (1)',
    ])
  })

  it('are all used; somebody without any is marked', () => {
    expect(plan(story, since, MINUTE, situation({ channelsOf: () => OWN_CHANNELS }))).toEqual([
      ...['email', 'push', 'webhook'].map((channel) => `60: ${channel} Ben began 1 (1)`),
      '360: none Ben began 2 (1)',
    ])
    expect(plan(story, since, MINUTE, situation({ channelsOf: () => [] }))).toEqual(['60: none Ben missing 1 (1)'])
  })

  it('[R44] wait for the end of do-not-disturb, for ever where it has none, unless an Urgent may break through', () => {
    const resting = (until: number | null, lets = false) =>
      situation({ restOf: () => ({ isResting: true, until, lets }) })
    expect(plan(story, since, MINUTE, resting(since + 10 * MINUTE))).toEqual([
      '60: none Ben held 1 (1)',
      '600: none Ben began 1 (1)',
    ])
    expect(plan(story, since, MINUTE, resting(null))).toEqual(['60: none Ben held 1 (1)'])
    expect(plan(story, since, MINUTE, resting(null, true))).toContain('60: webhook Ben began 1 (1)')
  })
})

it('[R44] a person who asked to be reminded later is told nothing before, and from then on', () => {
  const story = storyWith()
  const { message } = put(story, LEE, BEN, true)
  story.put(BEN, { type: 'remindMe', about: { message }, minutes: 60 })
  const later = story.world.at + HOUR
  expect(planNotices(story.world, later - 1, situation())).toEqual([])
  expect(planNotices(story.world, later, situation())).not.toEqual([])
})

describe('the next member of the role group', () => {
  const policy = situation({ escalation: [{ group: 'leads', afterMs: 2 * MINUTE }] })
  const nexts = (story: Story, since: number) => plan(story, since, 0, policy).filter((line) => line.includes('from'))

  it('[R45] is asked after the time of the policy: the one who follows, and after the last the first', () => {
    const story = storyWith([BEN, LEE, KIM])
    const { since } = put(story, ANA, BEN, true)
    expect(nexts(story, since)).toEqual(['120: from Ben to Lee'])
    const other = storyWith([BEN, LEE, KIM])
    const last = put(other, ANA, KIM, true)
    expect(nexts(other, last.since)).toEqual(['120: from Kim to Ben'])
  })

  it('[R45] is asked once for each person; the one after the next is asked for the next', () => {
    const story = storyWith([BEN, LEE, KIM])
    const { message, since } = put(story, ANA, BEN, true)
    const [asked] = Object.values(story.world.requests[BASE_TASK] ?? {}).filter((one) => one.message === message)
    if (!asked) throw new Error('Ben is asked')
    story.put('system:notify', { type: 'escalate', task: BASE_TASK, request: asked.id, from: BEN, to: LEE })
    expect(nexts(story, since).map((line) => line.replace(/^\d+: /, ''))).toEqual(['from Lee to Kim'])
  })

  it('[R45] is nobody where the person is in no group of a policy, or alone in it', () => {
    for (const group of [[], [LEE, KIM], [BEN]]) {
      const story = storyWith(group)
      const { since } = put(story, ANA, BEN, true)
      expect(nexts(story, since)).toEqual([])
    }
  })
})

it('[R45] what was acknowledged and not answered alerts again after its time, where there is one', () => {
  const story = storyWith()
  const { message } = put(story, LEE, BEN, true)
  story.put(BEN, { type: 'acknowledge', message })
  const since = story.world.at
  expect(plan(story, since, 0, situation())).toEqual(['900: raiseAgain'])
  expect(plan(story, since, 0, situation({ times: { ...notifyTimes, raiseAgainMs: 0 } }))).toEqual([])
})

it('[R740] an approval becomes urgent after its time, once for all who are asked, where there is one', () => {
  const story = storyWith()
  const { message, since } = put(story, LEE, BEN, false)
  const requests = story.world.requests[BASE_TASK] ?? {}
  const asked = Object.values<RequestRecord>(requests).find((one) => one.message === message)
  if (!asked) throw new Error('Ben is asked')
  const approval = { ...asked, type: 'approval' as const, asked: [BEN, KIM] }
  const world = { ...story.world, requests: { [BASE_TASK]: { ...requests, [asked.id]: approval } } }
  const urgeOf = (afterMs: number) =>
    planNotices(world, since, situation({ times: { ...notifyTimes, approvalUrgentAfterMs: afterMs } })).filter(
      ({ command }) => command.type === 'urgeDue',
    )
  const command = { type: 'urgeDue', task: BASE_TASK, request: asked.id, since: asked.openedAt }
  expect(urgeOf(60_000)).toEqual([{ at: asked.openedAt + 60_000, command }])
  expect(urgeOf(0)).toEqual([])
})

describe('an Action that is open for hours', () => {
  const story = storyWith()
  const { since } = put(story, LEE, BEN, false)
  const gone = (more: Partial<Situation> = {}) => situation({ goneSince: () => since, ...more })

  it('[R43] is told to somebody without an open page, by one channel, and to nobody else', () => {
    expect(plan(story, since, 0, gone({ channelsOf: () => ['webhook', 'email'] }))).toEqual([
      '14400: webhook Ben began 1 (1)',
    ])
    expect(plan(story, since, 4 * HOUR, gone())).toEqual(['14400: webhook Ben began 1 (1)'])
    expect(plan(story, since, 4 * HOUR, situation())).toEqual([])
    expect(plan(story, since, 4 * HOUR, gone({ channelsOf: () => [] }))).toEqual([])
    expect(plan(story, since, 4 * HOUR, gone({ times: { ...notifyTimes, openMs: 0 } }))).toEqual([])
  })

  it('[R44] waits for the end of do-not-disturb, and is not told where it has none', () => {
    const resting = (until: number | null) => gone({ restOf: () => ({ isResting: true, until, lets: true }) })
    expect(plan(story, since, 4 * HOUR, resting(since + 5 * HOUR))).toEqual(['18000: webhook Ben began 1 (1)'])
    expect(plan(story, since, 4 * HOUR, resting(since + HOUR))).toEqual(['14400: webhook Ben began 1 (1)'])
    expect(plan(story, since, 4 * HOUR, resting(null))).toEqual([])
  })
})
