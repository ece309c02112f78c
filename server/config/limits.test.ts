/** Limits and conditions of the configuration: a value within each is accepted, one beyond it is reported with its path. */
import { describe, expect, test } from 'vitest'
// The default model of a configuration that names none.
import '@/packages/rehearsal/register'
import { LIMITS, limitsWith, PERSON_LIMITS } from '../shared/limits'
import { ConfigError, loadConfig } from './index'
import { nearest } from './nearest'

const TEAM = `team: { name: Small }
agents:
  - { id: boss, name: Boss, manager: true }
humans:
  - { id: ana, name: Ana, access: operator }
  - { id: ben, name: Ben }
`
const load = (text: string, env: Record<string, string> = {}) => loadConfig(env, () => text, { folder: '/srv/team' })

/** "place: message", in the order of the text. */
function mistakes(text: string, env: Record<string, string> = {}): string[] {
  try {
    load(text, env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ at, message }) => `${at}: ${message}`)
    throw error
  }
}
const hints = (text: string): (string | null)[] => {
  try {
    load(text)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ hint }) => hint)
    throw error
  }
}
const model = (settings: string): string => `${TEAM}models: { default: { ${settings} } }\n`

describe('who may be called from here', () => {
  const allowed = (env: Record<string, string>, more = '') => load(TEAM + more, env).allowPrivate

  test('[R122] while only this machine reaches the server, its own addresses may be called', () => {
    for (const HOST of ['', '127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost'])
      expect([HOST, allowed({ HOST })]).toEqual([HOST, 'loopback'])
  })

  test('[R122] once others reach it, no private address may be called', () => {
    for (const HOST of ['0.0.0.0', '10.0.0.5', '128.0.0.1', '::', 'localhost.example'])
      expect([HOST, allowed({ HOST })]).toEqual([HOST, false])
    expect(allowed({ PUBLIC_URL: 'https://team.example' })).toBe(false)
    expect(allowed({}, 'server: { trusted_proxies: [127.0.0.1] }\n')).toBe(false)
  })

  test('[R122] the configuration may decide otherwise', () => {
    expect(allowed({ HOST: '0.0.0.0' }, 'server: { allow_private: true }\n')).toBe(true)
    expect(allowed({}, 'server: { allow_private: false }\n')).toBe(false)
  })
})

describe('variables of the environment', () => {
  test.each<[name: string, taken: string[], refused: string[]]>([
    ['PORT', ['0', '65535', ' 80 '], ['65536', '-1', '80a', '1.5']],
    [
      'PUBLIC_URL',
      ['http://a', 'https://Team.Example:8443/', 'https://a//'],
      ['https://a/b', 'ftp://a', 'a.example', 'https://u@a'],
    ],
    ['DATABASE_URL', ['postgres://u@h/d', 'postgresql://h/d'], ['http://h/d', 'postgres//h']],
    ['DATABASE_SESSIONS', ['1', '999'], ['0', '1000', '-1', 'ten']],
    ['CONVENE_NODE', ['a', 'A_b-c.9', 'n'.repeat(64)], ['n'.repeat(65), '-a', 'a b', 'ä']],
    ['CONVENE_NODE_ADDRESS', ['a.example:1', '[::1]:65535'], ['a.example', 'a.example:65536', 'a b:1', ':80']],
  ])('%s is taken or refused by its form', (name, taken, refused) => {
    for (const value of ['', ...taken]) expect([value, mistakes(TEAM, { [name]: value })]).toEqual([value, []])
    for (const value of refused)
      expect([value, mistakes(TEAM, { [name]: value })]).toEqual([value, [expect.stringMatching(`^${name}: `)]])
  })

  test('arrive as numbers and names', () => {
    const read = (env: Record<string, string>) => load(TEAM, env)
    expect(read({ DATABASE_SESSIONS: '7' }).sessions).toBe(7)
    expect(read({ PORT: ' 80 ' }).port).toBe(80)
    expect(read({ PUBLIC_URL: 'https://a.example//' }).publicUrl).toBe('https://a.example')
    expect(read({ CONVENE_NODE: ' b ' }).node).toBe('b')
    expect(['1', '0', 'true', ''].map((CONVENE_BENCH) => read({ CONVENE_BENCH }).bench)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a model', () => {
  test.each([
    ['provider: openai', 'models.default: a model of provider openai needs the name of the model'],
    ['provider: ollama', 'models.default: a model of provider ollama needs the name of the model'],
    ['provider: openai, model: m, key_env: KEY, key_stored: x', 'models.default.key_stored: stands beside key_env'],
    ['provider: openai, model: m, base_url: "https://me@host/v1"', 'models.default.base_url: holds a secret'],
    ['provider: openai, model: m, base_url: "https://:pass@host/v1"', 'models.default.base_url: holds a secret'],
    [
      'provider: openai, model: m, base_url: "https://host/v1?version=1&token=2"',
      'models.default.base_url: holds a secret',
    ],
    ['provider: rehearsal, play: x', 'models.default.play: is for provider recording, not rehearsal'],
    ['provider: rehearsal, accepts: [image]', 'models.default.accepts: is for a model, not for provider rehearsal'],
    ['provider: rehearsal, extra: { a: 1 }', 'models.default.extra: is for a model server, not for provider rehearsal'],
    ['provider: person, max_tokens: 9', 'models.default.max_tokens: is for a model server, not for provider person'],
    [
      'provider: openai, model: m, context_tokens: 1000, max_tokens: 1000',
      'models.default.max_tokens: leaves no room in a context of 1000',
    ],
    ['provider: openai, model: m, context_tokens: 999', 'models.default.context_tokens: must be at least 1000'],
    ['provider: openai, model: m, time_limit_s: 0.5', 'models.default.time_limit_s: must be at least 1'],
    ['provider: openai, model: m, time_limit_s: 3601', 'models.default.time_limit_s: must be at most 3600'],
    ['provider: openai, model: m, temperature: 2.1', 'models.default.temperature: must be at most 2'],
    ['provider: openai, model: m, temperature: -1', 'models.default.temperature: must be at least 0'],
  ])('with %s is refused: %s', (settings, mistake) => {
    expect(mistakes(model(settings))).toEqual([mistake])
  })

  test.each([
    'provider: rehearsal',
    'provider: person',
    'provider: recording, play: x',
    'provider: openai, model: m, key_stored: x',
    'provider: google, model: m, accepts: [image, audio]',
    'provider: openai, model: m, temperature: 2',
    'provider: openai, model: m, context_tokens: 1000, max_tokens: 999',
    'provider: ollama, model: m, extra: { a: 1 }, reasoning_effort: low, record: x',
  ])('with %s is taken', (settings) => {
    expect(mistakes(model(settings))).toEqual([])
  })
})

describe('people', () => {
  test('have a password from the environment or as a hash, not both', () => {
    const both = 'password_env: ANA, password_hash: "$argon2id$x"'
    const text = TEAM.replace('access: operator', `access: operator, ${both}`)
    expect(mistakes(text)).toContain('humans[0].password_hash: stands beside password_env')
    expect(load(TEAM.replace('access: operator', 'access: operator, password_env: ANA')).humans[0]).toMatchObject({
      passwordEnv: 'ANA',
      passwordHash: null,
    })
  })

  const reached = (channels: string, notify: string) =>
    `${TEAM.replace('name: Ben', `name: Ben, channels: ${channels}`)}notify: ${notify}\n`

  test('with an e-mail address, be it one of several, need a mail server and a sender', () => {
    const no = 'notify: people have e-mail addresses, and no mail server is named'
    expect(mistakes(reached('{ email: ben@example.org }', '{}'))).toEqual([no])
    const sender = 'notify: e-mail needs a sender'
    expect(mistakes(reached('{ email: ben@example.org }', '{ smtp_env: SMTP }'))).toEqual([sender])
    expect(mistakes(reached('{ email: ben@example.org }', '{ smtp_env: SMTP, mail_from: a@b }'))).toEqual([])
    expect(mistakes(reached('{}', '{}'))).toEqual([])
  })

  test('with a webhook, be it one of several or that of all, need a key that signs', () => {
    const no = 'notify: webhooks are called, and no key signs the calls'
    expect(mistakes(reached('{ webhook: "https://a.example" }', '{}'))).toEqual([no])
    expect(mistakes(reached('{}', '{ webhook: "https://a.example" }'))).toEqual([no])
    expect(mistakes(reached('{ webhook: "https://a.example" }', '{ webhook_key_env: KEY }'))).toEqual([])
  })

  test('have a webhook only where its whole address is there', () => {
    const webhook = (address: string, env: Record<string, string>) =>
      load(reached(`{ webhook: "${address}" }`, '{ webhook_key_env: KEY }'), env).humans[1]?.channels.webhook
    expect(webhook('${env:HOOK}', { HOOK: 'https://a.example/b' })).toBe('https://a.example/b')
    expect(webhook('${env:HOOK}', { HOOK: 'no address' })).toBeNull()
    expect(webhook('https://a.example/${env:HOOK}', {})).toBeNull()
  })
})

describe('what an action and a peer may', () => {
  const peer = (more: string): string => `${TEAM}actions:
  weigh: { agent: boss, asks: 'Weigh {what}', parameters: { properties: { what: { type: string } } } }
peers:
  - { uri: 'agent://south.example/*', base_url: 'https://south.example', may: [envelope], actions: [weigh], ${more} }
`
  test('an action of an agent that the peer may not reach is refused, of any agent where none are named', () => {
    const text = peer('agents: [other]').replace('humans:', '  - { id: other, name: Other }\nhumans:')
    expect(mistakes(text)).toEqual(['peers[0].actions[0]: weigh is put to boss, whom this peer may not reach'])
    expect(mistakes(peer('agents: [boss]'))).toEqual([])
    expect(mistakes(peer('agents: []'))).toEqual([])
  })
})

describe('a value of another kind', () => {
  test.each([
    ['limits: { steps_per_part: "12" }', 'must be a number, not a text', 'Write it without quotes or units.'],
    ['limits: { steps_per_part: true }', 'must be a number, not true or false', null],
    [
      'team: { name: Small, public: "yes" }',
      'must be true or false, not a text',
      'Write true or false, without quotes.',
    ],
    ['server: { trusted_proxies: 127.0.0.1 }', 'must be a list, not a text', 'A list is written [127.0.0.1]'],
    ['server: { trusted_proxies: 7 }', 'must be a list, not a number', 'A list is written [one, two]'],
    ['server: { trusted_proxies: [[x]] }', 'must be a text, not a list', null],
    ['server: { trusted_proxies: [null] }', 'must be a text, not empty', null],
    ['team: { name: "" }', 'may not be empty', null],
    ['notify: { times: { again_min: 0.4 } }', 'must be at least 0.5', null],
  ])('%s is told as such', (section, message, hint) => {
    const name = section.split(':')[0]
    const text = `${name === 'team' ? TEAM.replace(/^team.*\n/, '') : TEAM}${section}\n`
    expect(mistakes(text).map((line) => line.replace(/^[^:]*: /, ''))).toEqual([message])
    expect(hints(text)).toEqual([hint])
  })

  test('is told at its own line, also where a block is repeated by its name', () => {
    const text = `${TEAM}tools:
  one: &server
    command: node
    gude: x
  two: *server
`
    expect(() => load(text)).toThrow(/convene\.yaml:10:5 {2}tools\.one\.gude: unknown key/)
    expect(() => load(text)).toThrow(/convene\.yaml:10:5 {2}tools\.two\.gude: unknown key/)
  })

  test('is told at the name of a key, or at its value', () => {
    expect(() => load(`${TEAM}tools: { 'a b': { command: node } }\n`)).toThrow(/convene\.yaml:7:10 {2}tools\.a b/)
    expect(() => load(`${TEAM}limits: { steps_per_part: none }\n`)).toThrow(/convene\.yaml:7:27 /)
  })
})

test('one mistake and several are counted', () => {
  expect(() => load(`${TEAM}colour: blue\n`)).toThrow(/^The configuration has a mistake:/)
  expect(() => load(`${TEAM}colour: blue\nshape: round\n`)).toThrow(/^The configuration has 2 mistakes:/)
})

test('a word is near when at most a third of the letters differ, rounded up, and three at most', () => {
  expect(nearest('abz', ['abc'])).toBe('abc')
  expect(nearest('azz', ['abc'])).toBeNull()
  expect(nearest('abcdzz', ['abcdef'])).toBe('abcdef')
  expect(nearest('abczzz', ['abcdef'])).toBeNull()
  expect(nearest('abcdefghizzz', ['abcdefghijkl'])).toBe('abcdefghijkl')
  expect(nearest('abcdefghzzzz', ['abcdefghijkl'])).toBeNull()
  // Of two the nearer one, whatever comes first.
  expect(nearest('tool', ['tolls', 'tools'])).toBe('tools')
})

describe('limits of one person', () => {
  const keys = [
    ['commands_per_person', 'commandsPerPerson'],
    ['reads_per_person', 'readsPerPerson'],
    ['sockets_per_person', 'socketsPerPerson'],
    ['uploads_per_person', 'uploadsPerPerson'],
    ['uploads_per_person_mib', 'uploadsPerPersonMib'],
    ['drafts_per_person', 'draftsPerPerson'],
    ['drafts_per_person_mib', 'draftsPerPersonMib'],
  ] as const

  test.each(keys)('[R457] %s is a whole number of at least 1; the others keep their defaults', (key, name) => {
    const { personLimits, limits } = load(`${TEAM}limits: { ${key}: 1 }\n`)
    expect(personLimits).toEqual({ ...PERSON_LIMITS, [name]: 1 })
    expect(limits.stepsPerPart).toBe(60)
    for (const wrong of ['0', '-1', '1.5', 'many'])
      expect(mistakes(`${TEAM}limits: { ${key}: ${wrong} }\n`)).toEqual([expect.stringContaining(`limits.${key}`)])
  })

  test('[R457] requests of one person are limited as configured', () => {
    const { personLimits } = load(`${TEAM}limits: { commands_per_person: 7, reads_per_person: 8 }\n`)
    const { commands, reads, costlyReads } = limitsWith(personLimits)
    expect([commands.most, reads.most, costlyReads]).toEqual([7, 8, LIMITS.costlyReads])
  })
})
