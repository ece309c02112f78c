/** People at the protocol adapters: the same session, Origin and rights as in the console. */
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { AgentRecord, World } from '@/lib/mas/records'
import type { StoredSession } from '@/server/store'
import { BASE_TASK, Story, TEAM } from '@/test/worldHistories'
import type { SignedInCaller } from './sessions'
import { visitorOf } from './visitors'

const { world } = new Story()
const personOf = (id: keyof typeof world.agents): AgentRecord => {
  const found = world.agents[id]
  if (!found) throw new Error('no such person')
  return found
}
const as = (person: AgentRecord | null, token?: StoredSession['token']) => ({
  // Only the person of a session, and its token, are looked at.
  callerOf: () => Promise.resolve(person === null ? null : ({ person, session: { token } } as SignedInCaller)),
})
const BEARER = { authorization: `Bearer convene_${'x'.repeat(43)}` }
const from = (headers: Record<string, string>): IncomingMessage => ({ headers }) as IncomingMessage
const visit = (person: AgentRecord | null, headers: Record<string, string> = { host: 'ours.example' }) =>
  visitorOf(as(person), null, from(headers))

describe('a person of ours at an adapter', () => {
  const ana = personOf(TEAM.ana.id)
  const lee = personOf(TEAM.lee.id)

  it('[R54] an adapter knows the person of a session, on a page of ours or on none', async () => {
    expect(await visit(null)).toBeNull()
    expect((await visit(ana))?.person).toBe(ana.id)
    expect((await visit(ana, { host: 'ours.example', origin: 'https://ours.example' }))?.person).toBe(ana.id)
    expect(await visit(ana, { host: 'ours.example', origin: 'https://evil.example' })).toBeNull()
    expect(await visit({ ...ana, access: 'none' })).toBeNull()
  })

  it('[R784] an adapter knows the person of a token to read, from any page, and no session beside the key of a peer', async () => {
    const visitWith = (scopes: string[], headers: Record<string, string>) =>
      visitorOf(as(ana, { name: 'a program', scopes }), null, from({ host: 'ours.example', ...headers }))
    const other = { origin: 'https://evil.example' }
    expect((await visitWith(['read'], { ...BEARER, ...other }))?.person).toBe(ana.id)
    expect(await visitWith(['answer', 'ask', 'operate'], BEARER)).toBeNull()
    expect(await visit(ana, { host: 'ours.example', authorization: 'Bearer of-a-peer' })).toBeNull()
  })

  it('[R54] an adapter shows a person what the console shows them: a participant no task of others', async () => {
    const task = { ...world.tasks[BASE_TASK], base: false, group: [TEAM.reader.id, ana.id], former: {} }
    const closed: World = { ...world, tasks: { [BASE_TASK]: Object.assign({}, world.tasks[BASE_TASK], task) } }
    expect((await visit(lee))?.sightOf(closed, BASE_TASK)).toBeNull()
    expect((await visit({ ...ana, access: 'participant' }))?.sightOf(closed, BASE_TASK)).not.toBeNull()
    expect((await visit(ana))?.sightOf(closed, BASE_TASK)).not.toBeNull()
  })
})
