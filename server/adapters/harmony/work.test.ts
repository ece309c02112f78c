/** Work that comes as a Harmony packet, or as a list to continue: the other system fetches what is said and brings its answer. */
import { expect, it } from 'vitest'
import { harmonyRequester } from '@/test/outside/harmony'
import { type InProcess, openInProcess } from '@/test/outside/inProcess'
import { play, restartTwice } from '@/test/outside/play'
import { context, ID, KEY, post, secrets } from './testing'

const SECRETS = [{ id: ID, key: KEY, sendKey: null, signingKey: null }]
const open = (): Promise<InProcess> => openInProcess({ id: ID, may: ['harmony'] }, { secrets: SECRETS })

/** From the request to the end. */
async function story(by: 'handoff' | 'import'): Promise<InProcess> {
  const place = await open()
  await play(place, [harmonyRequester(place, { key: KEY, folder: 'prices', by })], restartTwice(place))
  return place
}

it('[R147] [R148] a packet begins work: the question, the answer and the report go by export and import, over two restarts', async () => {
  const place = await story('handoff')
  // What was fetched counts as delivered.
  await place.until((world) => Object.values(world.outbox).every((all) => Object.keys(all).length === 0))
})

it('[R147] [R148] a list to continue begins the work that its user asked for last, once however often it is brought', async () => {
  const place = await story('import')
  expect(place.system().conversations()).toHaveLength(1)
})

it('[R150] a list is not said in the conversation of another peer, which is not found', async () => {
  const system = await context()
  const said = { messages: [{ role: 'user', content: 'Hello' }] }
  const begun = await post(system, 'import', said)
  expect(begun.status).toBe(200)
  const before = JSON.stringify([system.messages(), system.conversations()])
  const foreign = { authorization: `Bearer ${secrets[1]?.key}` }
  const named = { ...said, conversation_id: begun.json.conversation_id }
  expect((await post(system, 'import', named, foreign)).status).toBe(404)
  expect(JSON.stringify([system.messages(), system.conversations()])).toBe(before)
  expect((await post(system, 'import', named)).status).toBe(200)
})

it('[R150] a list is said in a conversation of its own peer only, and nothing is kept of one that does not fit', async () => {
  const team = await open()
  const said = { messages: [{ role: 'user', content: 'Hello' }] }
  const answers = [
    await post(team.system(), 'import', { ...said, conversation_id: 'conv-none' }),
    await post(team.system(), 'import', { ...said, conversation_id: 7 }),
    await post(team.system(), 'import', { ...said, continue: 'yes' }),
    await post(team.system(), 'import', { messages: [{ role: 'system', content: 'Rules' }], continue: true }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 422])
  expect(team.system().conversations()).toEqual([])
})
