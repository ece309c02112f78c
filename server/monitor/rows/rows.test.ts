/** What the row views show of a world: the inbox in its order, tasks with the stuck ones first, a tree that stays small. */
import { describe, expect, it, vi } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { event, type MasEvent } from '@/lib/mas/events'
import type { AgentId, MessageId, RequestId, StageId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import type { ModelCall, NumberedRequest, StageRecord, StepRecord, TaskRecord, World } from '@/lib/mas/records'
import { said } from '@/lib/mas/said'
import type { StepSeed } from '@/lib/mas/steps/events'
import { NO_ROLLUP, rollupOf, sumRollups } from '@/lib/mas/steps/rollups'
import type { AgentRow, MeRow, OverviewRow, TreeRow, WaitRow } from '@/lib/wire/rows'
import { AGENTS, apply, beginning, entriesOf, idAt, PEOPLE, TASKS } from '@/test/histories'
import { sampleShapeOf } from '@/test/samples'
import { scopeOfView } from '../scopes'
import { padded, paddedDown } from './source'
import {
  agentWith,
  delivery,
  eight,
  itemsOf,
  meOf,
  message,
  newId,
  play,
  request,
  rowsOf,
  stepAdded,
  taskWith,
  totalsOf,
} from './test/rowsWorld'

describe('what a request is about', () => {
  const aboutFor = (world: World, person: AgentId) =>
    meOf(world, person).flatMap((row) => (row.kind === 'request' ? [row.about?.text ?? null] : []))

  it('[R107] is quoted from its thread to those who read it, and to nobody else who is asked', () => {
    const wish = newId<MessageId>()
    const long = `Compare ${'the lists '.repeat(30)}and write second.md`
    const world = play(
      [message(PEOPLE.ben, AGENTS.manager, { reply: true }, wish, TASKS.base, long)],
      [
        request({ id: newId(), asked: [PEOPLE.ben], thread: wish }, TASKS.base),
        request({ id: newId(), asked: [PEOPLE.cyn], thread: wish }, TASKS.base),
        request({ id: newId(), asked: [PEOPLE.ana], thread: wish }, TASKS.base),
      ],
    )
    const [about = null] = aboutFor(world, PEOPLE.ben)
    expect(about).toMatch(/^Compare the lists .* … .*second\.md$/)
    expect(about?.length).toBeLessThanOrEqual(120)
    expect(aboutFor(world, PEOPLE.cyn)).toEqual([null])
    // An operator reads all threads.
    expect(aboutFor(world, PEOPLE.ana)).toEqual([about])
  })

  it('is the message that brought its asker to ask, else the argument of its call that tells most', () => {
    const cause = newId<MessageId>()
    const { ref } = bodyOf(JSON.stringify({ content: 'all of it', path: 'prices/report.md' }), 'application/json')
    const call = { server: 'files', tool: 'write_file', arguments: ref, digest: ref.sha, changes: '' }
    const world = play(
      [message(PEOPLE.ana, AGENTS.coder, {}, cause, TASKS.build, 'Read both lists')],
      [
        request({ id: newId(), evidence: [{ kind: 'message', id: cause, name: 'Ana', at: 1 }] }),
        request({ id: newId(), kind: 'confirm', step: newId(), call }),
        request({ id: newId() }),
      ],
    )
    expect(aboutFor(world, PEOPLE.ben)).toEqual(['Read both lists', 'prices/report.md', null])
  })
})

describe('me', () => {
  it('[M1] [R196] stands each thing once, in the highest group that fits, the longest wait first', () => {
    const [unread, mention, action, urgent, seen, asked, lock, part] = eight<MessageId>()
    const [plain, waits, mine] = [newId<RequestId>(), newId<RequestId>(), newId<RequestId>()]
    const [question, judge, limit, tool] = [
      newId<RequestId>(),
      newId<RequestId>(),
      newId<RequestId>(),
      newId<RequestId>(),
    ]
    const world = play(
      [message(AGENTS.coder, PEOPLE.ben, {}, unread), message(PEOPLE.ana, PEOPLE.ben, { mention: true }, mention)],
      [
        message(PEOPLE.ana, PEOPLE.ben, { reply: true }, action),
        message(PEOPLE.ana, PEOPLE.ben, { waits: true }, urgent),
      ],
      [message(PEOPLE.ana, PEOPLE.ben, { waits: true }, seen), delivery(seen, PEOPLE.ben, 'acknowledged')],
      [
        message(AGENTS.coder, PEOPLE.ben, { reply: true }, asked),
        request({ id: plain, message: asked, question: 'Write the headings.' }),
      ],
      [message(AGENTS.coder, PEOPLE.ben, { waits: true }, lock), request({ id: waits, message: lock, lock: newId() })],
      [message(AGENTS.manager, PEOPLE.cyn, {}, part), request({ id: mine, kind: 'part', stage: idAt<StageId>(32) })],
      [
        request({ id: question, asker: AGENTS.manager, question: 'Which list counts?' }),
        ...([judge, limit, tool] as const).map((id, at) =>
          request({ id, kind: (['judge', 'limit', 'tool'] as const)[at] ?? 'judge', question: 'It is over.' }),
        ),
      ],
    )
    const rows = meOf(world, PEOPLE.ben)
    expect(itemsOf(rows)).toEqual([
      ['urgent', urgent],
      ['still', waits],
      ['still', question],
      ['still', judge],
      ['still', limit],
      ['still', tool],
      ['part', mine],
      ['action', action],
      ['action', seen],
      ['action', plain],
      ['mention', mention],
      ['unread', unread],
    ])
    expect(totalsOf(rows)).toMatchObject({
      needsMe: 12,
      urgentUnacknowledged: 1,
      byGroup: { urgent: 1, still: 5, part: 1, action: 3, mention: 1, unread: 1 },
    })
  })

  it('[M1] says what a request holds up, and the parts of the others', () => {
    const [waits, part] = [newId<RequestId>(), newId<RequestId>()]
    const [question, act] = [newId<RequestId>(), newId<RequestId>()]
    const stage = idAt<StageId>(32)
    const world = play([
      request({ id: waits, lock: newId(), stage }),
      request({ id: question, asker: AGENTS.manager, stage, question: 'Which list counts?' }),
      request({ id: act, stage, question: 'Write the headings.' }),
      request({ id: part, kind: 'part', stage, fingerprint: 'init' }),
    ])
    const rows = meOf(world, PEOPLE.ben).filter((row) => row.kind === 'request')
    expect(rows.find(({ id }) => id === waits)).toMatchObject({
      holdsUp: { agents: [{ name: 'Coder' }], stage: true },
      stage: { number: 1 },
      taskName: 'build',
      // Asked about a stage in another state than it is in now.
      changed: true,
    })
    // A question without a lock keeps its asker and the stage waiting as well; a plain act keeps nobody.
    expect(rows.find(({ id }) => id === question)?.holdsUp).toMatchObject({
      agents: [{ name: 'Manager' }],
      stage: true,
    })
    expect(rows.find(({ id }) => id === act)?.holdsUp).toEqual({ agents: [], stage: false })
    expect(rows.find(({ id }) => id === part)).toMatchObject({
      holdsUp: { agents: [], stage: true },
      part: { goal: 'check it', others: [{ name: 'Coder' }] },
      changed: false,
    })
  })

  it('[M1] names who else stands still with the asker, as far as the person knows them', () => {
    const [asked, lock] = [newId<RequestId>(), newId<WaitingId>()]
    const waitsFor = (agent: AgentId, task: TaskId, on: AgentId, id: WaitingId): MasEvent =>
      event('lock.added', {
        agent,
        task,
        lock: { id, kind: 'message', stage: null, step: newId<StepId>(), on, message: null, request: null },
      })
    const world = play([request({ id: asked, lock }), waitsFor(AGENTS.coder, TASKS.build, PEOPLE.ben, lock)])
    const heldIn = (after: World): string[] =>
      meOf(after, PEOPLE.ben).flatMap((row) =>
        row.kind === 'request' ? row.holdsUp.agents.map(({ name }) => name) : [],
      )
    expect(heldIn(world)).toEqual(['Coder'])
    const others = [
      waitsFor(AGENTS.manager, TASKS.build, AGENTS.coder, newId()),
      waitsFor(AGENTS.tester, TASKS.docs, AGENTS.manager, newId()),
    ]
    // Tester is in no task of Ben's.
    expect(heldIn(apply(world, entriesOf(world, others)))).toEqual(['Coder', 'Manager'])
  })

  it('[M1] leaves only what is settled: seen FYIs become information, answers are under done, what I asked is waited for', () => {
    const [fyi, mine, done] = [newId<MessageId>(), newId<MessageId>(), newId<MessageId>()]
    const asked = newId<RequestId>()
    const world = play(
      [message(AGENTS.coder, PEOPLE.ben, {}, fyi), delivery(fyi, PEOPLE.ben, 'shown')],
      [message(PEOPLE.ben, AGENTS.coder, { reply: true }, mine)],
      [message(PEOPLE.ana, PEOPLE.ben, { reply: true }, done), delivery(done, PEOPLE.ben, 'done')],
      [request({ id: asked })],
      [
        event('request.answered', {
          task: TASKS.build,
          request: asked,
          answer: { by: PEOPLE.ben, for: null, decision: 'answer', text: 'this', arguments: null },
        }),
      ],
    )
    const rows = meOf(world, PEOPLE.ben)
    expect(itemsOf(rows)).toEqual([
      ['waiting', `waiting:${mine}`],
      ['info', fyi],
      ['done', asked],
      ['done', done],
    ])
    expect(totalsOf(rows)).toMatchObject({ needsMe: 0, waitingOnOthers: 1 })
    const answered = apply(world, entriesOf(world, [delivery(mine, AGENTS.coder, 'answered')]))
    expect(totalsOf(meOf(answered, PEOPLE.ben)).waitingOnOthers).toBe(0)
  })

  it('[M1] sends the first fifty and counts all', () => {
    const world = play(Array.from({ length: 70 }, () => message(PEOPLE.ana, PEOPLE.ben, { reply: true })))
    const rows = meOf(world, PEOPLE.ben)
    expect([rows.length, totalsOf(rows).needsMe]).toEqual([51, 70])
  })

  it('[M1] writes the places of rows that are sent only, however much is open', () => {
    const many = Array.from({ length: 600 }, () => message(PEOPLE.ana, PEOPLE.ben, { waits: true }))
    const world = play(many)
    const writing = vi.spyOn(String.prototype, 'padStart')
    meOf(world, PEOPLE.ben)
    const texts = writing.mock.calls.length
    writing.mockRestore()
    expect(texts).toBeLessThan(200)
  })

  it('[M2] holds nothing of a task that I was removed from', () => {
    const world = play(
      [message(PEOPLE.ana, PEOPLE.ben, { reply: true }), request({ id: newId() })],
      [event('task.participantsChanged', { task: TASKS.build, added: [], removed: [PEOPLE.ben] })],
    )
    expect(itemsOf(meOf(world, PEOPLE.ben))).toEqual([])
  })
})

describe('overview', () => {
  it('[M3] shows a participant their tasks and an operator all, the base task first, then the stuck ones', () => {
    const lock = {
      id: newId<WaitingId>(),
      kind: 'message' as const,
      stage: null,
      step: newId<StepId>(),
      on: PEOPLE.cyn,
      message: null,
      request: newId<RequestId>(),
    }
    const world = play(
      [event('task.started', { task: TASKS.build }), event('task.started', { task: TASKS.docs })],
      [request({ id: lock.request, asked: [PEOPLE.cyn], lock: lock.id }, TASKS.docs)],
      [event('lock.added', { agent: AGENTS.coder, task: TASKS.docs, lock })],
    )
    const names = (person: AgentId): string[] =>
      (rowsOf(world, person, 'overview') as OverviewRow[]).filter(({ id }) => id !== '$').map(({ name }) => name)
    expect(names(PEOPLE.ana)).toEqual(['base', 'docs', 'build'])
    expect(names(PEOPLE.ben)).toEqual(['base', 'build'])
    const docs = (rowsOf(world, PEOPLE.ana, 'overview') as OverviewRow[]).find(({ task }) => task === TASKS.docs)
    expect(docs).toMatchObject({ stuck: { kind: 'waiting', on: [{ name: 'Cyn' }] }, tokens: null, costUsd: null })
    const gone = apply(world, entriesOf(world, [event('human.accessChanged', { agent: PEOPLE.cyn, access: 'none' })]))
    expect(
      (rowsOf(gone, PEOPLE.ana, 'overview') as OverviewRow[]).find(({ task }) => task === TASKS.docs)?.stuck?.kind,
    ).toBe('blocked')
  })
})

describe('the demo task', () => {
  it('is the one that the demo’s message asked for, for everybody who sees it', () => {
    const [demo, wish] = [newId<MessageId>(), newId<MessageId>()]
    const sent = message(PEOPLE.ben, AGENTS.manager, { reply: true }, demo, TASKS.base, 'Compare the price lists')
    const world = play(
      [Object.assign(sent, { said: said('demoWork', { folder: 'prices' }) })],
      [message(PEOPLE.ben, AGENTS.manager, { reply: true }, wish, TASKS.base, 'Compare the price lists')],
    )
    const isDemo = (thread: MessageId) =>
      (
        rowsOf(
          taskWith(world, TASKS.build, { requestedIn: { task: TASKS.base, thread } }),
          PEOPLE.ana,
          'overview',
        ) as OverviewRow[]
      )
        .filter((row) => row.demo)
        .map(({ task }) => task)
    expect(isDemo(demo)).toEqual([TASKS.build])
    expect(isDemo(wish)).toEqual([])
  })
})

describe('what a task stands still on', () => {
  it('[M3] is first that somebody paused it, and it stands with the blocked ones', () => {
    const world = play(
      [event('task.started', { task: TASKS.build }), event('task.started', { task: TASKS.docs })],
      [event('task.paused', { task: TASKS.docs, by: PEOPLE.ana, reason: 'wait for the list' })],
    )
    const rows = (rowsOf(world, PEOPLE.ana, 'overview') as OverviewRow[]).filter(({ id }) => id !== '$')
    expect(rows.map(({ name }) => name)).toEqual(['base', 'docs', 'build'])
    expect(rows[1]?.stuck).toMatchObject({ kind: 'blocked', why: 'paused', what: 'wait for the list' })
  })
})

describe('agents', () => {
  const lock = {
    id: newId<WaitingId>(),
    kind: 'message' as const,
    stage: null,
    step: newId<StepId>(),
    on: PEOPLE.cyn,
    message: null,
    request: newId<RequestId>(),
  }
  const agents = (world: World): AgentRow[] =>
    (rowsOf(world, PEOPLE.ana, 'agents') as AgentRow[]).filter(({ id }) => id !== '$')

  it('[M3] has those who stand still first, and people last', () => {
    const world = play(
      [request({ id: lock.request, asked: [PEOPLE.cyn], lock: lock.id }, TASKS.docs)],
      [event('lock.added', { agent: AGENTS.tester, task: TASKS.docs, lock })],
      [event('agent.paused', { agent: AGENTS.coder, by: PEOPLE.ana, reason: 'look first' })],
    )
    const rows = agents(world)
    expect(rows.slice(0, 2)).toMatchObject([
      { id: AGENTS.coder, chip: 'blocked', paused: { by: { name: 'Ana' }, reason: 'look first' } },
      { id: AGENTS.tester, chip: 'waiting', waitsFor: [{ name: 'Cyn' }] },
    ])
    expect(rows.map(({ who }) => who.kind).lastIndexOf('llm')).toBeLessThan(
      rows.findIndex(({ who }) => who.kind === 'human'),
    )
  })

  it('[M3] is closed to a participant', () => {
    const { world } = beginning()
    expect(scopeOfView(world, PEOPLE.ben, { kind: 'agents' }).closed).toBe('not-allowed')
    expect(scopeOfView(world, PEOPLE.ana, { kind: 'agents' }).closed).toBeNull()
  })
})

describe('waits', () => {
  const lockOn = (on: AgentId, more: { id: WaitingId; request?: RequestId }) => ({
    kind: 'message' as const,
    stage: null,
    step: newId<StepId>(),
    on,
    message: null,
    request: more.request ?? null,
    id: more.id,
  })
  const waitsOf = (world: World, person: AgentId): WaitRow[] =>
    (rowsOf(world, person, 'waits') as WaitRow[]).filter(({ id }) => id !== '$')
  const added = (agent: AgentId, task: TaskId, lock: ReturnType<typeof lockOn>): MasEvent =>
    event('lock.added', { agent, task, lock })

  it('[R25] what needs an operator stands first, with why, and what stands still with it', () => {
    const [toCyn, toManager, asked] = [newId<WaitingId>(), newId<WaitingId>(), newId<RequestId>()]
    const world = play(
      [request({ id: asked, asked: [PEOPLE.cyn], lock: toCyn }, TASKS.docs)],
      [added(AGENTS.coder, TASKS.docs, lockOn(PEOPLE.cyn, { id: toCyn, request: asked }))],
      [added(AGENTS.manager, TASKS.docs, lockOn(AGENTS.coder, { id: toManager }))],
    )
    const rows = waitsOf(world, PEOPLE.ana)
    expect(rows).toMatchObject([
      // Nothing of Coder's is left that could answer.
      { id: toManager, who: { name: 'Manager' }, state: 'deadEnd', isBlocked: true, why: 'noReply', circle: null },
      {
        id: toCyn,
        who: { name: 'Coder' },
        forWhom: [{ name: 'Cyn' }],
        what: 'Which one?',
        request: asked,
        state: 'waiting',
        isBlocked: false,
        why: null,
        holdsUp: { agents: [{ name: 'Manager' }] },
      },
    ])
    expect(rowsOf(world, PEOPLE.ana, 'waits').find(({ id }) => id === '$')).toMatchObject({
      waits: 2,
      blocked: 1,
      circles: 0,
    })
  })

  it('[R25] waits of one circle share its name', () => {
    const [first, second] = [newId<WaitingId>(), newId<WaitingId>()]
    const world = play(
      [added(AGENTS.coder, TASKS.build, lockOn(AGENTS.manager, { id: first }))],
      [added(AGENTS.manager, TASKS.build, lockOn(AGENTS.coder, { id: second }))],
    )
    expect(waitsOf(world, PEOPLE.ana)).toMatchObject([
      { id: first, state: 'circle', circle: first, isBlocked: true },
      { id: second, state: 'circle', circle: first, isBlocked: true },
    ])
  })

  it('[M2] a participant sees the waits of their tasks, and of them nothing of others', () => {
    const [mine, other] = [newId<WaitingId>(), newId<WaitingId>()]
    const world = play(
      [added(AGENTS.coder, TASKS.build, lockOn(PEOPLE.ben, { id: mine }))],
      [added(AGENTS.tester, TASKS.docs, lockOn(AGENTS.coder, { id: other }))],
    )
    expect(waitsOf(world, PEOPLE.ben)).toMatchObject([{ id: mine, holdsUp: { agents: [], stages: [] } }])
    expect(waitsOf(world, PEOPLE.cyn).map(({ id }) => id)).toEqual([other])
    expect(waitsOf(world, PEOPLE.ana).map(({ id }) => id)).toHaveLength(2)
  })
})

describe('the tree', () => {
  const stage = idAt<StageId>(32)
  const step = (id: StepId, inStage: StageId | null = stage) => ({
    task: TASKS.build,
    agent: AGENTS.coder,
    step: id,
    number: 1,
    stage: inStage,
    thread: null,
    intention: `do ${id.slice(-4)}`,
    kind: 'skill' as const,
    executor: 'think',
    text: '',
    cause: { message: null, step: null },
    answers: null,
    boundTo: null,
    retryOf: null,
    byHand: false,
    last: false,
  })
  const tree = (world: World, person = PEOPLE.ana, view = `tree:${TASKS.build}`): TreeRow[] =>
    (rowsOf(world, person, view) as TreeRow[]).filter(({ id }) => id !== '$')
  const begun = (id: StepId) => event('step.started', { ...step(id), node: 'n', epoch: 1, attempt: 1 })
  const over = (id: StepId) =>
    event('step.finished', { ...step(id), result: { kind: 'text', text: '', body: null, made: null }, repairs: [] })

  it('[M4] has the steps in the order they ran and will run, also those inserted later', () => {
    const [a, b, c, late, later] = eight<StepId>()
    const world = play(
      [event('step.added', step(a)), event('step.added', step(b)), event('step.added', step(c))],
      [begun(a)],
      [event('step.added', { ...step(late), position: 0 }), event('step.added', { ...step(later), position: 1 })],
    )
    const ids = tree(world)
      .filter(({ kind }) => kind === 'step')
      .map(({ id }) => id)
    expect(ids).toEqual([a, late, later, b, c])
    expect(
      tree(world)
        .map(({ kind, level }) => `${kind}${level}`)
        .slice(0, 4),
    ).toEqual(['stage1', 'agent2', 'step3', 'step3'])
    // What runs next changes its own row, not those behind it.
    const before = new Map(tree(world).map((row) => [row.id, row.sort]))
    const after = apply(world, entriesOf(world, [over(a), begun(late)]))
    expect(
      tree(after)
        .filter(({ id, sort }) => before.get(id) !== sort)
        .map(({ id }) => id),
    ).toEqual([late])
  })

  it('[M4] shows a hundred steps of an agent and stage, what runs among them, and pages to the rest', () => {
    const all = Array.from({ length: 350 }, () => newId<StepId>())
    const world = play(
      all.map((id) => event('step.added', step(id))),
      all.slice(0, 150).flatMap((id) => [begun(id), over(id)]),
    )
    const rows = tree(world)
    const steps = rows.filter(({ kind }) => kind === 'step').map(({ id }) => id)
    expect(steps).toHaveLength(100)
    expect(steps).toEqual(all.slice(90, 190))
    const more = rows.filter(({ kind }) => kind === 'older')
    expect(more.map(({ counts }) => counts.steps)).toEqual([90, 160])
    const later = more[1]?.more ?? ''
    expect(tree(world, PEOPLE.ana, later).map(({ id }) => id)).toEqual(all.slice(190, 290))
  })

  it('[R134] [R545] counts steps that have left the world as before, and says how many they are', () => {
    const all = Array.from({ length: 6 }, () => newId<StepId>())
    const world = play(
      all.map((id) => event('step.added', step(id))),
      all.slice(0, 4).flatMap((id) => [begun(id), over(id)]),
      [
        event('records.evicted', {
          task: TASKS.build,
          steps: { [AGENTS.coder]: all.slice(0, 3) },
          messages: [],
          requests: [],
        }),
      ],
    )
    const totals = (person: AgentId) => rowsOf(world, person, `tree:${TASKS.build}`).find(({ id }) => id === '$')
    expect(totals(PEOPLE.ana)).toMatchObject({ steps: 6, archived: 3 })
    const lines = tree(world)
    expect(lines.filter(({ kind }) => kind === 'older').map(({ counts }) => counts.steps)).toEqual([3])
    const [stageLine, share] = [
      lines.find(({ kind }) => kind === 'stage'),
      lines.find(({ agent }) => agent === AGENTS.coder),
    ]
    expect([stageLine?.counts.steps, share?.counts.steps]).toEqual([6, 6])
  })

  it('[R545] an agent whose steps have all left keeps its line', () => {
    const only = newId<StepId>()
    const world = play(
      [event('step.added', { ...step(only), stage: null }), begun(only), over(only)],
      [
        event('records.evicted', {
          task: TASKS.build,
          steps: { [AGENTS.coder]: [only] },
          messages: [],
          requests: [],
        }),
      ],
    )
    const own = tree(world).filter(({ agent, stage }) => agent === AGENTS.coder && stage === null)
    expect(own.map(({ kind, counts }) => [kind, counts.steps])).toEqual([
      ['agent', 1],
      ['older', 1],
    ])
  })

  it('[M4] groups what belongs to no stage at the end, and says who waits for whom', () => {
    const [asks, loose] = [newId<StepId>(), newId<StepId>()]
    const lock = {
      id: newId<WaitingId>(),
      kind: 'message' as const,
      stage,
      step: asks,
      on: PEOPLE.ben,
      message: null,
      request: newId<RequestId>(),
    }
    const world = play(
      [
        request({ id: lock.request, asked: [PEOPLE.ben], lock: lock.id }),
        request({ id: newId(), kind: 'part', asked: [PEOPLE.ben], stage }),
      ],
      [
        event('stage.started', { task: TASKS.build, stage }),
        event('step.added', step(asks)),
        event('step.added', step(loose, null)),
      ],
      [begun(asks)],
      [over(asks), event('lock.added', { agent: AGENTS.coder, task: TASKS.build, lock })],
    )
    const rows = tree(world)
    expect(rows.filter(({ kind }) => kind === 'stage').map(({ id, chip }) => [id, chip])).toEqual([
      [stage, 'waiting'],
      // Its agent waits in the stage.
      ['-', 'waiting'],
    ])
    expect(rows.find(({ id }) => id === asks)).toMatchObject({
      state: 'finished',
      chip: 'waiting',
      waitsFor: [{ name: 'Ben' }],
    })
    expect(rows.find(({ id }) => id === `${stage}/${AGENTS.coder}`)).toMatchObject({
      chip: 'waiting',
      counts: { waiting: 1, steps: 1 },
    })
  })

  describe('a call of a tool', () => {
    const [writes, tool, decides] = eight<StepId>()
    const writer = { ...step(writes), executor: 'instruction_generation', boundTo: tool }
    const called = { ...step(tool), kind: 'tool' as const, executor: 'files', boundTo: writes }
    const decider = { ...step(decides), executor: 'tool_decision', cause: { message: null, step: tool } }
    const added = (...seeds: StepSeed[]) => seeds.map((seed) => event('step.added', seed))
    const calls = (id: StepId, name: string, path: string) =>
      event('step.instructed', {
        ...step(id),
        instruction: { kind: 'call', target: 'tool', name, arguments: bodyOf(JSON.stringify({ path })).ref },
      })
    const fails = (id: StepId) => event('step.failed', { ...step(id), reason: 'ENOENT', result: null, repairs: [] })
    const rowOf = (world: World, id: string) => tree(world).find((row) => row.id === id)

    it('[M4] is one row that says what it is about; what wrote it and what it led to hang under it', () => {
      const world = play(added(writer, called, decider), [calls(tool, 'read_text_file', 'prices/north.csv')])
      const share = `${stage}/${AGENTS.coder}`
      expect([writes, tool, decides].map((id) => rowOf(world, id)).map((row) => [row?.parent, row?.level])).toEqual([
        [tool, 4],
        [share, 3],
        [tool, 4],
      ])
      expect(rowOf(world, tool)?.name).toBe('Read prices/north.csv')
    })

    it('[M4] costs what writing it and deciding after it cost', () => {
      const paid = (id: StepId, promptTokens: number) => {
        const { call } = sampleShapeOf('model.called')
        const one = { ...call, id: `call of ${id}`, promptTokens, completionTokens: 1, costUsd: 0.5 }
        return event('model.called', { ...step(id), call: one })
      }
      const world = play(added(writer, called, decider), [paid(writes, 10)], [paid(decides, 20)])
      expect(rowOf(world, tool)).toMatchObject({ tokens: 32, costUsd: 1 })
      expect(rowOf(world, writes)).toMatchObject({ tokens: 11, costUsd: 0.5 })
    })

    it('[M4] has the name of its step while it is being written, and runs from then on', () => {
      const world = play(added(writer, called), [begun(writes)])
      expect(rowOf(world, tool)).toMatchObject({
        name: called.intention.replace('do', 'Do'),
        chip: 'running',
        state: 'pending',
      })
    })

    it('[M4] stands by itself where it has another stage than what led to it', () => {
      const world = play(added(writer, { ...called, stage: null }))
      expect(rowOf(world, writes)?.parent).toBe(`${stage}/${AGENTS.coder}`)
    })

    const counts = (world: World) => [
      rowOf(world, `${stage}/${AGENTS.coder}`)?.counts.failed,
      rowOf(world, stage)?.counts.failed,
      (rowsOf(world, PEOPLE.ana, `tree:${TASKS.build}`) as { id: string; errors?: number }[]).find(
        ({ id }) => id === '$',
      )?.errors,
    ]

    it('[M4] that failed counts until the same is called again; of several tries the last counts', () => {
      const again = { ...called, step: decides, boundTo: null }
      const first = [begun(tool), calls(tool, 'read', 'a.csv'), fails(tool)]
      const second = [begun(decides), calls(decides, 'read', 'b.csv')]
      expect(counts(play(added(called, again), first))).toEqual([1, 1, 1])
      expect(counts(play(added(called, again), first, [...second, fails(decides)]))).toEqual([1, 1, 1])
      const mended = play(added(called, again), first, [...second, over(decides)])
      expect(counts(mended)).toEqual([0, 0, 0])
      expect(rowOf(mended, tool)).toMatchObject({ chip: 'failed', counts: { failed: 0 } })
      const other = play(added(called, again), first, [begun(decides), calls(decides, 'list', 'b'), over(decides)])
      expect(counts(other)).toEqual([1, 1, 1])
    })

    it('[M4] that failed counts no more when its part was submitted; a skill that failed counts until its retry or a judgement', () => {
      const [think, retry] = [step(writes), { ...step(decides), retryOf: writes }]
      const failed = play(added(think), [begun(writes), fails(writes)])
      expect(counts(failed)).toEqual([1, 1, 1])
      expect(counts(play(added(think), [begun(writes), fails(writes)], added(retry)))).toEqual([0, 0, 0])
      const submitted = { task: TASKS.build, stage, agent: AGENTS.coder, state: 'finished', reason: null } as const
      const end = event('stage.agentStateChanged', submitted)
      expect(counts(play(added(think), [begun(writes), fails(writes), end]))).toEqual([1, 1, 1])
      const first = [begun(tool), calls(tool, 'read', 'a.csv'), fails(tool)]
      expect(counts(play(added(called), [...first, end]))).toEqual([0, 0, 0])
    })
  })

  it('[M2] of the base task shows a participant the steps of their threads only', () => {
    const [mine, theirs] = [newId<MessageId>(), newId<MessageId>()]
    const inThread = (thread: MessageId) =>
      event('step.added', { ...step(newId(), null), task: TASKS.base, agent: AGENTS.manager, thread })
    const world = play(
      [
        message(PEOPLE.ben, AGENTS.manager, {}, mine, TASKS.base),
        message(PEOPLE.cyn, AGENTS.manager, {}, theirs, TASKS.base),
      ],
      [inThread(mine), inThread(theirs)],
    )
    const count = (person: AgentId): number =>
      tree(world, person, `tree:${TASKS.base}`).filter(({ kind }) => kind === 'step').length
    expect([count(PEOPLE.ana), count(PEOPLE.ben), count(PEOPLE.cyn)]).toEqual([2, 1, 1])
  })

  it('[M2] of the base task shows a participant what they did themselves, and no other participant', () => {
    const own = event('step.added', { ...step(newId(), null), task: TASKS.base, agent: PEOPLE.ben, byHand: true })
    const world = play([own])
    const count = (person: AgentId): number =>
      tree(world, person, `tree:${TASKS.base}`).filter(({ kind }) => kind === 'step').length
    expect([count(PEOPLE.ana), count(PEOPLE.ben), count(PEOPLE.cyn)]).toEqual([1, 1, 0])
  })
})

describe('the limits of the inbox', () => {
  const count = (rows: MeRow[], group: string): number => itemsOf(rows).filter(([one]) => one === group).length
  const seen = (n: number) =>
    Array.from({ length: n }, () => {
      const id = newId<MessageId>()
      return [message(AGENTS.coder, PEOPLE.ben, {}, id), delivery(id, PEOPLE.ben, 'shown')]
    })
  const done = (n: number) =>
    Array.from({ length: n }, () => {
      const id = newId<MessageId>()
      return [message(PEOPLE.ana, PEOPLE.ben, { reply: true }, id), delivery(id, PEOPLE.ben, 'done')]
    })
  const sent = (n: number) => Array.from({ length: n }, () => [message(PEOPLE.ben, AGENTS.coder, { reply: true })])

  it.each([
    ['action', 50, (n: number) => Array.from({ length: n }, () => [message(PEOPLE.ana, PEOPLE.ben, { reply: true })])],
    ['waiting', 50, sent],
    ['done', 20, done],
    ['info', 50, seen],
  ] as const)('[M1] of %s it shows %i, and one more leaves the one out that comes last', (group, most, make) => {
    const full = meOf(play(...make(most)), PEOPLE.ben)
    expect(count(full, group)).toBe(most)
    const decisions = make(most + 1)
    const rows = meOf(play(...decisions), PEOPLE.ben)
    expect(count(rows, group)).toBe(most)
    const [first] = decisions
    const oldest = first?.flatMap((one) => (one.type === 'message.sent' ? [one.message] : []))[0]
    const isThere = itemsOf(rows).some(([, id]) => id === oldest || id === `waiting:${oldest}`)
    // What waits longest stands first; of what is over or only told the newest does.
    expect([group, isThere]).toEqual([group, group === 'action' || group === 'waiting'])
  })
})

describe('what is put to you', () => {
  it('[M1] is not yours when it is settled, an order of the system, or seen and asks nothing', () => {
    const [shown, ended, order] = [newId<MessageId>(), newId<MessageId>(), newId<MessageId>()]
    const ordered = message(AGENTS.manager, PEOPLE.ben, { reply: true }, order)
    const world = play(
      [message(AGENTS.coder, PEOPLE.ben, { mention: true }, shown), delivery(shown, PEOPLE.ben, 'shown')],
      [message(AGENTS.coder, PEOPLE.ben, { reply: true }, ended), delivery(ended, PEOPLE.ben, 'answered')],
      [ordered.type === 'message.sent' ? { ...ordered, instruction: { type: 'finish_task' } } : ordered],
    )
    expect(totalsOf(meOf(world, PEOPLE.ben)).needsMe).toBe(0)
    expect(itemsOf(meOf(world, PEOPLE.ben)).map(([, id]) => id)).not.toContain(order)
  })

  it('[M1] is Urgent when it is waited for, until you acknowledge it; a request when it is urgent', () => {
    const [rings, heard] = [newId<MessageId>(), newId<MessageId>()]
    const [urgent, plain] = [newId<RequestId>(), newId<RequestId>()]
    const world = play(
      [
        message(PEOPLE.ana, PEOPLE.ben, { waits: true }, rings),
        message(PEOPLE.ana, PEOPLE.ben, { waits: true }, heard),
      ],
      [delivery(heard, PEOPLE.ben, 'acknowledged')],
      [
        request({ id: urgent, type: 'urgent', question: 'Write the headings.' }),
        request({ id: plain, question: 'Write the headings.' }),
      ],
    )
    const groups = Object.fromEntries(itemsOf(meOf(world, PEOPLE.ben)).map(([group, id]) => [id, group]))
    expect(groups).toEqual({ [rings]: 'urgent', [heard]: 'action', [urgent]: 'urgent', [plain]: 'action' })
    expect(totalsOf(meOf(world, PEOPLE.cyn)).needsMe).toBe(0)
  })

  it('[M1] stands once where a request was made of a message, also after somebody else answered it', () => {
    const [asked, of] = [newId<RequestId>(), newId<MessageId>()]
    const world = play(
      [message(AGENTS.coder, PEOPLE.ben, { reply: true }, of), request({ id: asked, message: of })],
      [
        event('request.answered', {
          task: TASKS.build,
          request: asked,
          answer: { by: PEOPLE.ana, for: PEOPLE.ben, decision: 'answer', text: 'this', arguments: null },
        }),
      ],
    )
    expect(itemsOf(meOf(world, PEOPLE.ben))).toEqual([])
    expect(itemsOf(meOf(world, PEOPLE.ana)).filter(([group]) => group === 'done')).toEqual([['done', asked]])
  })

  it('[M1] what you asked of several is waited for until all of them settled it', () => {
    const dispatch = newId<MessageId>()
    const [one, two] = [newId<MessageId>(), newId<MessageId>()]
    const to = (receiver: AgentId, id: MessageId): MasEvent => {
      const made = message(PEOPLE.ben, receiver, { reply: true }, id)
      return made.type === 'message.sent' ? { ...made, dispatch } : made
    }
    const waits = (...states: MasEvent[]): number =>
      totalsOf(meOf(play([to(AGENTS.coder, one), to(AGENTS.manager, two)], states), PEOPLE.ben)).waitingOnOthers
    expect(waits()).toBe(1)
    expect(waits(delivery(one, AGENTS.coder, 'answered'))).toBe(1)
    expect(waits(delivery(one, AGENTS.coder, 'answered'), delivery(two, AGENTS.manager, 'done'))).toBe(0)
  })
})

describe('the order of tasks', () => {
  const overview = (world: World, person = PEOPLE.ana): OverviewRow[] =>
    (rowsOf(world, person, 'overview') as OverviewRow[]).filter(({ id }) => id !== '$')
  const [base, running] = [TASKS.base, TASKS.build]
  const stuckOf = (world: World, task: TaskId) => overview(world).find((row) => row.task === task)?.stuck ?? null
  const names = (more: Partial<TaskRecord>, other: Partial<TaskRecord>): string[] => {
    const { world } = beginning()
    return overview(taskWith(taskWith(world, running, more), TASKS.docs, other)).map(({ name }) => name)
  }

  it('[M3] is failed, running, not begun, done; in each the newest first', () => {
    const order: TaskRecord['state'][] = ['failed', 'running', 'init', 'finished']
    for (const [index, state] of order.entries()) {
      for (const later of order.slice(index + 1)) {
        expect(names({ state }, { state: later })).toEqual(['base', 'build', 'docs'])
        expect(names({ state: later }, { state })).toEqual(['base', 'docs', 'build'])
      }
      const at = (time: number) => ({ state, createdAt: time, endedAt: null })
      expect([state, names(at(1), at(2))]).toEqual([state, ['base', 'docs', 'build']])
      expect([state, names(at(2), at(1))]).toEqual([state, ['base', 'build', 'docs']])
    }
    for (const state of ['failed', 'finished'] as const)
      expect(names({ state, createdAt: 1, endedAt: 9 }, { state, createdAt: 5, endedAt: 6 })[1]).toBe('build')
  })

  it('[M3] counts what runs and what waits apart, the base task among the waiting only', () => {
    const { world } = beginning()
    const totals = (now: World) => rowsOf(now, PEOPLE.ana, 'overview').find(({ id }) => id === '$')
    const two = taskWith(taskWith(world, running, { state: 'running' }), TASKS.docs, { state: 'failed' })
    expect(totals(two)).toMatchObject({ tasks: 3, running: 0, waiting: 0, failed: 1 })
    const works = taskWith(play([stepAdded(newId())]), running, { state: 'running' })
    expect(totals(works)).toMatchObject({ running: 1, waiting: 0 })
    const asked = play([request({ id: newId(), kind: 'part' })])
    expect(totals(taskWith(asked, running, { state: 'running' }))).toMatchObject({ running: 0, waiting: 1 })
    const paused = { by: PEOPLE.ana, reason: 'wait', at: 1 }
    expect(totals(taskWith(world, base, { paused, state: 'running' }))).toMatchObject({ running: 0, waiting: 1 })
  })

  it('[M3] of a task that is over says nothing of a pause; one that failed says why', () => {
    const { world } = beginning()
    const paused = { by: PEOPLE.ana, reason: 'wait', at: 1 }
    expect(stuckOf(taskWith(world, running, { paused, state: 'finished' }), running)).toBeNull()
    const failed = { state: 'failed', summary: 'no list', endedAt: 7 } as const
    expect(stuckOf(taskWith(world, running, failed), running)).toEqual({
      kind: 'failed',
      why: null,
      on: [],
      since: 7,
      what: 'no list',
      elsewhere: null,
      request: null,
    })
  })

  it('[M3] a part and a judgement by the manager wait for them; a limit, or nobody to judge, blocks the task', () => {
    const kinds = (change: Partial<NumberedRequest>) =>
      stuckOf(play([request({ id: newId(), question: 'How now?', ...change })]), running)
    expect(kinds({ kind: 'part' })).toMatchObject({
      kind: 'waiting',
      why: null,
      on: [{ name: 'Ben' }],
      what: 'How now?',
    })
    expect(kinds({ kind: 'limit' })).toMatchObject({ kind: 'blocked', why: 'limit' })
    expect(kinds({ kind: 'judge', asked: [PEOPLE.ana] })).toMatchObject({ kind: 'blocked', why: 'noJudge' })
    const judged = play([request({ id: newId(), kind: 'judge', asked: [PEOPLE.ben] })])
    const byBen = taskWith(judged, running, { manager: PEOPLE.ben })
    expect(stuckOf(byBen, running)).toMatchObject({ kind: 'waiting', why: null, on: [{ name: 'Ben' }] })
    expect(kinds({ kind: 'answer' })).toMatchObject({ kind: 'waiting', why: null, on: [{ name: 'Ben' }] })
  })

  it('[M3] the oldest of what people owe is told, and none that is settled', () => {
    const [first, second] = [newId<RequestId>(), newId<RequestId>()]
    const asked = [
      request({ id: first, kind: 'part', question: 'first' }),
      request({ id: second, kind: 'part', question: 'second' }),
    ]
    const answered = event('request.answered', {
      task: running,
      request: first,
      answer: { by: PEOPLE.ben, for: null, decision: 'answer', text: '', arguments: null },
    })
    expect(stuckOf(play(asked), running)?.what).toBe('first')
    expect(stuckOf(play(asked, [answered]), running)?.what).toBe('second')
  })

  it('[M2] of the base task a participant learns neither what it stands on nor what it cost', () => {
    const lock = {
      id: newId<WaitingId>(),
      kind: 'message' as const,
      stage: null,
      step: newId<StepId>(),
      on: PEOPLE.cyn,
      message: null,
      request: newId<RequestId>(),
    }
    const world = play(
      [request({ id: lock.request, asked: [PEOPLE.cyn], lock: lock.id }, base)],
      [request({ id: newId(), asked: [PEOPLE.ben] }, base)],
      [event('lock.added', { agent: AGENTS.manager, task: base, lock })],
    )
    const row = (person: AgentId) => overview(world, person).find(({ task }) => task === base)
    expect(row(PEOPLE.ana)).toMatchObject({ stuck: { on: [{ name: 'Cyn' }] } })
    expect(row(PEOPLE.ben)).toMatchObject({ stuck: null, mine: 1 })
  })
})

describe('a member of the team', () => {
  const rows = (world: World) => rowsOf(world, PEOPLE.ana, 'agents') as AgentRow[]
  const rowOf = (world: World, id: AgentId) => rows(world).find((row) => row.id === id)
  const begun = (id: StepId) =>
    event('step.started', { task: TASKS.build, agent: AGENTS.coder, step: id, node: 'n', epoch: 1, attempt: 1 })

  it('[M3] runs when it has work, is blocked while that is paused, and idle without', () => {
    const id = newId<StepId>()
    expect(rowOf(beginning().world, AGENTS.coder)).toMatchObject({ chip: 'idle', since: null, now: null, queue: 0 })
    const queued = play([stepAdded(id)])
    expect(rowOf(queued, AGENTS.coder)).toMatchObject({ chip: 'running', since: null, now: null, queue: 1 })
    const paused = taskWith(queued, TASKS.build, { paused: { by: PEOPLE.ana, reason: '', at: 1 } })
    expect(rowOf(paused, AGENTS.coder)).toMatchObject({ chip: 'blocked', since: 1 })
    const works = play([stepAdded(id)], [begun(id)])
    expect(rowOf(works, AGENTS.coder)).toMatchObject({ chip: 'running', now: { step: id, taskName: 'build' } })
    expect(rowOf(works, AGENTS.coder)?.since).toBe(works.steps[TASKS.build]?.[AGENTS.coder]?.[id]?.startedAt)
    const held = taskWith(works, TASKS.build, { paused: { by: PEOPLE.ana, reason: '', at: 1 } })
    expect(rowOf(held, AGENTS.coder)?.chip).toBe('running')
  })

  it('[M3] that left the team has no row; a person has as many things to do as are put to them', () => {
    expect(rowOf(agentWith(beginning().world, AGENTS.coder, { removed: true }), AGENTS.coder)).toBeUndefined()
    const asked = play([request({ id: newId() }), request({ id: newId() }, TASKS.docs)])
    expect([rowOf(asked, PEOPLE.ben)?.queue, rowOf(asked, PEOPLE.cyn)?.queue]).toEqual([2, 0])
  })
})

describe('what steps come to', () => {
  const call = (more: Partial<ModelCall>): ModelCall => ({
    id: 'c',
    attempt: 1,
    model: 'm',
    modelVersion: null,
    prompt: { sha: '', bytes: 0 },
    answer: null,
    outcome: 'taken',
    error: null,
    promptTokens: null,
    completionTokens: null,
    estimated: false,
    costUsd: null,
    firstTokenMs: null,
    totalMs: 0,
    at: 0,
    ...more,
  })
  const step = (state: StepRecord['state'], ...calls: ModelCall[]): StepRecord =>
    // Only the state and the calls of a step are counted.
    Object.assign({} as StepRecord, { state, calls })

  it('[M4] is the sum of what is known; unknown is null, never 0', () => {
    expect(rollupOf([])).toEqual(NO_ROLLUP)
    expect(rollupOf([step('finished', call({}))])).toEqual({ ...NO_ROLLUP, steps: 1 })
    const known = step('running', call({ promptTokens: 3, completionTokens: 4, costUsd: 0.5 }), call({ costUsd: 0.25 }))
    const sums = { tokens: 7, promptTokens: 3, cachedTokens: null, costUsd: 0.75 }
    expect(rollupOf([known])).toEqual({ steps: 1, running: 1, ...sums })
    const half = step('failed', call({ completionTokens: 2, cachedTokens: 1 }))
    const both = { ...sums, steps: 2, running: 1, tokens: 9, cachedTokens: 1 }
    expect(rollupOf([known, half])).toEqual(both)
    expect(sumRollups([rollupOf([known]), rollupOf([half])])).toEqual(both)
    expect(sumRollups([rollupOf([half]), rollupOf([known])])).toEqual(both)
    expect(sumRollups([NO_ROLLUP, NO_ROLLUP])).toEqual(NO_ROLLUP)
  })
})

describe('a number as text', () => {
  it('sorts as the number does, either way, and never below zero', () => {
    const numbers = [0, 1, 9, 10, 99, 1_700_000_000_000]
    expect(numbers.map(padded).sort()).toEqual(numbers.map(padded))
    expect(numbers.map(paddedDown).sort()).toEqual(numbers.map(paddedDown).reverse())
    expect([padded(-5), padded(1.4), padded(1.6)]).toEqual([padded(0), padded(1), padded(2)])
  })
})

describe('the chips of a tree', () => {
  const stage = idAt<StageId>(32)
  const stageWith = (world: World, more: Partial<StageRecord>): World => ({
    ...world,
    stages: {
      ...world.stages,
      [TASKS.build]: { [stage]: Object.assign({}, world.stages[TASKS.build]?.[stage], more) },
    },
  })
  const tree = (world: World) => rowsOf(world, PEOPLE.ana, `tree:${TASKS.build}`) as TreeRow[]
  const stageOf = (world: World) => tree(world).find(({ id }) => id === stage)
  const shareOf = (world: World, agent: AgentId) => tree(world).find(({ id }) => id === `${stage}/${agent}`)
  const { world } = beginning()
  const runs = { state: 'running', startedAt: 5 } as const
  const part = (asked: AgentId, inStage: StageId = stage) =>
    request({ id: newId(), kind: 'part', asked: [asked], stage: inStage })

  it('[M4] say of a stage whether it is to come, runs, waits for a part, or is over', () => {
    expect(stageOf(world)).toMatchObject({ chip: 'idle', waitingSince: null, waitsFor: [], startedAt: null })
    const works = stageWith(play([stepAdded(newId(), TASKS.build, stage)]), runs)
    expect(stageOf(works)).toMatchObject({ chip: 'running', waitsFor: [], startedAt: 5 })
    // Nothing asks Ben for his part.
    expect(stageOf(stageWith(world, runs))).toMatchObject({ chip: 'blocked', waitsFor: [{ name: 'Ben' }] })
    const asked = stageWith(play([part(PEOPLE.ben)]), runs)
    expect(stageOf(asked)).toMatchObject({ chip: 'waiting', waitsFor: [{ name: 'Ben' }] })
    expect(stageOf(asked)?.waitingSince).toBe(Object.values(asked.requests[TASKS.build] ?? {})[0]?.openedAt)
    const question = request({ id: newId(), stage, asked: [PEOPLE.cyn] })
    expect(stageOf(stageWith(play([part(PEOPLE.ben), question]), runs))).toMatchObject({ counts: { waiting: 2 } })
    const elsewhere = part(PEOPLE.ben, idAt<StageId>(999))
    expect(stageOf(stageWith(play([elsewhere]), runs))).toMatchObject({ chip: 'blocked', counts: { waiting: 0 } })
    for (const [state, chip] of [
      ['finished', 'done'],
      ['failed', 'failed'],
    ] as const)
      expect(stageOf(stageWith(asked, { state, reason: 'so', endedAt: 9 }))).toMatchObject({
        chip,
        waitingSince: null,
        waitsFor: [],
        reason: 'so',
        endedAt: 9,
      })
    const retried = { state: 'failed', reason: 'the goal of its next try', replacedBy: idAt<StageId>(999) } as const
    expect(stageOf(stageWith(asked, retried))).toMatchObject({ chip: 'redone', reason: null })
  })

  it('[M4] say of a member how their part is: over, asked of them alone, or nothing yet', () => {
    const asked = stageWith(play([part(PEOPLE.ben)]), runs)
    expect(shareOf(asked, PEOPLE.ben)).toMatchObject({ chip: 'waiting', waitsFor: [{ name: 'Ben' }] })
    expect(shareOf(asked, PEOPLE.ben)?.waitingSince).toBe(stageOf(asked)?.waitingSince)
    expect(shareOf(asked, AGENTS.coder)).toMatchObject({ chip: 'idle', waitsFor: [], waitingSince: null })
    expect(shareOf(stageWith(play([part(PEOPLE.cyn)]), runs), PEOPLE.ben)?.chip).toBe('blocked')
    for (const [state, chip] of [
      ['finished', 'done'],
      ['failed', 'failed'],
    ] as const) {
      const over = stageWith(asked, { parts: { [PEOPLE.ben]: state }, partReasons: { [PEOPLE.ben]: 'so it was' } })
      expect(shareOf(over, PEOPLE.ben)).toMatchObject({ chip, state, reason: 'so it was' })
    }
  })

  it('[M4] count the parts that failed with the steps that did', () => {
    const parts = { [PEOPLE.ben]: 'failed', [AGENTS.coder]: 'finished' } as const
    const failed = stageWith(world, { ...runs, parts })
    expect(stageOf(failed)?.counts).toEqual({ waiting: 0, failed: 1, steps: 0 })
    expect(tree(failed).find(({ id }) => id === '$')).toMatchObject({ steps: 0, errors: 1, waits: 0 })
  })

  it('[M4] have no group of steps without a stage where there are none, and number the stages', () => {
    expect(tree(world).map(({ id }) => id)).not.toContain('-')
    expect(stageOf(world)?.sort).toBe('0001')
  })
})

describe('the cost in the row of a task', () => {
  it('[M3] holds what it cost to set it up, and says so', () => {
    const { world } = beginning()
    const rowOf = (now: World) =>
      (rowsOf(now, PEOPLE.ana, 'overview') as OverviewRow[]).find(({ task }) => task === TASKS.build)
    expect(rowOf(world)).toMatchObject({ tokens: null, costUsd: null, setUp: null })
    const setUp = { tokens: 11, costUsd: 0.5 }
    const budget = { tokens: 0, costUsd: 0, talk: 0, allowed: {}, stops: null, warned: [], setUp }
    const paid = { ...world, budgets: { ...world.budgets, [TASKS.build]: budget } }
    expect(rowOf(paid)).toMatchObject({ tokens: 11, costUsd: 0.5, setUp })
  })
})

describe('the stage that runs', () => {
  it('[M3] stands with its number in the row of its task, and none while none runs', () => {
    const rowOf = (world: World) =>
      (rowsOf(world, PEOPLE.ana, 'overview') as OverviewRow[]).find(({ task }) => task === TASKS.build)
    expect(rowOf(beginning().world)?.stage).toBeNull()
    const begun = event('stage.started', { task: TASKS.build, stage: idAt<StageId>(32) })
    expect(rowOf(play([begun]))?.stage).toMatchObject({ number: 1, of: 1, intention: 'a goal' })
  })
})

describe('who stands still', () => {
  const lockOn = (on: AgentId, step = newId<StepId>()) => ({
    id: newId<WaitingId>(),
    kind: 'message' as const,
    stage: null,
    step,
    on,
    message: null,
    request: null,
  })
  const rowsIn = (world: World) => rowsOf(world, PEOPLE.ana, 'agents') as AgentRow[]
  const added = (agent: AgentId, task: TaskId, on: AgentId): MasEvent =>
    event('lock.added', { agent, task, lock: lockOn(on) })

  it('[M3] is told with since when: by the oldest of their waits, or since they were paused', () => {
    const first = play([added(AGENTS.coder, TASKS.docs, PEOPLE.cyn)])
    const since = rowsIn(first).find(({ id }) => id === AGENTS.coder)?.since
    expect(since).toBe(first.work[AGENTS.coder]?.locks[0]?.at)
    const both = apply(first, entriesOf(first, [added(AGENTS.coder, TASKS.build, PEOPLE.ben)]))
    expect(rowsIn(both).find(({ id }) => id === AGENTS.coder)?.since).toBe(since)
    const paused = agentWith(both, AGENTS.coder, { paused: { by: PEOPLE.ana, reason: 'look', at: 77 } })
    expect(rowsIn(paused).find(({ id }) => id === AGENTS.coder)).toMatchObject({ chip: 'blocked', since: 77 })
  })

  it('[M3] stands above who does not, the longest wait first; the totals count each kind apart', () => {
    const world = play([request({ id: newId() })], [added(AGENTS.tester, TASKS.docs, PEOPLE.cyn)])
    const paused = (at: number) => ({ paused: { by: PEOPLE.ana, reason: 'look', at } })
    const two = agentWith(agentWith(world, AGENTS.manager, paused(20)), AGENTS.coder, paused(10))
    const order = rowsIn(two)
      .filter(({ who }) => who?.kind === 'llm')
      .map(({ id }) => id)
    expect(order.filter((id) => id !== AGENTS.tester)).toEqual([AGENTS.coder, AGENTS.manager])
    const totals = rowsIn(two).find(({ id }) => id === '$')
    const chips = rowsIn(two).map(({ chip }) => chip)
    expect(totals).toMatchObject({
      waiting: chips.filter((chip) => chip === 'waiting').length,
      blocked: chips.filter((chip) => chip === 'blocked').length,
      agents: 3,
      people: 3,
    })
    expect(chips.filter((chip) => chip === 'blocked').length).toBeGreaterThanOrEqual(2)
  })
})
