/** Operators make and change agents, models and tool servers while the team works; the file is read again later. */

import { describe, expect, it } from 'vitest'
import { BEN, goals, must, READER, stepsOf, storyOf, todo } from '@/test/stories'
import { outcomeOf, planned, Story, TEAM, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import { type AgentId, asId } from '../../ids'
import { selectLimit, workShareKey } from '../../limits/limits'
import { AGENTS_SERVER } from '../../outside/records'
import { MODEL_PRESETS } from '../modelPresets'
import type { Provider } from '../providers'
import { agentSetupOf, selectDefaultModel, selectSetup, selectSetupRecord } from '../setup'
import type { AgentSetup, ModelSetup, SetupEntry, ToolSetup } from '../setupRecords'

const ANA = TEAM.ana.id
const MODEL: ModelSetup = { ...must(MODEL_PRESETS[0], 'preset').setup, key: { stored: 'k1' } }
const TOOL: ToolSetup = {
  address: 'https://tools.example/mcp',
  command: null,
  args: [],
  headers: [],
  guide: 'reads mail',
  confirm: 'risky',
  rules: {},
}
const NEW_AGENT: AgentSetup = {
  ...agentSetupOf(TEAM.reader, true),
  agent: asId<AgentId>('00000000-0000-4000-8000-00000000aa01'),
  name: 'Writer',
  skills: ['reflection', 'summary', 'think', 'send_message', 'process_message'],
}

type File = Partial<CommandOf<'applyConfig'>>
const restart = (story: Story, file: File = {}): void => {
  story.put('system:start', { ...teamConfig(), models: {}, tools: {}, ...file })
}
const opened = (file: File = {}): Story => {
  const story = new Story()
  restart(story, file)
  return story
}
const seenOf = (story: Story, { kind, id }: SetupEntry): number | null => {
  const record = selectSetupRecord(story.world, kind, id)
  return record === undefined ? null : (record.changes.at(-1)?.seq ?? 0)
}
const change = (story: Story, ...entries: SetupEntry[]): Command => ({
  type: 'changeSetup',
  changes: entries.map((entry) => ({ ...entry, seen: seenOf(story, entry) })),
})
const refusal = (story: Story, by: string, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
/** The words of a refusal. */
const saidTo = (story: Story, command: Command): string => {
  const decided = decide(story.world, { id: 'a-try', by: ANA, command }, story.world.at + 1)
  return decided.ok ? '' : decided.fault.message
}
const model = (value: ModelSetup | null, id = 'large'): SetupEntry => ({ kind: 'model', id, value })
const tool = (value: ToolSetup | null, id = 'mail'): SetupEntry => ({ kind: 'tool', id, value })
const agent = (value: AgentSetup | null, id = 'writer'): SetupEntry => ({ kind: 'agent', id, value })

describe('[R117] what an operator makes in the page', () => {
  it('is there at once: an agent that can be given work, a model and tools that it may have', () => {
    const story = opened()
    const writer = { ...NEW_AGENT, model: 'large', tools: ['mail'] }
    expect(story.put(ANA, change(story, model(MODEL), tool(TOOL), agent(writer)))?.reply).toEqual({ changed: 3 })
    expect(story.world.agents[writer.agent]).toMatchObject({ name: 'Writer', configId: 'writer', removed: false })
    expect(story.world.team).toMatchObject({ models: ['default', 'large'], rehearsal: false })
    expect(story.world.team.toolGuides).toEqual({ files: 'reads files', mail: 'reads mail' })
  })

  it('is whole or not at all', () => {
    const story = opened()
    const before = story.world
    expect(refusal(story, ANA, change(story, model(MODEL), agent({ ...NEW_AGENT, model: 'none' })))).toBe(
      'MODEL_UNKNOWN',
    )
    expect(story.world).toBe(before)
  })

  it('stays over starts while the file says what it said, also what it took out', () => {
    const story = opened({ models: { large: MODEL } })
    story.put(ANA, change(story, model({ ...MODEL, contextTokens: 9_000 }), agent(NEW_AGENT)))
    story.put(ANA, change(story, agent(null, 'spare')))
    restart(story, { models: { large: MODEL } })
    expect(selectSetup(story.world, 'model').get('large')?.contextTokens).toBe(9_000)
    expect(story.world.agents[NEW_AGENT.agent]?.removed).toBe(false)
    expect(story.world.team.startable).toEqual([])
  })

  it('gives way to a file that changed the same, and operators are told; what was taken out stays out', () => {
    const story = opened({ models: { large: MODEL, small: MODEL } })
    story.put(ANA, change(story, model({ ...MODEL, contextTokens: 9_000 }), model(null, 'small')))
    const newer = { ...MODEL, contextTokens: 7_000 }
    restart(story, { models: { large: newer, small: newer } })
    expect(selectSetup(story.world, 'model').get('large')).toEqual(newer)
    expect(selectSetup(story.world, 'model').has('small')).toBe(false)
    expect(story.world.notices[ANA]?.map(({ kind, words }) => [kind, words.who])).toEqual([
      ['setup_overruled', 'large'],
      ['setup_stays_out', 'small'],
    ])
    expect(story.world.notices[BEN]?.some(({ kind }) => kind.startsWith('setup')) ?? false).toBe(false)
    restart(story, { models: { large: newer, small: newer } })
    expect(story.world.notices[ANA]).toHaveLength(2)
  })

  it('is the file’s once it stands there word for word', () => {
    const story = opened()
    story.put(ANA, change(story, model(MODEL)))
    restart(story, { models: { large: MODEL } })
    expect(selectSetupRecord(story.world, 'model', 'large')?.page).toBeNull()
    expect(story.world.notices[ANA] ?? []).toEqual([])
    restart(story)
    expect(selectSetup(story.world, 'model').has('large')).toBe(false)
  })
})

describe('[R118] who changes the setup', () => {
  it('is an operator and nobody else', () => {
    const story = opened()
    expect(refusal(story, BEN, change(story, model(MODEL)))).toBe('NOT_ALLOWED')
    story.put(ANA, change(story, model(MODEL)))
    const made = must(selectSetupRecord(story.world, 'model', 'large')?.changes[0], 'change')
    const undo: Command = { type: 'undoSetup', kind: 'model', id: 'large', change: made.seq }
    expect(refusal(story, BEN, undo)).toBe('NOT_ALLOWED')
    expect(refusal(story, ANA, undo)).toBeNull()
  })

  it('changes what they have seen: a change that came between is told with its author', () => {
    const story = opened()
    story.put(ANA, change(story, model(MODEL)))
    const late = change(story, model({ ...MODEL, contextTokens: 8_000 }))
    story.put(ANA, change(story, model({ ...MODEL, contextTokens: 9_000 })))
    expect(refusal(story, ANA, late)).toBe('SETUP_CHANGED')
    expect(refusal(story, ANA, { type: 'changeSetup', changes: [{ ...model(MODEL), seen: null }] })).toBe('NAME_TAKEN')
    expect(refusal(story, ANA, { type: 'changeSetup', changes: [{ ...model(MODEL, 'x'), seen: 0 }] })).toBe('NOT_FOUND')
    expect(saidTo(story, late)).toContain('Ana')
  })

  it('is told when the file changed it meanwhile, and makes anew what was taken out', () => {
    const story = opened({ models: { large: MODEL } })
    story.put(ANA, change(story, model({ ...MODEL, contextTokens: 8_000 })))
    const late = change(story, model({ ...MODEL, contextTokens: 7_000 }))
    restart(story, { models: { large: { ...MODEL, contextTokens: 9_000 } } })
    expect(refusal(story, ANA, late)).toBe('SETUP_CHANGED')
    expect(saidTo(story, late)).toContain('convene.yaml')
    story.put(ANA, change(story, model(MODEL, 'small')))
    story.put(ANA, change(story, model(null, 'small')))
    const anew: Command = { type: 'changeSetup', changes: [{ ...model(MODEL, 'small'), seen: null }] }
    expect(refusal(story, ANA, anew)).toBeNull()
    expect(refusal(story, ANA, change(story, model(null, 'small')))).toBe('NOT_FOUND')
  })

  it('changes nothing by what is as it was', () => {
    const story = opened()
    story.put(ANA, change(story, model(MODEL)))
    expect(story.put(ANA, change(story, model(MODEL)))?.reply).toEqual({ changed: 0 })
    expect(selectSetupRecord(story.world, 'model', 'large')?.changes).toHaveLength(1)
  })

  it('[R119] sees who changed what, and can have each change undone, also an undoing', () => {
    const story = opened()
    story.put(ANA, change(story, agent(NEW_AGENT)))
    story.put(ANA, change(story, agent({ ...NEW_AGENT, name: 'Author' })))
    story.put(ANA, change(story, agent(null)))
    expect(story.world.agents[NEW_AGENT.agent]?.removed).toBe(true)
    const last = () => must(selectSetupRecord(story.world, 'agent', 'writer')?.changes.at(-1), 'change')
    expect(last()).toMatchObject({ by: ANA, before: { name: 'Author' } })
    story.put(ANA, { type: 'undoSetup', kind: 'agent', id: 'writer', change: last().seq })
    expect(story.world.agents[NEW_AGENT.agent]).toMatchObject({ removed: false, name: 'Author' })
    story.put(ANA, { type: 'undoSetup', kind: 'agent', id: 'writer', change: last().seq })
    expect(story.world.agents[NEW_AGENT.agent]?.removed).toBe(true)
    const unknown: Command = { type: 'undoSetup', kind: 'agent', id: 'writer', change: 1 }
    expect(refusal(story, ANA, unknown)).toBe('NOTHING_TO_UNDO')
  })
})

describe('[R118] an agent', () => {
  it('has a free name, a model and tools that are there, and the skills without which no part ends', () => {
    const story = opened()
    const fault = (more: Partial<AgentSetup>) => refusal(story, ANA, change(story, agent({ ...NEW_AGENT, ...more })))
    expect(fault({ name: 'Reader' })).toBe('NAME_TAKEN')
    expect(fault({ model: 'none' })).toBe('MODEL_UNKNOWN')
    expect(fault({ tools: ['none'] })).toBe('TOOL_SERVER_UNKNOWN')
    expect(fault({ tools: ['files', 'none'] })).toBe('TOOL_SERVER_UNKNOWN')
    expect(fault({ tools: ['files'] })).toBeNull()
    expect(fault({ skills: ['think'] })).toBe('SKILLS_MISSING')
    expect(fault({ manager: true })).toBe('SKILLS_MISSING')
    expect(fault({})).toBeNull()
  })

  it('is not taken out while it holds an open part or manages a task', () => {
    const { story } = storyOf(goals('read', READER))
    restart(story)
    expect(refusal(story, ANA, change(story, agent(null, TEAM.reader.configId)))).toBe('AGENT_BUSY')
    expect(refusal(story, ANA, change(story, agent(null, TEAM.manager.configId)))).toBe('MANAGER_STAYS')
    expect(refusal(story, ANA, change(story, agent(null, TEAM.analyst.configId)))).toBeNull()
  })

  it('stays the manager while it manages a task, and may be changed otherwise', () => {
    const { story } = storyOf(goals('read', READER))
    restart(story)
    const skills = [...NEW_AGENT.skills, 'task_manager']
    const own = { ...agentSetupOf(TEAM.manager, true), manager: true, skills }
    const fault = (more: Partial<AgentSetup>) =>
      refusal(story, ANA, change(story, agent({ ...own, ...more }, TEAM.manager.configId)))
    expect(fault({ manager: false })).toBe('MANAGER_STAYS')
    expect(fault({ start: false })).toBe('MANAGER_STAYS')
    expect(fault({ role: 'lead' })).toBeNull()
  })

  it('makes no planned call that it may no longer make', () => {
    const { story } = storyOf(goals('read', READER))
    restart(story)
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('reflection')] } }),
    )
    const value = { ...agentSetupOf(TEAM.reader, true), skills: NEW_AGENT.skills, tools: [] }
    story.put(ANA, change(story, agent(value, TEAM.reader.configId)))
    expect(todo(story.world, READER)).not.toContain('files')
    expect(stepsOf(story.world, READER).find(({ type }) => type === 'tool')?.state).toBe('failed')
  })
})

describe('[R124] the limits of an agent', () => {
  it('go before those of the team, for its own share of the work alone', () => {
    const story = opened()
    story.put(ANA, change(story, agent({ ...NEW_AGENT, limits: { stepsPerPart: 7 } })))
    const task = must(story.world.baseTask, 'base task')
    const limitOf = (id: AgentId, limit: 'steps' | 'reflections') =>
      selectLimit(story.world, task, workShareKey({ agent: id, thread: null, stage: null }), limit)
    expect(limitOf(NEW_AGENT.agent, 'steps')).toBe(7)
    expect(limitOf(NEW_AGENT.agent, 'reflections')).toBe(3)
    expect(limitOf(TEAM.reader.id, 'steps')).toBe(20)
    story.put(ANA, change(story, agent(NEW_AGENT)))
    expect(limitOf(NEW_AGENT.agent, 'steps')).toBe(20)
  })
})

describe('[R118] a model', () => {
  it('gets a key only from a variable that is meant for its address', () => {
    const story = opened({ models: { own: { ...MODEL, baseUrl: 'https://own.example/v1', key: { env: 'OWN_KEY' } } } })
    const fault = (env: string, baseUrl: string, id = 'large') =>
      refusal(story, ANA, change(story, model({ ...MODEL, baseUrl, key: { env } }, id)))
    expect(fault('OPENAI_API_KEY', 'https://api.openai.com/v1')).toBeNull()
    expect(fault('OPENAI_API_KEY', 'https://elsewhere.example/v1')).toBe('KEY_ELSEWHERE')
    expect(fault('DATABASE_URL', 'https://elsewhere.example/v1')).toBe('KEY_ELSEWHERE')
    expect(fault('CONVENE_KEY_MINE', 'https://elsewhere.example/v1')).toBeNull()
    expect(fault('OWN_KEY', 'https://own.example/v2', 'own')).toBeNull()
    expect(fault('OWN_KEY', 'https://elsewhere.example/v1', 'own')).toBe('KEY_ELSEWHERE')
  })

  it('of the team is the one that the page names; one that is used is not taken out', () => {
    const story = opened()
    story.put(ANA, change(story, model(MODEL), { kind: 'team', id: 'team', value: { model: 'large' } }))
    expect(selectDefaultModel(story.world)).toBe('large')
    expect(story.world.team.model).toBe('large')
    expect(refusal(story, ANA, change(story, model(null)))).toBe('MODEL_IN_USE')
    expect(refusal(story, ANA, change(story, { kind: 'team', id: 'team', value: { model: 'none' } }))).toBe(
      'MODEL_UNKNOWN',
    )
    restart(story)
    expect(selectDefaultModel(story.world)).toBe('large')
  })
})

describe('[R118] a tool server', () => {
  it('is started here only with a command that the file allows', () => {
    const team = { ...teamConfig().team, toolsAllowed: ['uvx'] }
    const story = opened({ team })
    const local = (command: string) => refusal(story, ANA, change(story, tool({ ...TOOL, address: null, command })))
    expect(local('bash')).toBe('COMMAND_NOT_ALLOWED')
    expect(local('uvx')).toBeNull()
    expect(refusal(story, ANA, change(story, tool({ ...TOOL, address: null })))).toBe('BAD_INPUT')
  })

  it('is sent a key only from a variable that is meant for its address; a header without a key is none', () => {
    const story = opened()
    const fault = (key: ToolSetup['headers'][number]['key']) =>
      refusal(story, ANA, change(story, tool({ ...TOOL, headers: [{ name: 'Authorization', key }] })))
    expect(fault({ env: 'DATABASE_URL' })).toBe('KEY_ELSEWHERE')
    expect(fault({ env: 'CONVENE_KEY_MAIL' })).toBeNull()
    expect(fault({ stored: 'k1' })).toBeNull()
    expect(fault(null)).toBeNull()
  })

  it('of the file is reached as the file says; its guide and its rules can be changed', () => {
    const story = opened({ tools: { files: { ...TOOL, guide: 'reads files' } } })
    const files = (more: Partial<ToolSetup>) => change(story, tool({ ...TOOL, guide: 'reads files', ...more }, 'files'))
    expect(refusal(story, ANA, files({ address: 'https://elsewhere.example' }))).toBe('FIXED_BY_FILE')
    story.put(ANA, files({ guide: 'reads and writes', confirm: 'always', rules: { read: 'never' } }))
    expect(story.world.team.toolGuides).toEqual({ files: 'reads and writes' })
  })

  it('that is taken out is taken from its agents, each a change that can be undone', () => {
    const story = opened()
    story.put(ANA, change(story, tool(TOOL), agent({ ...NEW_AGENT, tools: ['mail', 'files'] })))
    story.put(ANA, change(story, tool(null)))
    expect(story.world.agents[NEW_AGENT.agent]?.tools).toEqual(['files'])
    expect(selectSetupRecord(story.world, 'agent', 'writer')?.changes).toHaveLength(2)
    expect(story.world.team.toolGuides).toEqual({ files: 'reads files' })
  })
})

describe('an address', () => {
  it('a model that is reached by one has it and a name there', () => {
    const story = opened()
    const fault = (more: Partial<ModelSetup>) =>
      refusal(story, ANA, change(story, model({ ...MODEL, key: null, ...more })))
    expect([fault({ baseUrl: null }), fault({ baseUrl: 'nowhere' })]).toEqual(['BAD_INPUT', 'BAD_INPUT'])
    expect([fault({ model: null }), fault({ model: ' ' })]).toEqual(['BAD_INPUT', 'BAD_INPUT'])
    expect(fault({})).toBeNull()
  })

  it('a tool server has one or a command, and one that is an address', () => {
    const story = opened()
    const fault = (more: Partial<ToolSetup>) => refusal(story, ANA, change(story, tool({ ...TOOL, ...more })))
    expect([fault({ address: null }), fault({ command: 'run' })]).toEqual(['BAD_INPUT', 'BAD_INPUT'])
    expect([fault({ address: 'nowhere' }), fault({})]).toEqual(['BAD_INPUT', null])
    // The name of one that the file has is taken; one of the page may be changed.
    expect(refusal(story, ANA, change(story, tool(TOOL, 'files')))).toBe('NAME_TAKEN')
    story.put(ANA, change(story, tool(TOOL)))
    expect(refusal(story, ANA, change(story, tool({ ...TOOL, guide: 'reads it' })))).toBeNull()
    const key = { env: 'DATABASE_URL' }
    const withKey = change(story, tool({ ...TOOL, headers: [{ name: 'X-Key', key }] }))
    const decided = decide(story.world, { id: 'a-try', by: ANA, command: withKey }, story.world.at + 1)
    expect(decided).toMatchObject({
      fault: { code: 'KEY_ELSEWHERE', data: { name: 'DATABASE_URL', host: 'tools.example' } },
    })
  })

  it('an agent with an open part in one of several stages is not taken out', () => {
    const { story } = storyOf(goals('read', TEAM.analyst.id), goals('compare', READER))
    restart(story)
    expect(refusal(story, ANA, change(story, agent(null, TEAM.reader.configId)))).toBe('AGENT_BUSY')
  })
})

describe('a value of the page', () => {
  it('of an agent has an id that no other agent has, and one of its own again', () => {
    const story = opened()
    expect(refusal(story, ANA, change(story, agent(NEW_AGENT, 'analyst')))).toBe('NAME_TAKEN')
    expect(refusal(story, ANA, change(story, agent(NEW_AGENT, 'ben')))).toBe('NAME_TAKEN')
    expect(refusal(story, ANA, change(story, agent(NEW_AGENT)))).toBeNull()
    story.put(ANA, change(story, agent(NEW_AGENT)))
    expect(refusal(story, ANA, change(story, agent({ ...NEW_AGENT, role: 'poet' })))).toBeNull()
  })

  it('of a model is of a provider that is reached by an address, with or without a key, or of that of the file', () => {
    const made = (provider: Provider): ModelSetup => ({ ...MODEL, provider, key: null, accepts: [] })
    const story = opened({ models: { house: made('rehearsal') } })
    expect(refusal(story, ANA, change(story, model({ ...MODEL, key: null })))).toBeNull()
    expect(refusal(story, ANA, change(story, model(made('rehearsal'))))).toBe('BAD_INPUT')
    expect(refusal(story, ANA, change(story, model({ ...made('rehearsal'), parallel: 9 }, 'house')))).toBeNull()
    expect(refusal(story, ANA, change(story, model({ ...made('person'), parallel: 9 }, 'house')))).toBe('BAD_INPUT')
  })

  it('[R592] of a model has media that its provider takes, and sets no field of the request that we set', () => {
    const story = opened()
    const given: Partial<ModelSetup>[] = [
      { provider: 'ollama', accepts: ['image'] },
      { provider: 'ollama', accepts: ['image', 'audio'] },
      { extra: { top_k: 3 } },
      { extra: { messages: [] } },
    ]
    const codes = given.map((more) => refusal(story, ANA, change(story, model({ ...MODEL, ...more }))))
    expect(codes).toEqual([null, 'BAD_INPUT', null, 'BAD_INPUT'])
  })

  it('[R592] of a tool server has not the name of the built-in one, also before there is another system', () => {
    const story = opened()
    expect(story.world.team.toolGuides).not.toHaveProperty(AGENTS_SERVER)
    const named = (id: string) => refusal(story, ANA, change(story, { kind: 'tool', id, value: TOOL }))
    expect([named(AGENTS_SERVER), named('mail')]).toEqual(['NAME_TAKEN', null])
  })
})
