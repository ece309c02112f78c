/** What each answer of the journal comes to: told, decided again, or the end. */
import { describe, expect, it } from 'vitest'
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import { emptyWorld, type World } from '@/lib/mas/records'
import { faultyStore } from '@/test/faultyStore'
import { memoryStore } from '@/test/memoryStore'
import { send, TEAM, teamConfig } from '@/test/worldHistories'
import { type AppendAnswer, type Journal, type Lease, StoreBrokenError } from '../../store'
import { createCommandQueue } from '../commands/commandQueue'
import { type DecidedBatch, decideBatch } from '../commands/decideBatch'
import type { CommitAnswer } from '../port'
import { createJournalLease } from './journalLease'

const AT = 1_700_000_000_000

/** A lease on the journal of the test team. `instead`: what the journal answers to the next append. */
async function leased() {
  const store = faultyStore(memoryStore({ now: () => AT }))
  const told: { entries: Entry[]; world: World }[] = []
  const measured: [number, number][] = []
  const answers: Record<string, CommitAnswer> = {}
  const state: { now: number; instead: AppendAnswer | Error | null } = { now: 100, instead: null }
  const journal: Journal = {
    ...store.journal,
    async append(...given) {
      const { instead } = state
      state.now += 7
      state.instead = null
      if (instead instanceof Error) throw instead
      return instead ?? store.journal.append(...given)
    },
  }
  const lease = createJournalLease(
    {
      journal,
      node: 'n1',
      clock: () => state.now,
      onEntries: (entries, world) => told.push({ entries, world }),
      meter: {
        settled: () => {},
        queued: () => {},
        appended: (ms, entries) => void measured.push([ms, entries]),
      },
    },
    async () => {},
  )
  await lease.open(emptyWorld)
  const decide = (...envelopes: Envelope[]): DecidedBatch => {
    const queue = createCommandQueue()
    for (const envelope of envelopes) {
      queue.put({
        envelope,
        since: 0,
        settle(answer) {
          answers[envelope.id] = answer
        },
      })
    }
    const parts = { now: () => AT, clock: () => 0, onMistake: (error: unknown) => expect.fail(String(error)) }
    return decideBatch(lease.world(), queue, parts)
  }
  await lease.append(decide({ id: 'config', by: 'system:start', command: teamConfig() }))
  told.length = 0
  measured.length = 0
  return { lease, store, state, told, measured, answers, decide }
}
const message = (id: string): Envelope => ({
  id,
  by: TEAM.ana.id,
  command: send(TEAM.ana.id, [TEAM.ben.id], { text: id }),
})
const idsOf = (decisions: DecidedBatch['decisions']): string[] => decisions.map(({ item }) => item.id)

describe('an append that was written', () => {
  it('[R3] is told once with its entries and the world behind them, and each command has the number of its last entry', async () => {
    const { lease, told, answers, decide } = await leased()
    const before = lease.world().seq
    const batch = decide(message('m1'), { ...message('m2'), command: send(TEAM.ana.id, []) }, message('m3'))
    expect(await lease.append(batch)).toEqual([])
    const counts = batch.decisions.map(({ item }) => item.events.length)
    expect(counts[1]).toBe(0)
    const [first = 0, , third = 0] = counts
    expect(answers).toMatchObject({
      m1: { ok: true, seq: before + first },
      m2: { ok: false, fault: { code: 'NO_RECEIVERS' } },
      m3: { ok: true, seq: before + first + third },
    })
    expect(told).toHaveLength(1)
    expect(told[0]?.entries.map(({ seq }) => seq - before)).toEqual(
      Array.from({ length: first + third }, (_, n) => n + 1),
    )
    // The world that was decided is the one that is told: nothing is reduced twice.
    expect([told[0]?.world === batch.after, lease.world() === batch.after]).toEqual([true, true])
  })

  it('at another time than it was decided for is reduced anew, with the time of the journal', async () => {
    const { lease, state, decide } = await leased()
    const batch = decide(message('m1'))
    const count = batch.decisions[0]?.item.events.length ?? 0
    const first = lease.world().seq + 1
    state.instead = { r: 'OK', first, last: first + count - 1, at: AT + 5 }
    await lease.append(batch)
    expect(lease.world()).not.toBe(batch.after)
    expect([lease.world().at, lease.world().seq]).toEqual([AT + 5, first + count - 1])
  })

  it('without an entry is told to nobody but its own commands', async () => {
    const { lease, told, answers, decide } = await leased()
    await lease.append(decide({ ...message('m1'), command: send(TEAM.ana.id, []) }))
    expect(told).toEqual([])
    expect(answers.m1?.ok).toBe(false)
  })

  it('is counted with how long the journal took, ms, and how many entries it wrote', async () => {
    const { lease, measured, decide } = await leased()
    const batch = decide(message('m1'), message('m2'))
    await lease.append(batch)
    expect(measured).toEqual([[7, batch.decisions.flatMap(({ item }) => item.events).length]])
  })
})

describe('an append that was not written', () => {
  it('[R4] because some ids are known: these have their first outcome, the others are decided again', async () => {
    const { lease, state, answers, decide } = await leased()
    const batch = decide(...['again', 'refused', 'foreign', 'late', 'odd', 'new'].map(message))
    const fault = { code: 'NO_RECEIVERS', data: null, message: 'as it was said then' }
    const known = { seq: 4, at: 1, reply: { it: 1 } }
    state.instead = {
      r: 'SORT',
      bad: {
        again: { id: 'again', ...known },
        refused: { id: 'refused', seq: null, at: 1, fault },
        foreign: 'FOREIGN',
        late: 'EXPIRED',
        odd: { id: 'odd', seq: null, at: 1, fault: { ...fault, code: 'A_CODE_OF_LONG_AGO' } },
      },
    }
    expect(idsOf(await lease.append(batch))).toEqual(['new'])
    expect(answers).toMatchObject({
      again: { ok: true, seq: 4, reply: { it: 1 } },
      refused: { ok: false, fault: { code: 'NO_RECEIVERS', message: 'as it was said then' } },
      foreign: { ok: false, fault: { code: 'COMMAND_ID_TAKEN' } },
      late: { ok: false, fault: { code: 'EXPIRED' } },
      odd: { ok: false, fault: { code: 'INTERNAL' } },
    })
    expect(answers.new).toBeUndefined()
  })

  it('[R9] without an answer, or because this process miscounted: the journal is taken and read anew, and all is decided again', async () => {
    for (const trouble of ['lostBefore', 'MOVED'] as const) {
      const { lease, state, store, told, answers, decide } = await leased()
      const [epoch, before] = [lease.epoch(), lease.world().seq]
      if (trouble === 'MOVED') state.instead = { r: 'MOVED', seq: 99 }
      else store.script(trouble)
      expect([trouble, idsOf(await lease.append(decide(message('m1'))))]).toEqual([trouble, ['m1']])
      expect([lease.epoch(), answers.m1]).toEqual([epoch + 1, undefined])
      // The entry that says who took it.
      expect([lease.world().seq, told.flatMap(({ entries }) => entries.map(({ event }) => event.type))]).toEqual([
        before + 1,
        ['sequencer.took'],
      ])
    }
  })

  it('[R9] for any other reason is thrown, and nothing is taken', async () => {
    const { lease, state, decide } = await leased()
    const epoch = lease.epoch()
    const broken = new StoreBrokenError('append', new Error('full'))
    for (const error of [broken, new TypeError('a batch that breaks the rules')]) {
      state.instead = error
      await expect(lease.append(decide(message('m1')))).rejects.toBe(error)
    }
    state.instead = { r: 'FENCED', epoch: 9 }
    await expect(lease.append(decide(message('m1')))).rejects.toThrow('another process took the journal (epoch 9)')
    expect(lease.epoch()).toBe(epoch)
  })
})

describe('after trouble', () => {
  it('[R80] the journal is taken again where it holds all that was acknowledged, and not where it lacks an entry', async () => {
    const { lease, store } = await leased()
    const epoch = lease.epoch()
    await lease.takeAgain()
    expect(lease.epoch()).toBe(epoch + 1)
    const { seq, at } = lease.world()
    store.journal.head = async () => ({ seq: seq - 1, at, epoch: epoch + 1 })
    const other = createJournalLease(
      { journal: store.journal, node: 'n1', clock: () => 0, onEntries: () => {} },
      async () => {},
    )
    await other.open(lease.world())
    await expect(other.takeAgain()).rejects.toThrow(`the journal ends at ${seq - 1}, but`)
  })

  it('[R287] a node whose database lost what was acknowledged ends, whether it decides or follows', async () => {
    const { lease, store } = await leased()
    const end = lease.world().seq
    // A standby that was not synchronous took the place of the server.
    const shorter: Journal = { ...store.journal, take: async () => ({ epoch: 9, seq: end }) }
    const held: Lease = {
      hold: async () => ({ holder: null, seq: end - 1 }),
      onChange: () => () => {},
      release: async () => {},
    }
    for (const role of [{}, { lease: held }]) {
      const other = createJournalLease(
        { journal: shorter, ...role, node: 'n2', clock: () => 0, onEntries: () => {} },
        async () => {},
      )
      await expect(other.open(lease.world())).rejects.toThrow(`the journal ends at ${end - 1}, but ${end} was`)
      expect(other.leads()).toBe(false)
    }
  })
})
