/** Several engines on one journal, with the true way between them: one decides, the others follow. */
import { describe, expect, it } from 'vitest'
import type { World } from '@/lib/mas/records'
import type { Ephemeral } from '@/lib/wire/views'
import { type FaultyStore, faultyStore } from '@/test/faultyStore'
import { handClock } from '@/test/handClock'
import { memoryData } from '@/test/memoryStore'
import type { TestEngine, TestEngineOptions } from '@/test/testEngine'
import { openTestNode, untilTold } from '@/test/testNodes'
import { BASE_TASK, outcomeOf, send, TEAM } from '@/test/worldHistories'
import type { SkillRun } from '../../skills/port'

const say = (text: string) => send(TEAM.ana.id, [TEAM.ben.id], { text })
const textsOf = ({ world }: TestEngine): string[] =>
  Object.values(world().messages[BASE_TASK] ?? {}).map(({ text }) => text)

const runs = (world: World): boolean => Boolean(world.work[TEAM.manager.id]?.running)
describe('two nodes', () => {
  it('[R248] a follower has the world of the node that decides, entry by entry, and sees whole decisions only', async () => {
    const data = memoryData()
    const north = await openTestNode(data, 'north')
    const south = await openTestNode(data, 'south')
    expect([north.engine.leads(), south.engine.leads()]).toEqual([true, false])
    const ends: number[] = []
    const seen: number[] = []
    north.engine.onDecision((entries) => ends.push(entries.at(-1)?.seq ?? 0))
    south.engine.onDecision((_, { seq }) => seen.push(seq))
    for (let n = 0; n < 30; n++) await north.put(TEAM.ana.id, say(`m${n}`))
    await south.until(({ seq }) => seq === north.world().seq)
    expect(south.world()).toEqual(north.world())
    for (const seq of seen) expect(ends).toContain(seq)
  })

  it('[R265] a follower that is asked reads first what was acknowledged before, also without a hint', async () => {
    const data = memoryData()
    const north = await openTestNode(data, 'north')
    const south = await openTestNode(data, 'south')
    data.lease.hints.clear()
    await north.put(TEAM.ana.id, say('of the north'))
    expect(textsOf(south)).toEqual([])
    await south.engine.caughtUp()
    expect(textsOf(south)).toEqual(['of the north'])
  })

  it('[R265] a follower that cannot read answers after one second with what it knows', async () => {
    const data = memoryData()
    await openTestNode(data, 'north')
    const clock = handClock()
    const south = await openTestNode(data, 'south', { clock })
    const thaw = south.freeze()
    let isAnswered = false
    const asked = south.engine.caughtUp().then(() => {
      isAnswered = true
    })
    clock.pass(999)
    await new Promise((resolve) => setImmediate(resolve))
    expect(isAnswered).toBe(false)
    clock.pass(1)
    await asked
    thaw()
  })

  it('[R249] what is done at a follower is decided by the other, answered when it is here, refused in the same words, and done once', async () => {
    const data = memoryData()
    const north = await openTestNode(data, 'north')
    const south = await openTestNode(data, 'south')
    const first = await south.put(TEAM.ana.id, say('from the south'), { id: 'c1' })
    if (!first.ok) throw first.fault
    expect(south.world().seq).toBeGreaterThanOrEqual(first.seq)
    expect(textsOf(south)).toEqual(['from the south'])
    expect(await north.put(TEAM.ana.id, say('from the south'), { id: 'c1' })).toEqual(first)
    expect(await south.put(TEAM.ana.id, say('from the south'), { id: 'c1' })).toEqual(first)
    const empty = await south.put(TEAM.ana.id, say(''), { id: 'c2' })
    const again = await north.put(TEAM.ana.id, say('now with words'), { id: 'c2' })
    expect(empty.ok ? null : [empty.fault.code, empty.fault.message]).toEqual(
      again.ok ? null : [again.fault.code, again.fault.message],
    )
    expect(empty.ok).toBe(false)
    expect(textsOf(north)).toEqual(['from the south'])
    const foreign = await south.put(TEAM.ana.id, say('x'), { id: 'timer:1' })
    expect(foreign.ok ? null : foreign.fault.code).toBe('COMMAND_ID_TAKEN')
  })

  it('[R521] what a person does is kept with their session at any node, and what the program does with none', async () => {
    const data = memoryData()
    const north = await openTestNode(data, 'north')
    const south = await openTestNode(data, 'south')
    await south.put(TEAM.ana.id, say('from the south'), { id: 'c1', session: 's1' })
    await north.put(TEAM.ana.id, say('from the north'), { id: 'c2', session: 's2' })
    await north.put(TEAM.ana.id, say('in no session'), { id: 'c3' })
    const kept = data.acts.map(({ first, session }) => [data.entries[first - 1]?.cause, session])
    expect(kept).toEqual([
      ['c1', 's1'],
      ['c2', 's2'],
      ['c3', null],
    ])
    expect(data.entries.some(({ by }) => by.startsWith('system:'))).toBe(true)
  })

  it('[R249] commands without an outcome go to the next deciding node, each once', async () => {
    const data = memoryData()
    const north = await openTestNode(data, 'north')
    const south = await openTestNode(data, 'south')
    const west = await openTestNode(data, 'west')
    const answers = Array.from({ length: 40 }, (_, n) =>
      [north, south, west][n % 3]?.put(TEAM.ana.id, say(`m${n}`), { id: `c${n}` }),
    )
    const stopping = north.stop()
    const more = Array.from({ length: 40 }, (_, n) => south.put(TEAM.ana.id, say(`n${n}`), { id: `d${n}` }))
    const all = await Promise.all([...answers, ...more])
    await stopping
    const refused = all.flatMap((answer) => (answer && !answer.ok ? [answer.fault.code] : []))
    // Only what came to a node that was stopping.
    expect(new Set(refused)).toEqual(new Set(refused.length > 0 ? ['STOPPING'] : []))
    expect(refused.length).toBeLessThanOrEqual(14)
    const leader = south.engine.leads() ? south : west
    await Promise.all([south, west].map((node) => node.until(({ seq }) => seq === leader.world().seq)))
    expect(south.world()).toEqual(west.world())
    const texts = textsOf(south)
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts.length).toBe(80 - refused.length)
  })

  it('[R247] a node whose lease was taken follows: its late append is refused, its steps are aborted, its world is that of the other', async () => {
    const data = memoryData()
    const aborted: boolean[] = []
    const skill = untilTold(({ signal }) => signal.addEventListener('abort', () => aborted.push(true)))
    const north = await openTestNode(data, 'north', { skill })
    const south = await openTestNode(data, 'south', { skill: () => outcomeOf({}) })
    await north.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'work' }))
    await north.until(runs)
    // As if it had stood still: it hears of nothing until it appends.
    const hints = [...data.lease.hints]
    data.lease.hints.clear()
    data.lease.isFree = true
    hints.at(-1)?.()
    await south.until(({ epoch }) => epoch === 2)
    const late = north.put(TEAM.ana.id, say('late'), { id: 'late' })
    await south.until(() => textsOf(south).includes('late'))
    for (const hint of hints) data.lease.hints.add(hint)
    for (const hint of hints) hint()
    expect((await late).ok).toBe(true)
    expect([north.engine.leads(), south.engine.leads()]).toEqual([false, true])
    await south.until((world) => !runs(world))
    await north.put(TEAM.ana.id, say('done'))
    await south.until(({ seq }) => seq === north.world().seq)
    expect(aborted).toHaveLength(1)
    expect(textsOf(south)).toEqual(['work', 'late', 'done'])
    expect(north.world()).toEqual(south.world())
  })

  it('[R263] a node that meets an entry of a newer version ends in one sentence and decides nothing, and the others go on', async () => {
    const data = memoryData()
    const north = await openTestNode(data, 'north')
    const broke: unknown[] = []
    const old = await openTestNode(data, 'old', { onBroken: (error) => broke.push(error) })
    const west = await openTestNode(data, 'west')
    // As the older version sees what the newer one wrote.
    const { read } = old.store.journal
    old.store.journal.read = async (...asked) =>
      (await read(...asked)).map((entry) =>
        entry.event.type === 'message.sent' ? { ...entry, event: { ...entry.event, v: 2 } } : entry,
      )
    const { seq } = north.world()
    expect((await north.put(TEAM.ana.id, say('of the newer one'))).ok).toBe(true)
    await expect.poll(() => broke.map(String)).toHaveLength(1)
    expect(String(broke[0])).toMatch(
      /entry \d+ is message.sent version 2, which this program does not know: start the newer/,
    )
    const refused = await old.put(TEAM.ana.id, say('from the old one'))
    expect(refused.ok ? null : refused.fault.code).toBe('STORE_BROKEN')
    await old.stop()
    expect((await west.put(TEAM.ana.id, say('and on'))).ok).toBe(true)
    await north.stop()
    await west.until(() => west.engine.leads())
    expect(textsOf(west)).toEqual(['of the newer one', 'and on'])
    expect(old.world().seq).toBe(seq)
  })

  it('[R263] a command that only a newer version knows waits for one that decides', async () => {
    const data = memoryData()
    const north = await openTestNode(data, 'north')
    const newer = await openTestNode(data, 'newer')
    const sing = { type: 'sing' } as unknown as Parameters<typeof newer.put>[1]
    const asked = newer.put('system:runner', sing, { id: 'outcome:x:1' })
    expect((await newer.put(TEAM.ana.id, say('beside it'))).ok).toBe(true)
    expect(await north.store.journal.outcome('outcome:x:1', 'system:runner')).toBeNull()
    await north.stop()
    // This one knows it no more than the other; that it decided about it shows that it was kept.
    expect(await asked).toMatchObject({ ok: false, fault: { code: 'NOT_ALLOWED' } })
  })

  it('[R247] who takes over after much was read keeps a snapshot at once, so that the next start need not read it again', async () => {
    const data = memoryData()
    const north = await openTestNode(data, 'north')
    const south = await openTestNode(data, 'south')
    const made = await north.put(TEAM.ana.id, {
      type: 'makeTask',
      name: 'Report',
      intention: 'Write it',
      manager: TEAM.manager.id,
      members: [],
      stages: [],
      reason: 'a test',
    })
    if (!made.ok) throw made.fault
    const task = Object.values(north.world().tasks).find(({ name }) => name === 'Report')?.id ?? BASE_TASK
    const { seq } = north.world()
    await Promise.all(
      Array.from({ length: 2_501 }, (_, n) =>
        north.put(TEAM.ana.id, { type: 'renameTask', task, name: `Report ${n}` }),
      ),
    )
    expect(north.world().seq).toBeGreaterThan(seq + 5_000)
    // As if north had been killed: it keeps no snapshot.
    data.lease.isFree = true
    for (const hint of data.lease.hints) hint()
    await south.until(({ epoch }) => epoch === 2)
    await expect.poll(() => data.snapshots.some((kept) => kept.seq > seq + 5_000)).toBe(true)
  })

  it.each(['its start', 'the configuration', 'the recovery of a step'])(
    '[R247] a takeover during which the store fails at %s goes on when it can be written again',
    async (at) => {
      const data = memoryData()
      const north = await openTestNode(data, 'north', { skill: untilTold(() => {}) })
      const broke: unknown[] = []
      const stores: FaultyStore[] = []
      const south = await openTestNode(data, 'south', {
        skill: () => outcomeOf({}),
        onBroken: (error) => broke.push(error),
        wrap(store) {
          const faulty = faultyStore(store)
          stores.push(faulty)
          return faulty
        },
      })
      await north.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'work' }))
      await south.until(runs)
      const before = { 'its start': 0, 'the configuration': 1, 'the recovery of a step': 2 }[at] ?? 0
      for (const store of stores) store.script(...Array.from({ length: before }, () => 'pass' as const), 'refuse')
      const [, hint = () => {}] = [...data.lease.hints]
      data.lease.hints.clear()
      data.lease.isFree = true
      hint()
      await expect.poll(() => south.engine.storeState().is).toBe('refusing')
      for (const store of stores) store.comeBack()
      await south.until((world) => !runs(world) && Object.keys(world.nodes).includes('south'))
      expect(south.engine.leads()).toBe(true)
      expect(broke).toEqual([])
    },
  )

  it('[R251] a step of an agent runs once for all nodes; the node that takes over recovers what the one that is gone ran', async () => {
    const data = memoryData()
    const ran: string[] = []
    const north = await openTestNode(data, 'north', { skill: untilTold(() => ran.push('north')) })
    const south = await openTestNode(data, 'south', {
      skill: () => {
        ran.push('south')
        return outcomeOf({})
      },
    })
    await south.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'work' }))
    await south.until(runs)
    await expect.poll(() => ran).toEqual(['north'])
    await north.stop()
    await south.until((world) => !runs(world) && ran.includes('south'))
    expect(Object.keys(south.world().nodes)).toEqual(['south'])
    expect(ran).toEqual(['north', 'south'])
  })

  it('[R250] streaming text and notes of one node reach the pages of the other, the beginning too for who comes late', async () => {
    const data = memoryData()
    let speak: (text: string) => void = () => {}
    let turnTo: SkillRun['onDoing'] = () => {}
    let end = (): void => {}
    let skill: NonNullable<TestEngineOptions['skill']> = () => null
    const begun = new Promise<void>((resolve) => {
      skill = untilTold((run, over) => {
        speak = run.onText
        turnTo = run.onDoing
        end = over
        resolve()
      })
    })
    const north = await openTestNode(data, 'north', { skill })
    await north.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'work' }))
    await begun
    speak('Hello ')
    turnTo({ what: 'queued', place: 3 })
    const south = await openTestNode(data, 'south')
    const step = north.world().work[TEAM.manager.id]?.running?.step ?? ''
    await expect.poll(() => south.engine.textOf(step)?.text).toBe('Hello ')
    expect(south.engine.doingOf(step)).toEqual(north.engine.doingOf(step))
    expect(south.engine.doingOf(step)).toMatchObject({ attempt: 1, what: 'queued', place: 3 })
    const heard: Ephemeral[] = []
    south.engine.onEphemeral((note) => heard.push(note))
    speak('world')
    await expect.poll(() => south.engine.textOf(step)?.text).toBe('Hello world')
    expect(heard).toMatchObject([{ kind: 'text', step, at: 6, text: 'world' }])
    turnTo({ what: 'asked' })
    await expect.poll(() => heard.at(-1)).toMatchObject({ kind: 'doing', step, what: 'asked' })
    const atNorth: Ephemeral[] = []
    north.engine.onEphemeral((note) => atNorth.push(note))
    south.engine.sendEphemeral({ kind: 'read', person: TEAM.ana.id, place: 'p', seq: 1 })
    south.engine.sendEphemeral({ kind: 'presence', person: TEAM.ana.id, presence: { state: 'online', quiet: null } })
    await expect.poll(() => atNorth.map(({ kind }) => kind)).toEqual(['read'])
    end()
    await south.until((world) => !runs(world))
    expect([south.engine.textOf(step), south.engine.doingOf(step)]).toEqual([null, null])
  })
})
