/** People are invited, changed and leave in the page; the file and the page agree about them as about agents. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, LEE, must, plans, READER, requestOf, says, storyOf } from '@/test/stories'
import { type Story, send } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import { type AgentId, asId } from '../../ids'
import { managerIn } from '../../team/agents'
import { selectSetup } from '../setup'
import type { HumanSetup } from '../setupRecords'

const ZOE = asId<AgentId>('00000000-0000-4000-8000-00000000205e')
const zoe: HumanSetup = {
  agent: ZOE,
  name: 'Zoe',
  role: 'writer',
  profile: '',
  groups: ['writers'],
  tools: [],
  access: 'participant',
}
const changes = (id: string, value: HumanSetup | null, seen: number | null): Command => ({
  type: 'changeSetup',
  changes: [{ kind: 'human', id, value, seen }],
})
const refusal = (story: Story, by: AgentId, command: Command): string => {
  const decided = decide(story.world, { id: 'refused', by, command }, story.world.at)
  return decided.ok ? 'done' : decided.fault.code
}
const idOf = (story: Story, agent: AgentId): string => must(story.world.agents[agent]?.configId, 'id')
const setupOf = (story: Story, agent: AgentId): HumanSetup =>
  must(selectSetup(story.world, 'human').get(idOf(story, agent)), 'person')
const leaves = (story: Story, agent: AgentId, handTo: AgentId | null): Command => ({
  type: 'leaveTeam',
  id: idOf(story, agent),
  seen: story.world.setup.human[idOf(story, agent)]?.changes.at(-1)?.seq ?? 0,
  handTo,
  reason: 'a new job',
})
/** The command of the file at a start, without these people. */
const start = (story: Story, without: readonly AgentId[] = []): Command => {
  const first = must(
    story.envelopes.find(({ command }) => command.type === 'applyConfig'),
    'start',
  ).command
  const config = first as CommandOf<'applyConfig'>
  return { ...config, agents: config.agents.filter(({ id }) => !without.includes(id)) }
}

describe('[R129] a person', () => {
  it('who is invited belongs to the team and the base task at once, and stays over starts of the file', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, changes('zoe', zoe, null))
    expect(story.world.agents[ZOE]).toMatchObject({
      name: 'Zoe',
      kind: 'human',
      access: 'participant',
      configId: 'zoe',
    })
    const base = must(story.world.baseTask, 'base task')
    expect(story.world.tasks[base]?.group).toContain(ZOE)
    story.put('system:start', start(story))
    expect(story.world.agents[ZOE]).toMatchObject({ removed: false, access: 'participant' })
    expect(refusal(story, ZOE, send(ZOE, managerIn(must(story.world.tasks[base], 'base')), { text: 'Hello' }))).toBe(
      'done',
    )
  })

  it('has an id that no other person and no agent has, or ever had', () => {
    const { story } = storyOf(goals('read', READER))
    expect(refusal(story, ANA, changes(idOf(story, BEN), { ...zoe, name: 'Other' }, null))).toBe('NAME_TAKEN')
    expect(refusal(story, ANA, changes(idOf(story, READER), zoe, null))).toBe('NAME_TAKEN')
    const taken = decide(story.world, { id: 'taken', by: ANA, command: changes('ben', zoe, null) }, story.world.at)
    expect(taken).toMatchObject({ ok: false, fault: { code: 'NAME_TAKEN', data: { name: 'ben' } } })
    expect(refusal(story, ANA, changes('zoe', { ...zoe, tools: ['nothing'] }, null))).toBe('TOOL_SERVER_UNKNOWN')
    expect(refusal(story, ANA, changes('zoe', { ...zoe, tools: ['files'] }, null))).toBe('done')
  })

  it('is changed in the page, which counts while the file says what it said; a changed file counts then', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, changes(idOf(story, BEN), { ...setupOf(story, BEN), access: 'operator', groups: ['leads'] }, 0))
    expect(story.world.agents[BEN]).toMatchObject({ access: 'operator', groups: ['leads'] })
    story.put('system:start', start(story))
    expect(story.world.agents[BEN]?.access).toBe('operator')
    const file = start(story) as CommandOf<'applyConfig'>
    const renamed = file.agents.map((one) => (one.id === BEN ? { ...one, name: 'Benjamin' } : one))
    story.put('system:start', { ...file, agents: renamed })
    expect(story.world.agents[BEN]).toMatchObject({ name: 'Benjamin', access: 'participant' })
  })

  it('who is gone from the file loses access and every task at the start, also when the page had changed them', () => {
    const { story, task } = storyOf(goals('read', READER, BEN))
    story.put(ANA, changes(idOf(story, BEN), { ...setupOf(story, BEN), role: 'lead' }, 0))
    story.put('system:start', start(story, [BEN]))
    expect(story.world.agents[BEN]).toMatchObject({ access: 'none', removed: true })
    expect(story.world.tasks[task]?.group).not.toContain(BEN)
  })

  it('is what they were again when the change is undone', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, changes('zoe', zoe, null))
    const seq = must(story.world.setup.human.zoe?.changes.at(-1), 'change').seq
    story.put(ANA, { type: 'undoSetup', kind: 'human', id: 'zoe', change: seq })
    expect(story.world.agents[ZOE]).toMatchObject({ removed: true, access: 'none' })
  })
})

describe('[R130] people are managed', () => {
  it('by operators only', () => {
    const { story } = storyOf(goals('read', READER))
    for (const command of [changes('zoe', zoe, null), leaves(story, LEE, null)])
      expect(refusal(story, BEN, command)).toBe('NOT_ALLOWED')
  })

  it('so that one operator is left: the last is neither taken out nor made something else', () => {
    const { story } = storyOf(goals('read', READER))
    const less = changes(idOf(story, ANA), { ...setupOf(story, ANA), access: 'participant' }, 0)
    expect(refusal(story, ANA, less)).toBe('LAST_OPERATOR')
    expect(refusal(story, ANA, leaves(story, ANA, BEN))).toBe('LAST_OPERATOR')
    story.put(ANA, changes(idOf(story, BEN), { ...setupOf(story, BEN), access: 'operator' }, 0))
    expect(refusal(story, ANA, less)).toBe('done')
  })

  it('so that a start with a file that takes the page’s operator out leaves the file’s', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, changes(idOf(story, BEN), { ...setupOf(story, BEN), access: 'operator' }, 0))
    story.put(BEN, changes(idOf(story, ANA), { ...setupOf(story, ANA), access: 'participant' }, 0))
    expect(story.world.agents[ANA]?.access).toBe('participant')
    story.put('system:start', start(story, [BEN]))
    expect(story.world.agents[ANA]?.access).toBe('operator')
  })
})

describe('[R131] a person who leaves', () => {
  it('loses access at once; what only they were asked goes to the person who was chosen, in every task', () => {
    const { story, task } = storyOf(goals('read', READER, BEN))
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => says([BEN]))
    const request = must(requestOf(story, 'answer'), 'request')
    expect(refusal(story, ANA, leaves(story, BEN, null))).toBe('PERSON_ASKED')
    expect(refusal(story, ANA, changes(idOf(story, BEN), null, 0))).toBe('PERSON_ASKED')
    story.put(ANA, leaves(story, BEN, LEE))
    expect(story.world.agents[BEN]).toMatchObject({ access: 'none', removed: true })
    expect(story.world.requests[task]?.[request.id]).toMatchObject({ state: 'open', asked: [LEE] })
    expect(story.world.tasks[task]?.group).toContain(LEE)
    story.put('system:start', start(story))
    expect(story.world.agents[BEN]).toMatchObject({ removed: true })
  })

  it('manages no task that is open, and is seen as they are', () => {
    const { story, task } = storyOf(goals('read', READER, BEN))
    story.put(ANA, { type: 'changeManager', task, agent: LEE, reason: 'he knows it' })
    expect(refusal(story, ANA, leaves(story, LEE, ANA))).toBe('MANAGER_STAYS')
    story.put(ANA, changes(idOf(story, BEN), { ...setupOf(story, BEN), role: 'lead' }, 0))
    const nobody = { ...(leaves(story, BEN, ANA) as CommandOf<'leaveTeam'>), id: 'nobody' }
    expect(refusal(story, ANA, nobody)).toBe('NOT_FOUND')
    const stale = { ...(leaves(story, BEN, ANA) as CommandOf<'leaveTeam'>), seen: 1 }
    expect(refusal(story, ANA, stale)).toBe('SETUP_CHANGED')
  })
})
