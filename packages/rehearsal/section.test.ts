/** What a configuration file says of the rehearsal. */
import { expect, it } from 'vitest'
import { ConfigError, loadConfig } from '@/server/config'

const TEAM = `team: { name: Small }
agents: [ { id: boss, name: Boss, role: boss, manager: true } ]
humans: [ { id: ana, name: Ana, role: operator, access: operator } ]
`
const load = (more: string) => loadConfig({}, () => TEAM + more, { folder: '/srv/convene' })
const problemsOf = (more: string) => {
  try {
    load(more)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ at, message, hint }) => [at, message, hint])
    throw error
  }
  return []
}

it('has its defaults where the file says nothing of it', () => {
  expect(load('').sections.rehearsal).toEqual({ delayMs: 15, faults: [], load: false })
})

it('is checked like the rest of the file, at its own keys', () => {
  expect(problemsOf('rehearsal: { delay_ms: 10001 }')).toEqual([['rehearsal.delay_ms', 'must be at most 10000', null]])
  expect(problemsOf('rehearsal: { delay: 1 }')).toEqual([['rehearsal.delay', 'unknown key', expect.any(String)]])
})

it('names agents of the team alone', () => {
  const faults = (agent: string) => problemsOf(`rehearsal: { faults: [ { call: 1, kind: slow, agent: ${agent} } ] }`)
  expect(faults('boss')).toEqual([])
  expect(faults('bos')).toEqual([
    ['rehearsal.faults[0].agent', 'there is no agent with the id "bos"', 'Did you mean boss?'],
  ])
})
