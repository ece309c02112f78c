/** What single rows of a tree say: the chip of each state, who waits for whom, how often it was tried, what lies before and after. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { event } from '@/lib/mas/events'
import type { AgentId, StageId, StepId } from '@/lib/mas/ids'
import type { StepRecord, World } from '@/lib/mas/records'
import type { StepSeed } from '@/lib/mas/steps/events'
import type { TreeRow, TreeTotals } from '@/lib/wire/rows'
import { AGENTS, beginning, idAt, PEOPLE, TASKS } from '@/test/histories'
import {
  added,
  agentWith,
  begun,
  eight,
  fails,
  locked,
  newId,
  over,
  play,
  playOn,
  request,
  rowsOf,
  STAGE,
  stageWith,
  step,
  taskWith,
} from './test/rowsWorld'
import { TREE_STEPS } from './tree'

const tree = (world: World, view = `tree:${TASKS.build}`): TreeRow[] => rowsOf(world, PEOPLE.ana, view) as TreeRow[]
const rowIn = (world: World, id: string) => tree(world).find((row) => row.id === id)
const totalsOf = (world: World) => rowsOf(world, PEOPLE.ana, `tree:${TASKS.build}`)[0] as TreeTotals
const shareOf = (world: World, agent: AgentId = AGENTS.coder) => rowIn(world, `${STAGE}/${agent}`)
const stageOf = (world: World) => rowIn(world, STAGE)
const runs = event('stage.started', { task: TASKS.build, stage: STAGE })
/** The step of Coder's in the world, changed. */
const stepWith = (world: World, id: StepId, more: Partial<StepRecord>): World => {
  const own = world.steps[TASKS.build]?.[AGENTS.coder]
  const changed = Object.assign({}, own?.[id], more)
  const branch = Object.assign({}, own, { [id]: changed })
  return {
    ...world,
    steps: { ...world.steps, [TASKS.build]: { ...world.steps[TASKS.build], [AGENTS.coder]: branch } },
  }
}
const paused = { by: PEOPLE.ana, reason: 'look', at: 77 }

describe('the row of a step', () => {
  it('[M4] has the chip of its state: to come, held back, running, done, failed', () => {
    const id = newId<StepId>()
    const world = play(added(step(id)))
    const chips = (['init', 'pending', 'running', 'finished', 'failed'] as const).map(
      (state) => rowIn(stepWith(world, id, { state }), id)?.chip,
    )
    expect(chips).toEqual(['idle', 'idle', 'running', 'done', 'failed'])
    expect(rowIn(stepWith(world, id, { state: 'pending', held: newId() }), id)?.chip).toBe('waiting')
  })

  it('[M4] says since when and for whom its agent waits with it, and no other step of the agent does', () => {
    const [asks, next] = eight<StepId>()
    const ended = [begun(step(asks)), over(step(asks))]
    const world = play(
      added(step(asks), step(next)),
      [runs, ...ended],
      [locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { step: asks, stage: STAGE })],
    )
    const since = world.work[AGENTS.coder]?.locks[0]?.at
    expect(rowIn(world, asks)).toMatchObject({ chip: 'blocked', waitsFor: [{ name: 'Ben' }], waitingSince: since })
    expect(rowIn(world, next)).toMatchObject({ chip: 'idle', waitsFor: [], waitingSince: null })
    expect(since).toBeGreaterThan(0)
  })

  it('[M4] counts its tries back to the first one, up to fifty', () => {
    const [first, second, third] = eight<StepId>()
    const world = play(added(step(first), step(second, { retryOf: first }), step(third, { retryOf: second })))
    expect([first, second, third].map((id) => rowIn(world, id)?.attempt)).toEqual([1, 2, 3])
    // What it repeats may have left the world.
    const alone = newId<StepId>()
    expect(rowIn(play(added(step(alone, { retryOf: first }))), alone)?.attempt).toBe(2)
    const many = Array.from({ length: 52 }, () => newId<StepId>())
    const chain = play(added(...many.map((id, at) => step(id, { retryOf: many[at - 1] ?? null }))))
    expect([48, 49, 50, 51].map((at) => rowIn(chain, many[at] ?? '')?.attempt)).toEqual([49, 50, 50, 50])
  })

  it('[M4] of a tool is being written only while what writes it runs, and nothing came of it yet', () => {
    const [writes, tool] = eight<StepId>()
    const writer = step(writes, { executor: 'instruction_generation', boundTo: tool })
    const called = step(tool, { kind: 'tool', executor: 'files', boundTo: writes })
    const writing = play(added(writer, called), [begun(writer)])
    expect(rowIn(writing, tool)?.chip).toBe('running')
    expect(rowIn(play(added(writer, called)), tool)?.chip).toBe('idle')
    expect(rowIn(playOn(writing, [over(writer)]), tool)?.chip).toBe('idle')
    const chip = (more: Partial<StepRecord>) => rowIn(stepWith(writing, tool, more), tool)?.chip
    expect(chip({ boundTo: null })).toBe('idle')
    expect(chip({ held: newId() })).toBe('waiting')
    expect(chip({ startedAt: 9, state: 'running' })).toBe('running')
    expect(chip({ startedAt: 9, state: 'failed' })).toBe('failed')
    expect(chip({ endedAt: 9, state: 'failed' })).toBe('failed')
    expect(chip({ type: 'skill' })).toBe('idle')
  })

  it('[M4] has the call as its name only when it is a call; else its intention, else who does it', () => {
    const id = newId<StepId>()
    const preview = bodyOf(JSON.stringify({ path: 'a.csv' })).ref
    const instruction = { kind: 'call', target: 'tool', name: 'read_text_file', arguments: preview } as const
    const named = (seed: StepSeed, more: Partial<StepRecord> = {}) =>
      rowIn(stepWith(play(added(seed)), id, more), id)?.name
    expect(named(step(id, { kind: 'tool', intention: 'look' }), { instruction })).toBe('Read a.csv')
    expect(named(step(id, { intention: 'look' }), { instruction })).toBe('Look')
    expect(named(step(id, { intention: '' }))).toBe('Think')
  })

  it('[M4] hangs under the call that it wrote or decided about, and under no step that is not a call', () => {
    const [tool, skill, writes, decides] = eight<StepId>()
    const called = step(tool, { kind: 'tool', executor: 'files' })
    const share = `${STAGE}/${AGENTS.coder}`
    const parents = (about: StepId) => {
      const world = play(
        added(
          ...[called, step(skill)],
          step(writes, { executor: 'instruction_generation', boundTo: about }),
          step(decides, { executor: 'tool_decision', cause: { message: null, step: about } }),
        ),
      )
      return [writes, decides].map((id) => rowIn(world, id)?.parent)
    }
    expect(parents(tool)).toEqual([tool, tool])
    expect(parents(skill)).toEqual([share, share])
    // Another skill that was caused by a call, or is bound to one, stands by itself.
    const other = play(added(called, step(skill, { cause: { message: null, step: tool }, boundTo: tool })))
    expect(rowIn(other, skill)?.parent).toBe(share)
  })
})

describe('the row of a member in a stage', () => {
  const id = newId<StepId>()
  const queued = play([runs, ...added(step(id))])
  const works = playOn(queued, [begun(step(id))])

  it('[M4] runs with what runs or is next, in no stage too, and is blocked while its task is paused', () => {
    const loose = play(added(step(id, { stage: null })))
    for (const [world, row] of [
      [queued, `${STAGE}/${AGENTS.coder}`],
      [works, `${STAGE}/${AGENTS.coder}`],
      [loose, `-/${AGENTS.coder}`],
    ] as const) {
      expect(rowIn(world, row)).toMatchObject({ chip: 'running', waitingSince: null, waitsFor: [] })
      expect(rowIn(taskWith(world, TASKS.build, { paused }), row)).toMatchObject({ chip: 'blocked', waitingSince: 77 })
    }
    expect(shareOf(playOn(works, [over(step(id))]))?.chip).toBe('idle')
  })

  it('[M4] is blocked while the agent is paused, and says since when and why; a pause of another changes nothing', () => {
    const held = agentWith(queued, AGENTS.coder, { paused })
    expect(shareOf(held)).toMatchObject({ chip: 'blocked', waitingSince: 77, reason: 'look' })
    expect(shareOf(agentWith(queued, AGENTS.tester, { paused }))?.chip).toBe('running')
  })

  it('[M4] counts its waits, and says for whom and since when', () => {
    const [first, second] = eight<StepId>()
    const waits = (of: StepId) => locked(AGENTS.coder, TASKS.build, AGENTS.tester, { step: of, stage: STAGE })
    const blocked = play([runs, ...added(step(first), step(second))], [waits(first)])
    expect(shareOf(blocked)).toMatchObject({ chip: 'blocked', counts: { waiting: 1 }, waitsFor: [{ name: 'Tester' }] })
    expect(shareOf(playOn(blocked, [waits(second)]))).toMatchObject({
      counts: { waiting: 2 },
      waitingSince: blocked.work[AGENTS.coder]?.locks[0]?.at,
    })
  })

  it('[M4] waits for a person with their part', () => {
    const part = request({ id: newId(), kind: 'part', asked: [PEOPLE.ben], stage: STAGE })
    expect(shareOf(play([runs, part]), PEOPLE.ben)).toMatchObject({ chip: 'waiting', waitsFor: [{ name: 'Ben' }] })
  })

  it('[M4] tells when its first step began and, once its part is over, when its last one ended', () => {
    const [a, b] = eight<StepId>()
    const ran = play(
      [runs, ...added(step(a), step(b))],
      [begun(step(a))],
      [over(step(a)), begun(step(b))],
      [over(step(b))],
    )
    const own = (of: StepId) => ran.steps[TASKS.build]?.[AGENTS.coder]?.[of]
    expect(shareOf(ran)).toMatchObject({ startedAt: own(a)?.startedAt, endedAt: null, seq: own(b)?.endedSeq })
    const ended = stageWith(ran, { parts: { [AGENTS.coder]: 'finished' } })
    expect(shareOf(ended)?.endedAt).toBe(own(b)?.endedAt)
    expect(own(b)?.endedAt).toBeGreaterThan(own(a)?.endedAt ?? 0)
    // In whatever order they ran.
    const turned = stepWith(stepWith(ended, a, { startedAt: 900, endedAt: 990 }), b, { startedAt: 800, endedAt: 880 })
    expect(shareOf(turned)).toMatchObject({ startedAt: 800, endedAt: 990 })
  })

  it('[M4] without a part ended with its last step, and its time does not run on', () => {
    const id = newId<StepId>()
    const judged = { ...step(id), agent: AGENTS.manager }
    const running = play(added(judged), [runs, begun(judged)])
    expect(shareOf(running, AGENTS.manager)).toMatchObject({ chip: 'running', endedAt: null })
    const share = shareOf(playOn(running, [over(judged)]), AGENTS.manager)
    expect(share).toMatchObject({ chip: 'done', startedAt: expect.any(Number), endedAt: expect.any(Number) })
  })
})

describe('the row of a stage', () => {
  it('[M4] runs while a step of it runs, whatever waits beside it', () => {
    const [asks, works] = eight<StepId>()
    const waits = locked(AGENTS.coder, TASKS.build, AGENTS.tester, { step: asks, stage: STAGE })
    const world = play([runs, ...added(step(asks), step(works))], [waits])
    expect(stageOf(world)?.chip).toBe('blocked')
    expect(stageOf(playOn(world, [begun(step(works))]))).toMatchObject({ chip: 'running', waitingSince: null })
  })

  it('[M4] has the number of its try, and its second try counts its errors alone', () => {
    const again = idAt<StageId>(34)
    const { world } = beginning()
    const first = world.stages[TASKS.build]?.[STAGE]
    if (first === undefined) throw new Error('the stage is missing')
    const failed = { ...first, state: 'failed', parts: { [AGENTS.coder]: 'failed' } } as const
    const stages = { [STAGE]: failed, [again]: { ...first, id: again, retryOf: STAGE } }
    const order = { stageOrder: [STAGE, again] }
    const both = taskWith({ ...world, stages: { ...world.stages, [TASKS.build]: stages } }, TASKS.build, order)
    expect([STAGE, again].map((id) => rowIn(both, id)?.attempt)).toEqual([1, 2])
    expect([rowIn(both, STAGE)?.counts.failed, totalsOf(both).errors]).toEqual([1, 0])
    const alone = stageWith(world, { state: 'failed', parts: { [AGENTS.coder]: 'failed' } })
    expect(totalsOf(alone).errors).toBe(1)
  })

  it('[M4] of steps without a stage has no name, and runs with what is next', () => {
    const loose = step(newId<StepId>(), { stage: null })
    const group = (world: World) => rowIn(world, '-')
    expect(group(play(added(loose)))).toMatchObject({
      name: '',
      stage: null,
      chip: 'running',
      state: 'init',
      attempt: 1,
    })
    expect(group(play(added(loose), [begun(loose)]))).toMatchObject({ chip: 'running', state: 'running' })
    expect(group(play(added(loose), [begun(loose)], [fails(loose)]))?.counts).toEqual({
      waiting: 0,
      failed: 1,
      steps: 1,
    })
  })

  it('[M4] holds the waits of its own steps, and none of another stage', () => {
    const [here, loose] = eight<StepId>()
    const world = play(
      [runs, ...added(step(here), step(loose, { stage: null }))],
      [locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { step: loose })],
    )
    expect([stageOf(world)?.counts.waiting, rowIn(world, '-')?.counts.waiting]).toEqual([0, 1])
  })
})

describe('the steps that a tree leaves out', () => {
  const many = (count: number) => Array.from({ length: count }, () => step(newId<StepId>()))
  const more = (world: World) => tree(world).filter(({ kind }) => kind === 'older')
  const shown = (world: World) => tree(world).flatMap((row) => (row.kind === 'step' ? [row.id] : []))
  const ran = (steps: StepSeed[]) => steps.flatMap((one) => [begun(one), over(one)])

  it('[M4] are none of a hundred, and the first of a hundred and one that have run', () => {
    const [full, one] = [many(TREE_STEPS), many(TREE_STEPS + 1)]
    for (const world of [play(added(...full)), play(added(...full), ran(full))]) {
      expect(shown(world)).toHaveLength(TREE_STEPS)
      expect(more(world)).toEqual([])
    }
    const past = play(added(...one), ran(one))
    expect(shown(past)).toEqual(one.slice(1).map(({ step: id }) => id))
    const share = `${STAGE}/${AGENTS.coder}`
    expect(more(past)).toMatchObject([
      {
        id: `${share}/earlier`,
        parent: share,
        level: 3,
        kind: 'older',
        stage: STAGE,
        agent: AGENTS.coder,
        counts: { waiting: 0, failed: 0, steps: 1 },
      },
    ])
    expect(more(past)[0]?.sort.endsWith('/0')).toBe(true)
  })

  it('[M4] are the last of those that have not run, in a row behind the rest', () => {
    const world = play(added(...many(TREE_STEPS + 1)))
    expect(more(world)).toMatchObject([{ id: `${STAGE}/${AGENTS.coder}/later`, counts: { steps: 1 } }])
    expect(more(world)[0]?.sort.endsWith('/9')).toBe(true)
  })

  it('[M4] have a page that holds one member of one stage alone, and none where there is neither', () => {
    const [mine, loose, theirs] = [
      step(newId<StepId>()),
      step(newId<StepId>(), { stage: null }),
      step(newId<StepId>(), { agent: PEOPLE.ben }),
    ]
    const world = play(added(mine, loose, theirs))
    const page = (of: string) => tree(world, `tree:${TASKS.build}/${of}@100`).map(({ id }) => id)
    expect(page(`${STAGE}/${AGENTS.coder}`)).toEqual([mine.step])
    expect(page(`${STAGE}/${PEOPLE.ben}`)).toEqual([theirs.step])
    expect(page(`-/${AGENTS.coder}`)).toEqual([loose.step])
    expect(page(`${STAGE}/${AGENTS.tester}`)).toEqual([])
    expect(page(`${idAt<StageId>(999)}/${AGENTS.coder}`)).toEqual([])
  })
})

it('[M4] a share began with the first of its steps that began, however many have not', () => {
  const [first, second, next] = eight<StepId>()
  const made = play([runs], added(step(next), step(first), step(second)))
  const world = stepWith(
    stepWith(stepWith(made, first, { startedAt: 5, state: 'finished' }), second, { startedAt: 3, state: 'finished' }),
    next,
    { startedAt: null },
  )
  expect(shareOf(world)).toMatchObject({ startedAt: 3 })
  expect(shareOf(stepWith(world, second, { startedAt: null }))).toMatchObject({ startedAt: 5 })
})
