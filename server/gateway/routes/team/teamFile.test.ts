/** Teams as files over HTTP: what is exported, what a check shows, what an import adds; and that only operators do it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import { asId } from '@/lib/mas/ids'
import { checkedTeam, packedTeam, readyTeams } from '@/lib/wire/http'
import { uuidOf } from '@/server/config/identity'
import { commandHead as head, openSetupDouble as open } from '../../test/setupDouble'

const TEAM = {
  format: 'convene-team',
  version: 1,
  name: 'Writers',
  agents: [
    { id: 'writer', name: 'Writer', role: 'writer', tools: ['files', 'nowhere'] },
    { id: 'helper', name: 'Helper', start: false },
  ],
  templates: [{ name: 'Page', text: 'Write about {Topic}.' }],
  examples: [{ name: 'Try it', text: 'Write about pears.' }],
  rules: [
    { agent: 'writer', server: 'files', tool: 'write_file', rule: 'ask' },
    { agent: 'helper', server: 'files', tool: 'write_file', rule: 'off' },
  ],
}
const text = (more: object = {}): string => JSON.stringify({ ...TEAM, ...more })

async function opened() {
  const double = await open({ agentId: (id) => asId(uuidOf('agent', id)) })
  const cookie = await double.signIn('ana')
  const files = { address: 'https://tools.example/mcp', command: null }
  const changes = [{ kind: 'tool', id: 'files', value: files, seen: null }]
  expect((await double.call('POST', '/api/setup', { cookie, body: { ...head(), changes } })).status).toBe(200)
  const check = (team: string) => double.call('POST', '/api/team/check', { cookie, body: { team } })
  return {
    ...double,
    cookie,
    check,
    shown: async (team: string) => checkedTeam.parse((await check(team)).json),
    take: (team: string, digest: string) =>
      double.call('POST', '/api/team/import', { cookie, body: { ...head(), team, digest } }),
    packed: async () => packedTeam.parse((await double.call('GET', '/api/team/package', { cookie })).json),
    agent: (name: string) => Object.values(double.engine.world().agents).find((one) => one.name === name),
  }
}

it('[R836] a file is shown first, and then imported as it was shown: agents, templates and rules as if made in the page', async () => {
  const { shown, take, engine, agent } = await opened()
  const checked = await shown(text())
  expect(checked).toMatchObject({
    name: 'Writers',
    agents: [{ id: 'writer', name: 'Writer' }, { id: 'helper' }],
    templates: ['Page', 'Try it'],
    rules: [{ agent: 'Writer', tool: 'files.write_file', rule: 'ask' }],
  })
  expect(agent('Writer')).toBeUndefined()
  expect((await take(text(), checked.digest)).status).toBe(200)
  expect(agent('Writer')).toMatchObject({
    kind: 'llm',
    model: 'default',
    manager: false,
    configId: 'writer',
    tools: ['files'],
  })
  expect(agent('Writer')?.toolRules).toMatchObject([{ server: 'files', tool: 'write_file', rule: 'ask' }])
  expect(
    Object.values(engine.world().templates).map(({ name, by }) => [name, engine.world().agents[by]?.name]),
  ).toEqual([
    ['Page', 'Ana'],
    ['Try it', 'Ana'],
  ])
  expect(engine.world().setup.agent.writer?.changes).toHaveLength(1)
})

it('[R836] what is taken is renamed, and what does not fit here is left out and named', async () => {
  const { shown, take, agent } = await opened()
  await take(text(), (await shown(text())).digest)
  const again = await shown(text())
  expect(again.agents.map(({ id, name }) => [id, name])).toEqual([
    ['writer-2', 'Writer 2'],
    ['helper-2', 'Helper 2'],
  ])
  expect(again.templates).toEqual(['Page 2', 'Try it 2'])
  expect(again.notes).toEqual(
    expect.arrayContaining([
      { about: 'agent', name: 'Writer', why: 'renamed', detail: 'Writer 2' },
      { about: 'agent', name: 'Writer 2', why: 'tools', detail: 'nowhere' },
      { about: 'rule', name: 'Helper 2', why: 'rule', detail: 'files.write_file' },
      { about: 'template', name: 'Page', why: 'renamed', detail: 'Page 2' },
    ]),
  )
  expect((await take(text(), again.digest)).status).toBe(200)
  expect(agent('Writer 2')).toBeDefined()
})

it('[R836] a file that changed, or a name that was taken since it was shown, imports nothing', async () => {
  const { shown, take, agent } = await opened()
  const { digest } = await shown(text())
  expect((await take(text({ name: 'Others' }), digest)).json.error).toBe('DIGEST_CHANGED')
  expect(agent('Writer')).toBeUndefined()
  expect((await take(text(), digest)).status).toBe(200)
  expect((await take(text(), digest)).json.error).toBe('DIGEST_CHANGED')
})

it.each([
  ['no JSON', 'It is no JSON.'],
  [text({ version: 2 }), 'version'],
  [text({ people: [{ id: 'zoe' }] }), 'people'],
  [text({ tools: [{ command: 'rm' }] }), 'tools'],
  [text({ agents: [{ id: 'a', name: 'A', key: 'sk-1' }] }), 'key'],
  [text({ agents: [{ id: 'a', name: 'A', model: 'large' }] }), 'model'],
  [text({ rules: [{ agent: 'writer', server: 'files', tool: 'x', rule: 'allow' }] }), 'rules.0.rule'],
])('[R837] a file with more than a team is refused with the place: %s', async (team, place) => {
  const { check } = await opened()
  const { status, json } = await check(team)
  expect([status, json.error]).toEqual([400, 'BAD_INPUT'])
  expect(json.message).toContain(place)
})

it('[R837] texts with private addresses, and managers, are in no file and are not imported', async () => {
  const { cookie, call, packed, shown } = await opened()
  const agents = [
    { id: 'a', name: 'Inside', profile: 'Reads http://wiki.local/prices' },
    { id: 'b', name: 'Secret', profile: 'Reads https://ana:word@prices.example' },
    { id: 'c', name: 'Fine', profile: 'Reads https://prices.example/list' },
  ]
  const checked = await shown(text({ agents, rules: [] }))
  expect(checked.agents.map(({ name }) => name)).toEqual(['Fine'])
  expect(checked.notes.map(({ name, why }) => [name, why])).toEqual([
    ['Inside', 'address'],
    ['Secret', 'address'],
  ])
  const template = { ...head(), template: null, name: 'Inner', text: 'Look at http://10.0.0.7/x', fields: [] }
  expect((await call('POST', '/api/templates', { cookie, body: template })).status).toBe(200)
  const { team, notes } = await packed()
  expect(team.examples).toEqual([])
  expect(notes).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'Inner', why: 'address' })]))
  expect(notes.some(({ why }) => why === 'manager')).toBe(true)
})

it('[R837] what was imported and is exported again is the same team, with nothing of people, models and keys', async () => {
  const { shown, take, packed } = await opened()
  await take(text(), (await shown(text())).digest)
  const { team } = await packed()
  expect(team).toMatchObject({
    agents: expect.arrayContaining([expect.objectContaining({ id: 'writer', name: 'Writer', role: 'writer' })]),
    templates: [expect.objectContaining({ name: 'Page', text: 'Write about {Topic}.' })],
    examples: [{ name: 'Try it', text: 'Write about pears.' }],
    rules: [{ agent: 'writer', server: 'files', tool: 'write_file', rule: 'ask' }],
  })
  expect(JSON.stringify(team)).not.toMatch(/Ana|Ben|password|"model"|baseUrl|"key"/)
  expect((await shown(JSON.stringify(team))).name).toBe(team.name)
})

it('[R838] three ready teams come with the program in each language, and each can be imported', async () => {
  for (const language of LANGUAGES) {
    const names = readdirSync(join('config/teams', language))
    expect(names).toHaveLength(3)
    const { shown, take } = await opened()
    for (const name of names) {
      const team = readFileSync(join('config/teams', language, name), 'utf8')
      const checked = await shown(team)
      expect(checked.agents.length, name).toBe(3)
      expect((await take(team, checked.digest)).status, name).toBe(200)
    }
  }
  const { call, cookie } = await opened()
  const { teams } = readyTeams.parse((await call('GET', '/api/team/ready', { cookie })).json)
  expect(teams.map(({ id }) => id)).toEqual(['data-check', 'document-review', 'research-notes'])
})

it('[R836] nobody but operators exports, checks or imports a team', async () => {
  const { call, signIn } = await opened()
  for (const who of ['ben', 'dev']) {
    const cookie = await signIn(who)
    const answers = [
      await call('GET', '/api/team/package', { cookie }),
      await call('GET', '/api/team/ready', { cookie }),
      await call('POST', '/api/team/check', { cookie, body: { team: text() } }),
      await call('POST', '/api/team/import', { cookie, body: { ...head(), team: text(), digest: '' } }),
    ]
    for (const { status, json } of answers) expect([status, json.error], who).toEqual([403, 'NOT_ALLOWED'])
  }
})
