/**
 * A walk over every route of the OpenAPI document, every view of the socket and every endpoint of the adapters, with
 * every id that the system knows: a stranger, a participant outside of the task and a foreign peer find nothing of
 * others. A new route, view or adapter is walked without further work.
 */
import { expect, it } from 'vitest'
import { ID } from '@/server/gateway/test/world'
import { ADAPTER_CALLS } from '../test/adapterCalls'
import { read, readsOf, routesOf, write, writesOf } from './test/walkRoutes'
import { allEnvelopes, converse, listen, look, mampFrames, mapFrames, VIEWS } from './test/walkSockets'
import { isForAll, isOfTalk, PLACES } from './test/walkWords'
import { REQUESTERS_OWN } from './test/walkWork'
import { isWhole, KEYS, openWalk, WALK_LEE, type Walked } from './test/walkWorld'

const TIMEOUT_MS = isWhole ? 900_000 : 120_000

/** Who has no session is refused before any id is looked at, so one id will do in the short suite. */
const withOneId = (walked: Walked): Walked => {
  const few = isWhole ? walked.few : walked.few.slice(0, 1)
  return { ...walked, ids: few, few }
}

const counted = (statuses: ReadonlyMap<unknown, number>): string =>
  [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')

it('[R79] [R816] people with the right to it find every private word but those of a talk of two others', {
  timeout: TIMEOUT_MS,
}, async () => {
  const walked = await openWalk()
  const reads = readsOf(walked, routesOf(walked))
  for (const who of ['ana', 'dev'] as const) {
    const headers = { cookie: walked.cookies[who] }
    const { found, statuses } = await read(walked, reads, headers)
    const looked = await look(walked, headers)
    const seen = new Set(Object.keys({ ...found, ...looked?.found }).map((place) => place.split(' ')[0]))
    console.info(`${who}: ${reads.length} reads (${counted(statuses)}), ${looked?.views} views`)
    expect(PLACES.filter((place) => !seen.has(place))).toEqual(
      // Of a talk of two others nobody finds a word, whatever their access.
      PLACES.filter((one) => (who === 'ana' ? isOfTalk(one) : !isForAll(one))),
    )
    expect(looked?.kinds).toEqual(new Set(Object.keys(VIEWS)))
  }
})

it('[R79] a participant outside of the task finds nothing of it, and changes nothing of others', {
  timeout: TIMEOUT_MS,
}, async () => {
  const walked = await openWalk()
  const routes = routesOf(walked)
  const [reads, writes, headers] = [readsOf(walked, routes), writesOf(walked, routes), { cookie: walked.cookies.lee }]
  // In the short suite with few ids, and no views: all are read after the writes.
  const before = await read(walked, isWhole ? reads : readsOf(withOneId(walked), routes), headers)
  const viewed = isWhole ? await look(walked, headers) : null
  const written = await write(walked, writes, headers)
  // The writes may have opened something: everything is read again.
  const again = { cookie: await walked.signIn('lee') }
  const after = await read(walked, reads, again)
  const last = await look(walked, again)
  console.info(
    `lee: ${routes.length} routes, ${walked.ids.length} ids, ${reads.length} reads (${counted(after.statuses)}), ${writes.flat().length} writes, ${last?.views} views`,
  )
  expect({ ...before.found, ...viewed?.found, ...written.found, ...after.found, ...last?.found }).toEqual({})
  expect(written.moved).toEqual([])
  expect(written.unfit).toEqual([])
  expect(after.statuses.get(429) ?? 0).toBe(0)
  expect(walked.world().agents[WALK_LEE]?.access).toBe('participant')
})

it('[R79] a stranger finds nothing, and changes nothing', { timeout: TIMEOUT_MS }, async () => {
  const walked = withOneId(await openWalk())
  const routes = routesOf(walked)
  const reads = readsOf(walked, routes)
  const writes = writesOf(walked, routes)
  const head = walked.world().seq
  const { found, statuses } = await read(walked, reads, {})
  const written = await write(walked, writes, {})
  const spoken = await converse(walked, {})
  console.info(
    `a stranger: ${reads.length} reads (${counted(statuses)}), ${writes.flat().length} writes, ${spoken.calls} to adapters`,
  )
  expect({ ...found, ...written.found, ...spoken.found }).toEqual({})
  expect(walked.world().seq).toBe(head)
  expect(await look(walked, {})).toBeNull()
  for (const path of ['/envelope/v1/ws', '/mamp/v1/ws']) expect(await listen(walked, path, {}, [], 0)).toBeNull()
  const frames = mapFrames(walked.ids)
  expect(await listen(walked, '/map', {}, frames, frames.length)).toEqual({})
  expect(walked.world().seq).toBe(head)
})

it('[R79] [R781] a token of an operator without scope finds nothing and changes nothing, and one to read changes nothing', {
  timeout: TIMEOUT_MS,
}, async () => {
  const walked = withOneId(await openWalk())
  const tokenWith = async (scopes: readonly string[]) => {
    const secret = await walked.store.accounts.startSession(ID.ana, {
      token: { name: 'a walk', scopes },
      expiresAt: 9e15,
    })
    return { authorization: `Bearer convene_${secret}` }
  }
  const routes = routesOf(walked)
  const closed = routes.filter(({ isOpen }) => !isOpen)
  const [none, toRead] = [await tokenWith([]), await tokenWith(['read'])]
  const { found, statuses } = await read(walked, readsOf(walked, closed), none)
  // The metrics are for programs of their own, with METRICS_TOKEN.
  expect([...statuses.keys()].filter((status) => status !== 403 && status !== 404)).toEqual([])
  expect(found).toEqual({})
  const head = walked.world().seq
  for (const headers of [none, toRead])
    expect((await write(walked, writesOf(walked, closed), headers)).moved).toEqual([])
  const spoken = await converse(walked, none)
  expect(spoken.found).toEqual({})
  expect(await look(walked, none)).toBeNull()
  expect(walked.world().seq).toBe(head)
  expect((await look(walked, toRead))?.kinds).toEqual(new Set(Object.keys(VIEWS)))
})

it('[R79] [R193] a peer finds nothing of other conversations, nor of ours', { timeout: TIMEOUT_MS }, async () => {
  const walked = await openWalk()
  const routes = routesOf(walked)
  const headers = { authorization: `Bearer ${KEYS.west}` }
  const before = walked.world()
  const spoken = await converse(walked, headers)
  const reads = readsOf(withOneId(walked), routes)
  const { found } = await read(walked, reads, headers)
  const map = mapFrames(walked.ids)
  const said = await listen(walked, '/map', headers, map, map.length)
  const envelopes = allEnvelopes(walked)
  const heard = await listen(walked, '/envelope/v1/ws', headers, envelopes, envelopes.length)
  const messages = mampFrames(walked)
  const answered = await listen(walked, '/mamp/v1/ws', headers, messages, messages.length)
  console.info(
    `west: ${spoken.calls} to adapters (${counted(spoken.statuses)}), ${reads.length} reads, ${map.length} calls of MAP`,
  )
  expect({ ...spoken.found, ...found, ...said, ...heard, ...answered }).toEqual({})
  expect(await look(walked, headers)).toBeNull()
  // What the peer began is its own; in every earlier task nothing was said.
  const after = walked.world()
  for (const task of Object.keys(before.tasks) as (keyof typeof before.tasks)[]) {
    expect(after.messages[task]).toEqual(before.messages[task])
    expect(after.tasks[task]).toEqual(before.tasks[task])
  }
})

it('[R147] an agent that asked for work finds what is addressed to it, the state and the result with its files', {
  timeout: TIMEOUT_MS,
}, async () => {
  const walked = await openWalk()
  const headers = { authorization: `Bearer ${KEYS.south}` }
  const spoken = await converse(walked, headers, { isSouth: true, isReading: true })
  const { found } = await read(walked, readsOf(withOneId(walked), routesOf(walked)), headers)
  const map = mapFrames(walked.ids)
  const said = await listen(walked, '/map', headers, map, map.length)
  const seen = new Set(Object.keys({ ...spoken.found, ...found, ...said }).map((place) => place.split(' ')[0]))
  expect(seen).toEqual(new Set(['south', 'imported', 'checkpoint', 'metadata', ...REQUESTERS_OWN]))
  const states = walked.conversations.map(async (name) =>
    (await fetch(`${walked.url}/api/harmony/export?conversation_id=${name}`, { headers })).text(),
  )
  const told = (await Promise.all(states)).join('').match(/"task_status":"\w+"/g)
  expect(new Set(told)).toEqual(new Set(['"task_status":"input_required"', '"task_status":"finished"']))
})

it('[R79] every endpoint of the adapters is walked', async () => {
  const { endpoints } = await openWalk()
  expect(Object.keys(ADAPTER_CALLS).sort()).toEqual(endpoints.sort())
})

it('every route is in the OpenAPI document, signing out and all acts of operators among them', async () => {
  const walked = await openWalk()
  const document = new Set(
    routesOf(walked).map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  const served = walked.gateway.app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(served.filter((route) => !document.has(route))).toEqual([])
  expect(served.length).toBe(document.size)
  for (const route of ['POST /api/sessions/end', 'POST /api/people/:id/sign-out', 'POST /api/tasks/:id/manager'])
    expect(document).toContain(route)
})
