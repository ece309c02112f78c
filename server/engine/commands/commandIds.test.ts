/** A command id counts for its author alone: nobody hears of, stops or repeats what another one put. */
import { describe, expect, it } from 'vitest'
import { selectDue } from '@/lib/mas/asks/due'
import type { World } from '@/lib/mas/records'
import { handClock } from '@/test/handClock'
import { openTestEngine } from '@/test/testEngine'
import { BASE_TASK, send, TEAM } from '@/test/worldHistories'
import { timerId } from '../duties/timers'

const textsOf = (world: World): string[] => Object.values(world.messages[BASE_TASK] ?? {}).map(({ text }) => text)

describe('a command id that another author used first', () => {
  it('[R57] is refused without a word of what came of it, and the author hears the first outcome still', async () => {
    const { put, world } = await openTestEngine()
    const first = await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'private' }), { id: 'one-id-00' })
    const foreign = await put(TEAM.ben.id, send(TEAM.ben.id, [TEAM.ana.id], { text: 'mine' }), { id: 'one-id-00' })
    expect(foreign).toMatchObject({ ok: false, fault: { code: 'COMMAND_ID_TAKEN', data: undefined } })
    expect(textsOf(world())).not.toContain('mine')
    const again = await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'private' }), { id: 'one-id-00' })
    expect(again).toEqual(first)
  })

  it('[R57] is refused too when both come in the same moment', async () => {
    const { put, world } = await openTestEngine()
    const [ana, ben] = await Promise.all([
      put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text: 'hers' }), { id: 'one-id-00' }),
      put(TEAM.ben.id, send(TEAM.ben.id, [TEAM.ana.id], { text: 'his' }), { id: 'one-id-00' }),
    ])
    expect([ana.ok, ben.ok]).toEqual([true, false])
    expect(ben).toMatchObject({ fault: { code: 'COMMAND_ID_TAKEN' } })
    expect(textsOf(world())).toEqual(['hers'])
  })

  it('[R57] makes no records of the same ids, also when its first outcome is forgotten', async () => {
    const { put, store, world } = await openTestEngine()
    await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text: 'hers' }), { id: 'one-id-00', until: 1e15 })
    await store.journal.forgetOutcomes(1e16)
    const second = await put(TEAM.ben.id, send(TEAM.ben.id, [TEAM.ana.id], { text: 'his' }), { id: 'one-id-00' })
    expect(second.ok).toBe(true)
    expect(textsOf(world()).sort()).toEqual(['hers', 'his'])
  })
})

describe('the id of a timer, computed by somebody else', () => {
  it('[R57] [R27] stops no wait, though a command under that id was put before its time', async () => {
    const clock = handClock()
    const { put, until, world } = await openTestEngine({ clock })
    const due = clock.now() + 60_000
    await put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { kind: 'urgent', due }))
    const [one] = selectDue(world())
    if (!one) throw new Error('nothing is due')
    const id = timerId(one)
    const harmless = await put(TEAM.ben.id, send(TEAM.ben.id, [TEAM.manager.id], { text: 'harmless' }), { id })
    expect(harmless).toMatchObject({ ok: false, fault: { code: 'COMMAND_ID_TAKEN' } })
    const stateOf = (now: World): string | undefined => Object.values(now.requests[BASE_TASK] ?? {})[0]?.state
    clock.pass(59_000)
    expect(stateOf(world())).toBe('open')
    clock.pass(2_000)
    expect(stateOf(await until((now) => stateOf(now) !== 'open'))).toBe('expired')
  })
})
