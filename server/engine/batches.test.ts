/** Commands that are decided as one batch come to what they come to one by one. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decide } from '@/lib/mas/commands'
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry } from '@/lib/mas/events'
import { emptyWorld, type StepRecord, type World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import type { StepOutcome } from '@/lib/mas/steps/outcome'
import { memoryStore } from '@/test/memoryStore'
import { anyMoves, openTask, outcomeOf, Story, send, TEAM, walk } from '@/test/worldHistories'
import type { Journal, Store } from '../store'
import { type Committer, createCommitter } from './commands/committer'

const AT = 1_700_000_000_000
/** A journal begins with the entry of the node that takes it; steps are named by their places in it. */
const begun = (): Story => new Story({ ...emptyWorld, seq: 1 })

it('[R1] [R3] a batch comes to what its commands come to one by one, and no world that was shown changes afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(anyMoves(), fc.integer({ min: 2, max: 40 }), async (moves, size) => {
      const { envelopes } = walk(moves, undefined, begun())
      const shown: { entries: Entry[]; world: World; was: string }[] = []
      const committer = createCommitter({
        ...storeAt(AT),
        node: 'n1',
        now: () => AT,
        clock: () => 0,
        onEntries: (entries, world) => shown.push({ entries, world, was: JSON.stringify(world) }),
        onBroken: (error) => expect.fail(String(error)),
        onMistake: (error) => expect.fail(String(error)),
      })
      await committer.open(emptyWorld)
      for (let n = 0; n < envelopes.length; n += size)
        await Promise.all(envelopes.slice(n, n + size).map((envelope) => committer.commit(envelope)))

      let world = emptyWorld
      for (const { entries, world: after, was } of shown) {
        expect(JSON.stringify(after)).toBe(was)
        for (const { cause, own } of byCause(entries)) {
          const envelope = envelopes.find(({ id }) => id === cause)
          if (envelope) expect(decide(world, envelope, AT)).toMatchObject({ events: own.map(({ event }) => event) })
          for (const entry of own) world = reduceEntry(world, entry)
        }
        expect(after).toEqual(world)
      }
      await committer.close()
    }),
    { numRuns: process.env.CONVENE_ALL ? 300 : 40 },
  )
})

function storeAt(at: number): { journal: Journal; health: Store } {
  const health = memoryStore({ now: () => at })
  return { journal: health.journal, health }
}

function byCause(entries: readonly Entry[]): { cause: string; own: Entry[] }[] {
  const groups: { cause: string; own: Entry[] }[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last?.cause === entry.cause) last.own.push(entry)
    else groups.push({ cause: entry.cause, own: [entry] })
  }
  return groups
}

/** A committer whose world is that of the story; each of its commands was a batch of its own. */
async function committerOf(story: Story): Promise<Committer> {
  const committer = createCommitter({
    ...storeAt(AT),
    node: 'n1',
    now: () => AT,
    clock: () => 0,
    onEntries() {},
    onBroken: (error) => expect.fail(String(error)),
    onMistake() {},
  })
  await committer.open(emptyWorld)
  for (const envelope of story.envelopes) await committer.commit(envelope)
  return committer
}

/** Two agents of one task whose steps run. */
function twoAtWork(): { story: Story; first: StepRecord; second: StepRecord } {
  const story = begun()
  const task = openTask(story)
  if (task === null) throw new Error('there is no task')
  story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.reader.id, TEAM.analyst.id], { task }))
  const [first, second] = [story.start(TEAM.reader.id), story.start(TEAM.analyst.id)]
  if (!first || !second) throw new Error('nobody has work')
  return { story, first, second }
}

const finish = ({ id, task, agent, attempt }: StepRecord, outcome: StepOutcome): Envelope => ({
  id: `finish-${id}`,
  by: 'system:runner',
  command: { type: 'finishStep', step: id, near: { task, agent }, attempt: attempt?.number ?? 0, outcome, goOn: null },
})
const sharing = (content: string): StepOutcome => outcomeOf({ sync: { send_shared_info: { content } } })

it('[R3] of an outcome that could not be decided nothing stays, and what its batch decided before it does', async () => {
  const { story, first, second } = twoAtWork()
  const committer = await committerOf(story)
  const broken: StepOutcome = {
    ...sharing('half'),
    get steps(): never {
      throw new Error('broken half-way')
    },
  }
  const answers = await Promise.all([
    committer.commit(finish(first, sharing('whole'))),
    committer.commit(finish(second, broken)),
  ])
  expect(answers.map(({ ok }) => ok)).toEqual([true, false])
  const lines = committer.world().info[first.task]?.map(({ content }) => content)
  expect(lines).toContain('whole')
  expect(lines).not.toContain('half')
})

it('[R25] a wait that is blocked by the second decision of a batch is told', async () => {
  const { story, first, second } = twoAtWork()
  story.put(TEAM.ana.id, { type: 'pauseAgent', agent: TEAM.manager.id, reason: 'for now' })
  const committer = await committerOf(story)
  const told = (): number =>
    Object.values(committer.world().messages[first.task] ?? {}).filter(({ dispatch }) =>
      dispatch.startsWith('blocked:'),
    ).length
  const asks = outcomeOf({
    sync: {
      send_message: {
        receiver: [TEAM.manager.id],
        message: 'Which list?',
        stage_relative: 'no_relative',
        need_reply: true,
        waiting: true,
      },
    },
  })
  expect(told()).toBe(0)
  await Promise.all([committer.commit(finish(first, sharing('done'))), committer.commit(finish(second, asks))])
  expect(committer.world().work[TEAM.analyst.id]?.locks).toHaveLength(1)
  expect(told()).toBe(1)
})

it('[R75] the loop turns between deciding, appending and telling when each takes long, and nobody waits for it when none does', async () => {
  for (const workMs of [50, 0]) {
    const { journal, health } = storeAt(AT)
    let at = 1_000
    let turns = 0
    const seen: Record<string, number> = {}
    const works = (what: string): void => {
      at += workMs
      seen[what] = turns
    }
    const committer = createCommitter({
      health,
      journal: {
        ...journal,
        append: (...given) => {
          works('append')
          return journal.append(...given)
        },
      },
      node: 'n1',
      now: () => AT,
      clock: () => at,
      onEntries: () => works('tell'),
      onBroken: (error) => expect.fail(String(error)),
      onMistake: (error) => expect.fail(String(error)),
      meter: { settled() {}, queued: () => works('decide'), appended() {} },
    })
    await committer.open(emptyWorld)
    const story = begun()
    const [config] = story.envelopes
    if (config === undefined) throw new Error('a story begins with its configuration')
    let isOver = false
    const turn = (): void => {
      turns += 1
      if (!isOver) setImmediate(turn)
    }
    turn()
    expect((await committer.commit(config)).ok).toBe(true)
    isOver = true
    const { decide = 0, append = 0, tell = 0 } = seen
    if (workMs === 0) expect([append, tell]).toEqual([decide, decide])
    else expect([append > decide, tell > append]).toEqual([true, true])
  }
})

it('an outcome is decided after at most four commands of people, however many more wait', async () => {
  const { story, first } = twoAtWork()
  let at = 0
  const committer = createCommitter({
    ...storeAt(AT),
    node: 'n1',
    now: () => AT,
    // Deciding takes so long that each command is a batch of its own.
    clock: () => {
      at += 3
      return at
    },
    onEntries() {},
    onBroken: (error) => expect.fail(String(error)),
    onMistake: (error) => expect.fail(String(error)),
  })
  await committer.open(emptyWorld)
  for (const envelope of story.envelopes) await committer.commit(envelope)
  const { ana, reader, analyst } = TEAM
  const order: string[] = []
  const put = (who: string, envelope: Envelope): Promise<unknown> =>
    committer.commit(envelope).then(({ ok }) => order.push(ok ? who : `${who} refused`))
  const people = Array.from({ length: 12 }, (_, n) =>
    put('person', {
      id: `wish-${n}`,
      by: ana.id,
      command: send(ana.id, [reader.id, analyst.id], { task: first.task }),
    }),
  )
  const outcome = put('agent', finish(first, sharing('whole')))
  await Promise.all([...people, outcome])
  expect(order).toHaveLength(13)
  expect(order).not.toContain('person refused')
  expect(order.indexOf('agent')).toBeLessThanOrEqual(4)
  // And a person never stands behind a crowd of outcomes.
  expect(order[0]).toBe('person')
})
