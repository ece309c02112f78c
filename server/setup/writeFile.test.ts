/** “Write it into the file”: only what is otherwise is written, comments stay, and the next start finds the two agreed. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
// The default model of a configuration that names none.
import '@/packages/rehearsal/register'
import { type AgentId, asId } from '@/lib/mas/ids'
import { agentSetupOf, budgetSetups, humanSetupOf } from '@/lib/mas/setup/setup'
import {
  EMPTY_SETUP,
  mergeSetup,
  type Setup,
  type SetupFile,
  type SetupKind,
  type SetupRecord,
  type SetupValues,
} from '@/lib/mas/setup/setupRecords'
import { configCommand, loadConfig } from '../config'
import { fileWith, openConfigFile, UnwritableError } from './writeFile'

const FILE = `# The team of the tests.
team:
  name: Testers # shown at the top
models:
  default: { provider: rehearsal }
  # The large one plans.
  large:
    provider: openai
    model: large-1 # as its server calls it
    key_env: LARGE_KEY
    context_tokens: 100000 # it reads more
agents:
  - { id: manager, name: Manager, manager: true }
  # Reads.
  - id: reader
    name: Reader
    profile: >-
      Reads files.
    tools: [mail]
humans:
  - { id: ana, name: Ana, access: operator }
tools:
  mail: # e-mail
    baseurl: https://mail.example/mcp
    guide: Reads mail.
`
const commandOf = (text: string) => configCommand(loadConfig({}, () => text, { folder: '/srv' }))
/** What the file says, by kind. */
function fileOf(text: string): SetupFile {
  const { agents, team, models = {}, tools = {} } = commandOf(text)
  const own = agents.filter(({ kind }) => kind === 'llm').map((one) => [one.configId, agentSetupOf(one, true)] as const)
  const people = agents.filter(({ kind }) => kind === 'human')
  const others = team.startable.map((one) => [one.configId, agentSetupOf(one, false)] as const)
  return {
    agent: Object.fromEntries([...own, ...others]),
    human: Object.fromEntries(people.map((one) => [one.configId, humanSetupOf(one)])),
    model: models,
    tool: tools,
    team: { team: { model: team.model ?? '' } },
    budget: budgetSetups(team.limits),
  }
}
type Changes = { [Kind in SetupKind]?: Record<string, SetupValues[Kind] | null> }

function worldWith(changes: Changes): Setup {
  const file: SetupFile = fileOf(FILE)
  const records = <Kind extends SetupKind>(kind: Kind): Record<string, SetupRecord<SetupValues[Kind]>> => {
    const said: SetupFile[Kind] = file[kind]
    const made: Record<string, SetupValues[Kind] | null> = changes[kind] ?? {}
    return Object.fromEntries(
      [...new Set([...Object.keys(said), ...Object.keys(made)])].map((id) => [
        id,
        { id, file: said[id] ?? null, page: id in made ? { value: made[id] ?? null } : null, changes: [] },
      ]),
    )
  }
  return {
    agent: records('agent'),
    human: records('human'),
    model: records('model'),
    tool: records('tool'),
    team: records('team'),
    budget: records('budget'),
  }
}
const must = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('missing')
  return value
}
const { agent: AGENTS, model: MODELS, tool: TOOLS } = fileOf(FILE)
const READER = must(AGENTS.reader)
const LARGE = must(MODELS.large)
const MAIL = must(TOOLS.mail)
const writer = {
  ...READER,
  agent: asId<AgentId>('w'),
  name: 'Writer',
  tools: ['notes'],
  model: 'small',
  groups: ['writers'],
  limits: { stepsPerPart: 9 },
}
const small = { ...LARGE, model: 'small-1', key: { stored: 'k1' }, price: { input: 1, output: 2, cached: null } }
const notes = {
  ...MAIL,
  address: 'https://notes.example/mcp',
  headers: [{ name: 'Authorization', key: { stored: 'k2' } }],
  rules: { add: 'always' as const },
}
const CHANGES: Changes = {
  agent: { reader: { ...READER, profile: 'Reads all.\nAnd says so.', tools: [] }, writer },
  model: { large: { ...LARGE, contextTokens: 50_000 }, small },
  tool: { mail: null, notes },
  team: { team: { model: 'small' } },
}

describe('[R534] budgets in the file', () => {
  const LIMITED = FILE.replace(
    'models:',
    'limits: # of the work\n  cost_per_day: 5 # in USD\n  steps_per_part: 50\nmodels:',
  )
  const written = (text: string, key: string, limit: number | null): string =>
    fileWith(text, { setup: worldWith({ budget: { [key]: { limit } } }) })

  it('are written under their keys, where the file has limits and where it has none; comments stay', () => {
    expect(written(LIMITED, 'cost_per_day', 7)).toContain('cost_per_day: 7 # in USD')
    expect(commandOf(written(FILE, 'cost_per_agent_per_day', 2.5)).team.limits.costPerAgentPerDay).toBe(2.5)
  })

  it('are left out where there is no limit, also of a file that names none', () => {
    const without = written(LIMITED, 'cost_per_day', null)
    expect([without.includes('cost_per_day'), without.includes('steps_per_part: 50')]).toEqual([false, true])
    expect(commandOf(written(FILE, 'cost_per_day', null)).team.limits.costPerDay ?? null).toBeNull()
  })
})

describe('[R123] what the page changed, written into the file', () => {
  it('holds people who were invited or changed in the page, and none who were taken out', () => {
    const ana = must(fileOf(FILE).human.ana)
    const zoe = { ...ana, agent: asId<AgentId>('z'), name: 'Zoe', groups: ['writers'] }
    const invited = fileWith(FILE, { setup: worldWith({ human: { zoe, ana: { ...ana, role: 'lead' } } }) })
    expect(fileOf(invited).human).toMatchObject({ zoe: { name: 'Zoe', groups: ['writers'] }, ana: { role: 'lead' } })
    const without = fileWith(invited, { setup: worldWith({ human: { zoe, ana: null } }) })
    expect(Object.keys(fileOf(without).human)).toEqual(['zoe'])
  })

  it('is there, and all that it did not change stays as it was written, comments too', () => {
    const text = fileWith(FILE, { setup: worldWith(CHANGES) })
    for (const kept of [
      '# The team of the tests.',
      '# shown at the top',
      '# The large one plans.',
      '# Reads.',
      '# it reads more',
    ])
      expect(text).toContain(kept)
    expect(text).toContain('context_tokens: 50000')
    expect(text).not.toContain('mail.example')
    expect(text).not.toContain('{env:k')
    expect(fileOf(text).model.small).toEqual(small)
  })

  it('is one with the page at the next start: nothing is overruled, nothing is told', () => {
    const setup = worldWith(CHANGES)
    const written = fileOf(fileWith(FILE, { setup }))
    // The id of an agent follows from its id in the file.
    const agents: SetupFile['agent'] = {
      ...written.agent,
      writer: { ...must(written.agent.writer), agent: writer.agent },
    }
    for (const [id, record] of Object.entries(setup.agent))
      expect(mergeSetup(record, agents[id] ?? null)).toMatch(/same|file/)
    for (const [id, record] of Object.entries(setup.model))
      expect(mergeSetup(record, written.model[id] ?? null)).toMatch(/same|file/)
    for (const [id, record] of Object.entries(setup.tool))
      expect(mergeSetup(record, written.tool[id] ?? null)).toMatch(/same|file/)
    expect(written.team).toEqual({ team: { model: 'small' } })
  })

  const asWritten = (changes: Changes, text = FILE) => fileOf(fileWith(text, { setup: worldWith(changes) }))

  it.each<[string, Partial<typeof LARGE>]>([
    ['without a key', { key: null }],
    ['with a key of a variable', { key: { env: 'CONVENE_KEY_A' } }],
    ['with a typed key', { key: { stored: 'k3' } }],
    ['at another address', { baseUrl: 'https://a.example/v1' }],
    ['with a price, also of what the server remembers', { price: { input: 1, output: 2, cached: 0.5 } }],
    ['with other limits', { contextTokens: 9_000, timeLimitMs: 60_000, parallel: 2, temperature: 0 }],
    ['of another kind', { form: 'tags', reasoningEffort: 'low', extra: { top_k: 3 }, accepts: ['image'] }],
  ])('says a model %s, be it new or the file’s', (_, more) => {
    const wanted = { ...LARGE, ...more }
    expect(asWritten({ model: { large: wanted, added: wanted } }).model).toMatchObject({ large: wanted, added: wanted })
  })

  it.each<[string, Partial<typeof MAIL>]>([
    ['as a program', { address: null, command: 'node', args: ['tool.mjs', '-v'] }],
    ['as a program without arguments', { address: null, command: 'mail' }],
    ['with another guide and rules', { guide: 'Sends.', confirm: 'never', rules: { send: 'always' } }],
    ['with a typed key', { headers: [{ name: 'X-Key', key: { stored: 'k4' } }] }],
  ])('says a tool server %s, be it new or the file’s', (_, more) => {
    const wanted = { ...MAIL, ...more }
    expect(asWritten({ tool: { mail: wanted, added: wanted } }).tool).toEqual({ mail: wanted, added: wanted })
  })

  it('keeps the value of a header that is no key when a key is typed for another', () => {
    const text = FILE.replace('guide: Reads', 'headers: { X-Team: red, Authorization: "${env:A}" }\n    guide: Reads')
    const headers = [
      { name: 'X-Team', key: null },
      { name: 'Authorization', key: { stored: 'k5' } },
    ]
    const written = fileWith(text, { setup: worldWith({ tool: { mail: { ...MAIL, headers } } }) })
    expect(written).toContain('X-Team: red')
    expect(written).toContain('${stored:k5}')
    expect(written).not.toContain('env:A')
  })

  it('[R417] changes the rule of a tool alone: what else the file says of the server and its tools stays, with its comments', () => {
    const more = `    time_limit_s: 90 # it is slow
    longest_s: 900 # with progress
    tools:
      send: # it cannot be undone
        confirm: always
      list: { confirm: never } # harmless
`
    const file = { ...MAIL, rules: { send: 'always' as const, list: 'never' as const } }
    const withRules = (rules: (typeof MAIL)['rules']) => {
      const { tool, ...others } = worldWith({})
      const record = { id: 'mail', file, page: { value: { ...file, rules } }, changes: [] }
      return fileWith(`${FILE}${more}`, { setup: { ...others, tool: { ...tool, mail: record } } })
    }
    const changed = withRules({ send: 'never', list: 'never' })
    for (const kept of [
      'time_limit_s: 90 # it is slow',
      'longest_s: 900 # with progress',
      '# it cannot be undone',
      '# harmless',
    ])
      expect(changed).toContain(kept)
    expect(fileOf(changed).tool.mail?.rules).toEqual({ send: 'never', list: 'never' })
    const removed = withRules({ list: 'never' })
    expect(removed).toContain('# harmless')
    expect(fileOf(removed).tool.mail?.rules).toEqual({ list: 'never' })
  })

  it('says who manages, who may wait, who is only a template, and what each may do', () => {
    const other = {
      ...READER,
      manager: true,
      mayWait: true,
      skills: READER.skills.filter((skill) => skill !== 'planning'),
      limits: { reflectionsPerPart: 2 },
    }
    const template = { ...writer, start: false, model: 'large', tools: [], limits: { stepsPerPart: 9 } }
    const manager = { ...must(AGENTS.manager), manager: false }
    const { agent } = asWritten({ agent: { manager, reader: other, writer: template } })
    expect(agent.manager).toMatchObject({ manager: false, mayWait: false, start: true })
    expect(agent.reader).toEqual(other)
    expect(agent.writer).toEqual({ ...template, agent: agent.writer?.agent })
  })

  it('leaves each value that is the same as it was written', () => {
    const text = fileWith(FILE, { setup: worldWith({ agent: { reader: { ...READER, role: 'reads' } } }) })
    expect(text).toContain('tools: [ mail ]')
    expect(text).toContain('profile: >-')
  })

  it('says a model as a whole that somebody took out of the file meanwhile', () => {
    const text = FILE.replace(/ {2}# The large one[\s\S]*(?=agents:)/, '')
    const large = { ...LARGE, contextTokens: 9_000 }
    expect(asWritten({ model: { large } }, text).model.large).toEqual(large)
  })

  it('says nothing of an agent that was made and taken out in the page', () => {
    expect(asWritten({ agent: { brief: null }, team: { team: { model: 'large' } } }).agent).toEqual(AGENTS)
  })

  it('changes no byte where the page changed nothing', () => {
    expect(fileWith(FILE, { setup: worldWith({}) })).toBe(FILE)
    expect(fileWith(FILE, { setup: EMPTY_SETUP })).toBe(FILE)
  })

  it('is not written where the file would not be valid', () => {
    expect(() =>
      fileWith(FILE, {
        setup: worldWith({ model: { large: null }, agent: { reader: { ...READER, model: 'large' } } }),
      }),
    ).toThrow(UnwritableError)
    const ana = must(fileOf(FILE).human.ana)
    expect(() =>
      fileWith(FILE.replace(/humans:[\s\S]*(?=tools:\n)/, ''), { setup: worldWith({ human: { zoe: ana } }) }),
    ).toThrow(new UnwritableError('humans is no list'))
  })
})

describe('[R123] the file on the disk', () => {
  const onDisk = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'convene-file-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'team.yaml')
    await writeFile(path, FILE, { mode: 0o600 })
    return path
  }

  it('is replaced as a whole, and says then what the page says', async () => {
    const path = await onDisk()
    const world = { setup: worldWith(CHANGES) }
    const file = await openConfigFile(path, world)
    expect(file).toMatchObject({ name: 'team.yaml', canWrite: true, isSame: false })
    await file.write()
    expect(await readFile(path, 'utf8')).toBe(file.text)
    expect((await openConfigFile(path, { setup: worldWith({}) })).isSame).toBe(true)
  })

  it('that would not be valid says why', async () => {
    const world = { setup: worldWith({ model: { large: null }, agent: { reader: { ...READER, model: 'large' } } }) }
    await expect(openConfigFile(await onDisk(), world)).rejects.toMatchObject({
      code: 'FILE_UNFIT',
    })
  })

  it.skipIf(process.getuid?.() === 0)('that may not be written says so', async () => {
    const path = await onDisk()
    await chmod(path, 0o400)
    expect((await openConfigFile(path, { setup: worldWith(CHANGES) })).canWrite).toBe(false)
  })
})
