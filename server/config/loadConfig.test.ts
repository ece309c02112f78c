import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
// The default model of a configuration that names none.
import '@/packages/rehearsal/register'
import { PERSON_LIMITS } from '../shared/limits'
import { ConfigError, configCommand, loadConfig, type Problem } from './index'

const FOLDER = '/srv/team'
const SMALLEST = `team: { name: Small }
agents:
  - { id: boss, name: Boss, manager: true }
humans:
  - { id: ana, name: Ana, access: operator }
`

const load = (text: string, env: Record<string, string> = {}) =>
  loadConfig(env, () => text, { folder: FOLDER, programOf: (name) => `/packages/${name}/program.js` })

const KEYS = { KEY_A: 'a', KEY_B: 'b', KEY_S: 's' }

function problemsOf(text: string, env: Record<string, string> = {}): readonly Problem[] {
  try {
    load(text, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('a file that is right', () => {
  test('the smallest team gets every default', () => {
    const config = load(SMALLEST)
    expect(config.team).toEqual({
      name: 'Small',
      language: 'en',
      model: 'default',
      domain: null,
      owner: {},
      device: {},
      allowedAgents: [],
      public: false,
      requireAuth: true,
      trajectory: true,
      reviewPlans: false,
      staleAfterMs: 45_000,
    })
    expect(config.models.default).toMatchObject({ provider: 'rehearsal', timeLimitMs: 120_000 })
    expect(config.limits).toEqual({
      stepsPerPart: 60,
      reflectionsPerPart: 5,
      talkInARow: 12,
      tokensPerTask: null,
      costPerTask: null,
      costPerDay: null,
      costPerAgentPerDay: null,
      costPerPersonPerDay: null,
    })
    expect(config.personLimits).toEqual(PERSON_LIMITS)
    expect(config.trustedProxies).toEqual([])
    expect(config.agents[0]?.start).toBe(true)
    expect(config.agents[0]?.agent).toMatchObject({
      configId: 'boss',
      kind: 'llm',
      manager: true,
      mayWait: false,
      tools: [],
    })
    expect(config.humans[0]?.agent).toMatchObject({ configId: 'ana', kind: 'human', access: 'operator', skills: [] })
  })

  test('a team whose models think for long says how long a silence is usual', () => {
    const patient = SMALLEST.replace('name: Small', 'name: Small, stale_after_s: 120')
    expect(load(patient).team.staleAfterMs).toBe(120_000)
    expect(problemsOf(patient.replace('120', '5'))).toHaveLength(1)
  })

  test('[R830] a team reviews every plan when its file says so', () => {
    const reviewing = load(SMALLEST.replace('name: Small', 'name: Small, review_plans: true'))
    expect(configCommand(reviewing).team.reviewPlans).toBe(true)
  })

  test('skills: [all] becomes the thirteen names; a shorter list stays as it is', () => {
    expect(load(SMALLEST).agents[0]?.agent.skills).toHaveLength(13)
    const some = SMALLEST.replace('manager: true', 'manager: true, skills: [think, task_manager, summary, reflection]')
    expect(load(some).agents[0]?.agent.skills).toEqual(['reflection', 'summary', 'think', 'task_manager'])
  })

  test.each(['config/convene.yaml', 'config/examples/zh.yaml', 'config/examples/journeys.yaml'])(
    '%s is right',
    (file) => {
      const config = loadConfig({ CONVENE_CONFIG: file }, (path) => readFileSync(path, 'utf8'))
      const files = config.tools.find(({ name }) => name === 'files')
      expect(files?.command).toBe(process.execPath)
      // The program's own file, not npx: nothing is fetched at run time.
      expect(readFileSync(files?.args?.[0] ?? '', 'utf8')).toContain('#!/usr/bin/env node')
      expect(files?.args?.[1]).toBe(config.workspaceFolder)
      expect(files?.root).toBe(config.workspaceFolder)
    },
  )

  test('the default team is the one that the documentation names, and its Manager has no tools', () => {
    const config = loadConfig({}, (path) => readFileSync(path, 'utf8'))
    const members = config.agents.filter(({ start }) => start).map(({ agent }) => agent)
    expect(members.map(({ name }) => name)).toEqual(['Manager', 'Reader', 'Analyst'])
    expect(members.map(({ tools }) => tools)).toEqual([[], ['files'], ['files']])
    // The manager can make further ones.
    expect(configCommand(config).team).not.toHaveProperty('reviewPlans')
    expect(configCommand(config).team.startable.map(({ name }) => name)).toEqual(['Helper'])
    expect(config.humans.map(({ agent }) => [agent.name, agent.access])).toEqual([
      ['Ana', 'operator'],
      ['Ben', 'participant'],
    ])
    expect(config.warnings).toEqual([])
  })

  test('the two companies of the examples know each other, each with its own half of the keys', () => {
    const [north, south] = ['north', 'south'].map((name) => {
      const config = loadConfig({ CONVENE_CONFIG: `config/examples/${name}.yaml` }, (path) =>
        readFileSync(path, 'utf8'),
      )
      return {
        ...config.peers[0],
        domain: config.team.domain,
        agents: config.agents.map(({ agent }) => agent.configId),
      }
    })
    expect(north?.uri).toBe(`agent://${south?.domain}/*`)
    expect(south?.agents).toEqual(expect.arrayContaining(['manager', 'seller']))
    expect(south?.uri).toBe(`agent://${north?.domain}/*`)
    expect([north?.keyEnv, north?.sendKeyEnv]).toEqual([south?.sendKeyEnv, south?.keyEnv])
    expect(north?.signingKeyEnv).toBe(south?.signingKeyEnv)
  })

  test('in zh the team has the same ids', () => {
    const ids = (file: string) =>
      loadConfig({ CONVENE_CONFIG: file }, (path) => readFileSync(path, 'utf8')).agents.map(({ agent }) => agent.id)
    expect(ids('config/examples/zh.yaml')).toEqual(ids('config/convene.yaml'))
  })
})

describe('a file with mistakes', () => {
  test('M-22 M-23 owner and device are a name, or what the card says of each; anything else is named', () => {
    const withTeam = (lines: string) => SMALLEST.replace('{ name: Small }', `{ name: Small, ${lines} }`)
    expect(load(withTeam('owner: Nora, device: a desk')).team).toMatchObject({
      owner: { user_name: 'Nora' },
      device: { device_name: 'a desk' },
    })
    const device = { device_id: 'd1', location: 'Beijing', platform: 'linux' }
    expect(load(withTeam(`device: ${JSON.stringify(device)}`)).team.device).toEqual(device)
    const wrong = problemsOf(withTeam('owner: { user: Nora }, device: 7'))
    expect(wrong.map(({ at, message }) => [at, message])).toEqual([
      ['team.owner.user', 'unknown key'],
      ['team.device', 'must be a name, or texts under device_id, device_name, location, platform'],
    ])
  })

  test('[R155] 001-5 an action is of an agent that is there, and asks with its own parameters', () => {
    const withActions = (lines: string, more = '') => `${SMALLEST}actions:\n${lines}${more}`
    const schema = 'parameters: { properties: { table: { type: string } }, required: [table] }'
    const good = `  处理数据: { agent: boss, asks: "Look at {table}.", ${schema} }\n`
    expect(load(withActions(good)).actions).toMatchObject([
      { name: '处理数据', agent: 'boss', parameters: { type: 'object', required: ['table'] } },
    ])
    const peer =
      'peers:\n  - { uri: agent://a.example, base_url: "http://a.example", actions: [处理数据], agents: [clerk] }\n'
    const clerk = withActions(good, peer).replace('humans:', '  - { id: clerk, name: Clerk }\nhumans:')
    expect(problemsOf(clerk)).toMatchObject([
      { at: 'peers[0].actions[0]', message: '处理数据 is put to boss, whom this peer may not reach' },
    ])
    const wrong = [
      `  ask: { agent: boss, asks: Look. }\n`,
      `  a: { agent: bos, asks: Look. }\n`,
      `  b: { agent: boss, asks: "Look at {tabel}.", ${schema} }\n`,
      `  c: { agent: boss, asks: Look., parameters: { type: array } }\n`,
    ]
    expect(wrong.flatMap((lines) => problemsOf(withActions(lines)).map(({ at, hint }) => [at, hint]))).toEqual([
      ['actions.ask', 'Choose another name.'],
      ['actions.a.agent', expect.stringContaining('boss')],
      ['actions.b.asks', expect.stringContaining('table')],
      ['actions.c.parameters.type', expect.anything()],
    ])
  })

  test('structured is refused with the key to write', () => {
    const text = `${SMALLEST}models:\n  default: { provider: rehearsal, structured: tags }\n`
    expect(problemsOf(text)).toMatchObject([{ hint: 'Write form: native, schema or tags.' }])
  })

  test('no two peers have one address or one key, and they reach agents that are there', () => {
    const peers = `${SMALLEST}
peers:
  - { uri: "agent://a.example/*", base_url: "http://a.example", key_env: KEY_A, agents: [nobody] }
  - { uri: "agent://a.example/*", base_url: "http://b.example", key_env: KEY_A }
`
    expect(problemsOf(peers).map(({ at }) => at)).toEqual(
      expect.arrayContaining(['peers[0].agents[0]', 'peers[1].uri', 'peers[1].key_env']),
    )
  })

  test('[R77] a peer that signs and may use map is an error at its line', () => {
    const peers = `${SMALLEST}
peers:
  - { uri: "agent://a.example/*", base_url: "http://a.example", key_env: KEY_A, signing_key_env: KEY_S, may: [mamp, map] }
  - { uri: "agent://b.example/*", base_url: "http://b.example", key_env: KEY_B, may: [mamp, map] }
`
    expect(problemsOf(peers)).toMatchObject([
      { at: 'peers[0].may[1]', line: peers.split('\n').findIndex((line) => line.includes('a.example')) + 1 },
    ])
    expect(problemsOf(peers)[0]?.hint).toContain('Take map out of may')
    const without = peers.replace('[mamp, map]', '[mamp]')
    expect(load(without, KEYS).peers.map(({ signingKeyEnv }) => signingKeyEnv)).toEqual(['KEY_S', null])
  })

  test('several mistakes come at once, each with line and column', () => {
    const problems = problemsOf(`team:
  name: 7
  colour: blue
agents:
  - id: boss
    name: Boss
    manager: yes please
    tols: [files]
humans:
  - { id: ana, name: Ana, access: root }
`)
    expect(problems.map(({ line, column, at }) => [line, column, at])).toEqual([
      [2, 9, 'team.name'],
      [3, 3, 'team.colour'],
      [7, 14, 'agents[0].manager'],
      [8, 5, 'agents[0].tols'],
      [10, 35, 'humans[0].access'],
    ])
    expect(problems[0]).toMatchObject({
      file: 'config/convene.yaml',
      message: 'must be a text, not a number',
      hint: 'Put it in quotes: "7"',
    })
    expect(problems[3]).toMatchObject({ message: 'unknown key', hint: 'Did you mean tools?' })
    expect(problems[4]?.hint).toBe('Known here: participant, operator, developer')
  })

  test('an unknown key deep in the file is reported with the known keys of its place', () => {
    const problems = problemsOf(`${SMALLEST}tools:
  files: { command: node, tools: { write_file: { confrim: always } } }
`)
    expect(problems).toMatchObject([
      { line: 7, at: 'tools.files.tools.write_file.confrim', hint: 'Did you mean confirm?' },
    ])
  })

  test('what is missing is reported at the block that lacks it', () => {
    const problems = problemsOf(SMALLEST.replace('name: Boss, ', ''))
    expect(problems).toMatchObject([
      { line: 3, at: 'agents[0].name', message: 'is missing', hint: 'Write name: … here.' },
    ])
  })

  test('an agent that could never end its part is refused, and a manager that could not judge', () => {
    const skills = (list: string) => problemsOf(SMALLEST.replace('manager: true', `manager: true, skills: [${list}]`))
    expect(skills('think, task_manager')).toMatchObject([
      {
        line: 3,
        at: 'agents[0].skills',
        message: 'lacks reflection, summary: boss could not end its work, or judge that of others',
        hint: 'Add reflection, summary here, or write skills: [all].',
      },
    ])
    expect(skills('reflection, summary')[0]?.message).toContain('lacks task_manager')
  })

  test('names that point nowhere are told, with the closest one', () => {
    const text = SMALLEST.replace('manager: true', 'manager: true, tools: [file], model: defualt')
    expect(problemsOf(`${text}tools: { files: { command: node } }\n`)).toMatchObject([
      { at: 'agents[0].tools[0]', message: 'there is no tool server called "file"', hint: 'Did you mean files?' },
      { at: 'agents[0].model', message: 'there is no model called "defualt"', hint: 'Did you mean default?' },
    ])
  })

  test('an agent and a person may not share an id', () => {
    expect(problemsOf(SMALLEST.replace('id: ana', 'id: boss'))).toMatchObject([{ line: 5, at: 'humans[0].id' }])
  })

  test('a team needs a manager and an operator', () => {
    const text = SMALLEST.replace(', manager: true', '').replace('operator', 'participant')
    expect(problemsOf(text).map(({ message }) => message)).toEqual([
      'nobody manages the base task',
      'nobody is an operator',
    ])
  })

  test('a tool server is started or reached, never both and never neither', () => {
    const both = 'tools: { x: { command: node, baseurl: "http://127.0.0.1:1" } }\n'
    expect(problemsOf(SMALLEST + both)[0]?.message).toBe('has both command and baseurl')
    expect(problemsOf(`${SMALLEST}tools: { x: { guide: hm } }\n`)[0]?.message).toBe('has neither command nor baseurl')
  })

  test('invalid YAML is reported with its position', () => {
    expect(problemsOf('team:\n\tname: x\n')[0]).toMatchObject({
      line: 2,
      hint: 'Indent with spaces; YAML does not take tabs.',
    })
    expect(problemsOf(`${SMALLEST}team: { name: Again }\n`)[0]).toMatchObject({ line: 6, hint: 'Write each key once.' })
    expect(problemsOf('')[0]?.message).toBe('the file is empty')
    expect(problemsOf('just words')[0]?.message).toBe('must be a block of keys, not a text')
  })

  test('an unknown placeholder and a package that is not there are told at their argument', () => {
    const text = `${SMALLEST}tools:
  x:
    command: node
    args: ['\${package:none}', '\${wrokspace}']
`
    const read = () =>
      loadConfig({}, () => text, {
        folder: FOLDER,
        programOf: () => {
          throw new Error('not here')
        },
      })
    expect(read).toThrow(/convene\.yaml:9:12 {2}tools\.x\.args\[0\]: the package none is not installed/)
    expect(read).toThrow(/convene\.yaml:9:31 {2}tools\.x\.args\[1\]: \$\{wrokspace\} stands for nothing/)
  })

  test('a file that is not there is named', () => {
    const none = () => {
      throw Object.assign(new Error('no'), { code: 'ENOENT' })
    }
    expect(() => loadConfig({ CONVENE_CONFIG: 'mine.yaml' }, none, { folder: FOLDER })).toThrow(
      /mine\.yaml {2}there is no such file/,
    )
  })
})

describe('the environment', () => {
  test('has its defaults, relative to the folder', () => {
    expect(load(SMALLEST)).toMatchObject({
      file: `${FOLDER}/config/convene.yaml`,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: null,
      databaseUrl: null,
      sessions: undefined,
      dataFolder: `${FOLDER}/.convene`,
      workspaceFolder: `${FOLDER}/workspace`,
      bench: false,
    })
  })

  test('is read, and an empty variable counts as none', () => {
    const env = {
      PORT: '0',
      HOST: '',
      PUBLIC_URL: 'https://team.example.org/',
      CONVENE_DATA: '/data',
      CONVENE_BENCH: '1',
      CONVENE_NODE: 'b',
    }
    expect(load(SMALLEST, env)).toMatchObject({
      port: 0,
      host: '127.0.0.1',
      publicUrl: 'https://team.example.org',
      dataFolder: '/data',
      bench: true,
      node: 'b',
      nodeAddress: null,
    })
  })

  test('[R264] CONVENE_NODE_TOOLS says that a node of several lacks the workspace; anything else is refused in one sentence', () => {
    expect(load(SMALLEST).hasFiles).toBe(true)
    expect(load(SMALLEST, { CONVENE_NODE_TOOLS: 'all' }).hasFiles).toBe(true)
    const several = { DATABASE_URL: 'postgres://db/x', CONVENE_SECRET_KEY: 'k' }
    expect(load(SMALLEST, { CONVENE_NODE_TOOLS: 'no-files', ...several }).hasFiles).toBe(false)
    const said = (env: Record<string, string>): unknown =>
      problemsOf(SMALLEST, env).map(({ at, message }) => `${at} ${message}`)
    expect(said({ CONVENE_NODE_TOOLS: 'some', ...several })).toEqual(['CONVENE_NODE_TOOLS "some" is unknown'])
    const alone = ['CONVENE_NODE_TOOLS no-files is for one of several nodes, and alone nobody would have the files']
    expect(said({ CONVENE_NODE_TOOLS: 'no-files' })).toEqual(alone)
    expect(said({ CONVENE_NODE_TOOLS: 'no-files', DATABASE_URL: several.DATABASE_URL })).toEqual(alone)
  })

  test('its mistakes stand beside those of the file', () => {
    const problems = problemsOf(`${SMALLEST}colour: blue\n`, {
      PORT: '99999',
      PUBLIC_URL: 'team.example.org',
      DATABASE_URL: 'mysql://u:hidden@h/d',
    })
    expect(problems.map(({ at }) => at)).toEqual(['PORT', 'PUBLIC_URL', 'DATABASE_URL', 'colour'])
    expect(JSON.stringify(problems)).not.toContain('hidden')
  })
})

describe('secrets', () => {
  const text = SMALLEST.replace('access: operator', 'access: operator, password_env: ANA_PASSWORD')

  test('come by the names that the file holds, and by those that operators may name for other systems', () => {
    const config = load(text, { ANA_PASSWORD: 'swordfish', OTHER: 'x' })
    expect(config.secret('ANA_PASSWORD')).toBe('swordfish')
    expect(config.secret('OTHER')).toBeUndefined()
    expect(load(text, { CONVENE_PEER_SOUTH: 'z' }).secret('CONVENE_PEER_SOUTH')).toBe('z')
    expect(JSON.stringify(config)).not.toContain('swordfish')
    expect(config.warnings).toEqual([])
  })

  test('one that is not set is a warning, since the sign-in link still works', () => {
    expect(load(text).warnings).toEqual([
      'ANA_PASSWORD is not set: Ana cannot sign in with a password from the environment.',
    ])
  })

  test('a secret in the place of a name is refused, unless it looks like a name', () => {
    const key = `${SMALLEST}models: { default: { provider: openai, model: m, key_env: sk-abc-123 } }\n`
    expect(problemsOf(key)[0]?.message).toBe('must be the name of an environment variable, not the secret itself')
  })

  test('a tool server gets the variables that its block names', () => {
    const server = `${SMALLEST}tools: { x: { command: prog, env: { TOKEN: '\${env:MY_TOKEN}' } } }\n`
    expect(load(server, { MY_TOKEN: 't' }).tools[0]?.env).toEqual({ TOKEN: 't' })
  })
})

describe('remote tool servers', () => {
  const withServer = (server: string) => `${SMALLEST}tools:\n  far: ${server}\n`

  test('headers, secrets and limits are filled in from the environment and the file', () => {
    const text = withServer(
      '{ baseurl: "https://tools.example.org/mcp", headers: { X-Key: "k ${env:FAR_KEY}" }, time_limit_s: 5, longest_s: 60, ' +
        'sampling: never, oauth: { client_id: us, client_secret_env: FAR_SECRET, issuer: "https://id.example.org" } }',
    )
    const config = load(text, { FAR_KEY: 'one', FAR_SECRET: 'two' })
    expect(config.tools[0]).toMatchObject({
      headers: { 'X-Key': 'k one' },
      timeLimitMs: 5_000,
      longestMs: 60_000,
      sampling: 'never',
      oauth: { grant: 'authorization_code', clientId: 'us', clientSecret: 'two', issuer: 'https://id.example.org' },
    })
    expect(load(text, { FAR_KEY: 'one' }).warnings.join()).toContain('FAR_SECRET is not set')
  })

  test.each([
    ['{ command: node, headers: { X-Key: x } }', 'stands beside command'],
    ['{ command: node, oauth: { scope: x } }', 'stands beside command'],
    ['{ baseurl: "https://a.org", oauth: { grant: client_credentials, client_id: us } }', 'needs client_secret_env'],
    ['{ baseurl: "https://a.org", oauth: { client_id: us, client_secret_env: S } }', 'names no issuer'],
  ])('%s is refused: %s', (server, why) => {
    expect(problemsOf(withServer(server), { S: 's' }).map(({ message }) => message)).toEqual([
      expect.stringContaining(why),
    ])
  })
})

describe('how people are reached', () => {
  const people = (rest: string): string => `team: { name: Small }
agents:
  - { id: boss, name: Boss, manager: true }
humans:
  - { id: ana, name: Ana, access: operator, groups: [leads], channels: { email: ana@example.org, webhook: "https://chat.example/hooks/\${env:HOOK}" } }
notify: ${rest}
`
  const WHOLE =
    '{ smtp_env: SMTP, mail_from: convene@example.org, webhook_key_env: KEY, escalation: [leads], times: { until_min: 10 } }'

  test('the address of a webhook comes from the environment, times and policies are complete', () => {
    const { humans, notify } = load(people(WHOLE), { HOOK: 'abc', SMTP: 'smtp://x', KEY: 'k' })
    expect(humans[0]?.channels).toEqual({ email: 'ana@example.org', webhook: 'https://chat.example/hooks/abc' })
    expect(notify.escalation).toEqual([{ group: 'leads', afterMs: 120_000 }])
    expect(notify.times).toMatchObject({ ownChannelsMs: 60_000, againMs: 300_000, untilMs: 600_000 })
  })

  test('a channel that cannot work is reported at the start', () => {
    expect(load(people(WHOLE), {}).humans[0]?.channels.webhook).toBeNull()
    expect(load(people(WHOLE), {}).warnings.join(' ')).toMatch(/SMTP is not set: no e-mail is sent/)
    const said = problemsOf(people('{ escalation: [leds] }')).map(({ message }) => message)
    expect(said).toEqual([
      'people have e-mail addresses, and no mail server is named',
      'webhooks are called, and no key signs the calls',
      'nobody is in the group "leds"',
    ])
  })
})

describe('server.trusted_proxies', () => {
  test('[R67] takes addresses and ranges', () => {
    const list = ['127.0.0.1', '::1', '10.0.0.0/8', 'fd00::/8']
    expect(load(`${SMALLEST}server: { trusted_proxies: ${JSON.stringify(list)} }\n`).trustedProxies).toEqual(list)
  })

  test('[R67] anything else is refused with its line and a hint', () => {
    const text = `${SMALLEST}server:\n  trusted_proxies: [127.0.0.1, proxy.example, 10.0.0.0/33, 0.0.0.0/0]\n`
    expect(problemsOf(text)).toMatchObject([
      { line: 7, message: '"proxy.example" is no address', hint: expect.stringContaining('10.0.0.0/8') },
      { line: 7, message: '"10.0.0.0/33" is no address' },
      { line: 7, message: '"0.0.0.0/0" would trust every address' },
    ])
  })
})
