/** Waits in a running engine: a circle of agents opens by itself, a due time is fired by the timer. */
import { describe, expect, it } from 'vitest'
import type { Command } from '@/lib/mas/commands/command'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { StepOutcome } from '@/lib/mas/steps/outcome'
import { selectWaits } from '@/lib/mas/waits/waits'
import { handClock } from '@/test/handClock'
import { openTestEngine } from '@/test/testEngine'
import { BASE_TASK, outcomeOf, planned, send, TEAM } from '@/test/worldHistories'

const other = (agent: AgentId): AgentId => (agent === TEAM.reader.id ? TEAM.analyst.id : TEAM.reader.id)
const message = (agent: AgentId, waiting: boolean): StepOutcome =>
  outcomeOf({
    sync: {
      send_message: {
        receiver: [other(agent)],
        message: waiting ? 'Which columns?' : 'All of them.',
        stage_relative: 'no_relative',
        need_reply: waiting,
        waiting,
      },
    },
  })
const makeTask: Command = {
  type: 'makeTask',
  name: 'Import',
  intention: 'Import the list',
  manager: TEAM.manager.id,
  members: [TEAM.reader.id, TEAM.analyst.id],
  stages: [{ intention: 'import', allocation: { [TEAM.reader.id]: 'read', [TEAM.analyst.id]: 'count' } }],
  reason: 'a test',
}
const partsOf = (world: World): string[] =>
  Object.values(world.stages).flatMap((stages) =>
    Object.values(stages).flatMap((stage) => (stage.intention === 'import' ? Object.values(stage.parts) : [])),
  )

describe('two agents that ask each other at once', () => {
  it('[R26] answer each other though both are locked, and go on to the end of their parts', async () => {
    let asking = 0
    let go: () => void = () => {}
    const both = new Promise<void>((resolve) => {
      go = resolve
    })
    const { engine, put, until } = await openTestEngine({
      skill: async (step) => {
        if (step.executor === 'planning')
          return outcomeOf({ steps: { insert: [], add: [planned('send_message'), planned('summary')] } })
        if (step.executor === 'summary')
          return outcomeOf({ sync: { update_stage_agent_completion: { summary: 'done' } } })
        if (step.executor !== 'send_message') return null
        if (step.answers !== null) return message(step.agent, false)
        asking += 1
        if (asking === 2) go()
        // Neither question is out before both are being written, or there would be no circle.
        await both
        return message(step.agent, true)
      },
    })
    const circles: number[] = []
    engine.onDecision((_, world) => {
      circles.push(selectWaits(world).edges.filter(({ state }) => state === 'circle').length)
    })
    expect((await put(TEAM.ana.id, makeTask)).ok).toBe(true)
    const world = await until((now) => partsOf(now).length === 2 && partsOf(now).every((part) => part === 'finished'))
    expect(Math.max(...circles)).toBe(2)
    expect(selectWaits(world).edges).toEqual([])
  })
})

describe('a question that is due', () => {
  it('[R27] expires by the timer when its time comes, and not before', async () => {
    const clock = handClock()
    const { put, until, world } = await openTestEngine({ clock })
    const due = clock.now() + 60_000
    await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { kind: 'action', due }))
    const stateOf = (now: World): string | undefined => Object.values(now.requests[BASE_TASK] ?? {})[0]?.state
    clock.pass(59_000)
    expect(stateOf(world())).toBe('open')
    clock.pass(2_000)
    expect(stateOf(await until((now) => stateOf(now) !== 'open'))).toBe('expired')
  })

  it('[R4] [R27] over a clock that goes an hour ahead and back: times never go back, commands count, a question has its time', async () => {
    const hands = handClock()
    let ahead = 0
    const clock = { ...hands, now: () => hands.now() + ahead }
    const { engine, put, until, world, store } = await openTestEngine({ clock })
    const hello = send(TEAM.ana.id, [TEAM.ben.id], { text: 'hello' })
    const due = clock.now() + 7_200_000
    await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { kind: 'action', due }))
    ahead = 3_600_000
    expect(await put(TEAM.ana.id, hello, { until: clock.now() + 30_000 })).toMatchObject({ ok: true })
    ahead = 0
    const beat = Math.max(clock.now(), engine.world().at)
    expect(beat).toBe(clock.now() + 3_600_000)
    expect(await put(TEAM.ana.id, hello, { until: beat + 30_000 })).toMatchObject({ ok: true })
    const states = (now: World): string[] =>
      Object.values(now.requests[BASE_TASK] ?? {}).map((request) => request.state)
    hands.pass(7_199_000)
    expect(states(world())).not.toContain('expired')
    hands.pass(2_000)
    await until((now) => states(now).includes('expired'))
    const times = (await store.journal.read(0, 1_000)).map(({ at }) => at)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })
})
