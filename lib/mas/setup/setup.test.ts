/** What counts of the file and the page together: names, models of the team, addresses. */

import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { emptyWorld, type World } from '../records'
import type { Provider } from './providers'
import {
  agentConfigOf,
  agentSetupOf,
  humanConfigOf,
  humanSetupOf,
  mayBeSent,
  originOf,
  selectSetup,
  selectSetupRecord,
  setupName,
  teamWith,
} from './setup'
import { EMPTY_SETUP, type ModelSetup, type SetupEntry } from './setupRecords'

const { entry } = sampleShapeOf('setup.changed')
const model = entry.kind === 'model' ? entry.value : null
const models = (providers: Record<string, Provider | null>): Pick<World, 'setup'> => ({
  setup: {
    ...EMPTY_SETUP,
    model: Object.fromEntries(
      Object.entries(providers).map(([id, provider]) => {
        const file: ModelSetup | null = provider === null || model === null ? null : { ...model, provider }
        return [id, { id, file, page: null, changes: [] }]
      }),
    ),
  },
})

describe('an address', () => {
  it('has the origin that a key may be sent to, and none where it is no address', () => {
    expect(originOf('https://models.example/v1')).toBe('https://models.example')
    expect([originOf(null), originOf('no address'), originOf('')]).toEqual([null, null, null])
  })

  it('gets the value of a variable that is named for any, or by the file for this one', () => {
    const key = { env: 'OWN_KEY' }
    const file = { key, address: 'https://models.example/v1' }
    const may = (address: string | null, of: Parameters<typeof mayBeSent>[2] = file) => mayBeSent(key, address, of)
    expect([may('https://models.example/v2'), may('https://other.example'), may(null)]).toEqual([true, false, false])
    expect([may(file.address, null), may(file.address, { ...file, key: null })]).toEqual([false, false])
    expect(may(file.address, { ...file, key: { env: 'OTHER_KEY' } })).toBe(false)
    expect(may(file.address, { ...file, key: { stored: 'k1' } })).toBe(false)
    expect(mayBeSent({ env: 'CONVENE_KEY_A' }, 'https://other.example', null)).toBe(true)
    expect(mayBeSent({ stored: 'k1' }, 'https://other.example', null)).toBe(true)
  })
})

describe('a variable of a service that many use', () => {
  const key = { env: 'OPENAI_API_KEY' }
  it("is sent to that service's own address, and nowhere else", () => {
    const may = (address: string | null) => mayBeSent(key, address, null)
    expect([may('https://api.openai.com/v1'), may('https://api.openai.com')]).toEqual([true, true])
    for (const other of ['https://api.openai.com:444/v1', 'http://api.openai.com/v1', 'https://other.example', null])
      expect([other, may(other)]).toEqual([other, false])
    expect(mayBeSent({ env: 'ANTHROPIC_API_KEY' }, 'https://api.openai.com/v1', null)).toBe(false)
    expect(mayBeSent({ env: 'SOME_KEY' }, 'https://api.openai.com/v1', null)).toBe(false)
  })

  it('is one for any address by its beginning, its letters and at most a hundred of them', () => {
    const may = (env: string) => mayBeSent({ env }, 'https://other.example', null)
    expect([may('CONVENE_KEY_A1_'), may(`CONVENE_KEY_${'A'.repeat(100)}`)]).toEqual([true, true])
    for (const env of ['CONVENE_KEY_', `CONVENE_KEY_${'A'.repeat(101)}`, 'CONVENE_KEY_a', 'XCONVENE_KEY_A', 'PATH'])
      expect([env, may(env)]).toEqual([env, false])
  })
})

describe('an agent of the setup', () => {
  const { config } = sampleShapeOf('agent.created')
  it('is the same agent when it is read back, and a person the same person', () => {
    const llm = { ...config, kind: 'llm' as const, access: 'none' as const, configId: 'one' }
    const { outside: _, ...plain } = llm
    expect(agentSetupOf(llm, true)).toMatchObject({ agent: llm.id, name: llm.name, start: true })
    expect(agentSetupOf(llm, false).start).toBe(false)
    expect(agentConfigOf('one', agentSetupOf(llm, false))).toEqual(plain)
    const human = humanConfigOf('ana', { ...humanSetupOf(llm), access: 'operator' })
    expect(human).toMatchObject({ id: llm.id, configId: 'ana', kind: 'human', access: 'operator', name: llm.name })
    expect([human.manager, human.mayWait, human.model, human.skills]).toEqual([false, false, '', []])
  })

  it('may be made at run time where it is none to start, and only then', () => {
    const value = (start: boolean) => agentSetupOf({ ...config, configId: 'one' }, start)
    const withAgents = {
      setup: {
        ...EMPTY_SETUP,
        agent: Object.fromEntries(
          [true, false].map((start) => {
            const id = start ? 'begins' : 'may-be-made'
            return [id, { id, file: value(start), page: null, changes: [] }]
          }),
        ),
      },
    }
    expect(teamWith(withAgents, emptyWorld.team).startable.map(({ configId }) => configId)).toEqual(['may-be-made'])
  })
})

describe('the team', () => {
  const team = { ...emptyWorld.team, models: ['own'] }
  it('has the models of the page beside those that only the file names', () => {
    expect(teamWith(models({ local: 'rehearsal' }), team).models).toEqual(['default', 'local', 'own'])
    expect(teamWith(models({ own: null, local: 'openai' }), team).models).toEqual(['default', 'local'])
    expect(teamWith({ setup: EMPTY_SETUP }, team).models).toEqual(['own'])
  })

  it('[R303] rehearses while no agent uses another model, whether or not there is one', () => {
    const { setup } = models({ local: 'rehearsal', far: 'openai' })
    const { config } = sampleShapeOf('agent.created')
    const isRehearsal = (model: string, teams = 'default'): boolean => {
      const file = agentSetupOf({ ...config, configId: 'one', model }, true)
      const agent = { one: { id: 'one', file, page: null, changes: [] } }
      const ofTeam = { team: { id: 'team', file: { model: teams }, page: null, changes: [] } }
      return teamWith({ setup: { ...setup, agent, team: ofTeam } }, team).rehearsal
    }
    expect([isRehearsal('default'), isRehearsal('local'), isRehearsal('default', 'local')]).toEqual([true, true, true])
    expect([isRehearsal('far'), isRehearsal('default', 'far'), isRehearsal('own')]).toEqual([false, false, false])
  })
})

describe('a record of the setup', () => {
  it('counts unless it is removed', () => {
    const world = models({ local: 'openai', gone: null })
    expect([...selectSetup(world, 'model').keys()]).toEqual(['local'])
    expect([selectSetupRecord(world, 'model', 'gone')?.id, selectSetupRecord(world, 'model', 'toString')]).toEqual([
      'gone',
      undefined,
    ])
  })

  it('is called as people know it: agents and people by their name while they are there, all else by its id', () => {
    const { config } = sampleShapeOf('agent.created')
    const person = {
      agent: config.id,
      name: 'Ben',
      role: '',
      profile: '',
      groups: [],
      tools: [],
      access: 'none',
    } as const
    const human = (value: SetupEntry<'human'>['value']) => setupName({ kind: 'human', id: 'ben', value })
    expect([human({ ...person, groups: [], tools: [] }), human(null)]).toEqual(['Ben', 'ben'])
    expect(setupName({ kind: 'model', id: 'local', value: model })).toBe('local')
  })
})
