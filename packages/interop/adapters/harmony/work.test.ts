/** Work that comes as a Harmony packet, or as a list to continue: the other system fetches what is said and brings its answer. */
import { expect, it } from 'vitest'
import * as z from 'zod'
import { TASK_ARCHIVE_AFTER_MS } from '@/lib/mas/archive/archivable'
import { isElsewhere } from '@/lib/mas/members/traits'
import type { World } from '@/lib/mas/records'
import { sha256 } from '@/server/shared/sha256'
import { handClock } from '@/test/handClock'
import { must, tell } from '@/test/stories'
import type { SkillScript } from '@/test/testEngine'
import { send, TEAM } from '@/test/worldHistories'
import { answersAll } from '../../test/adapterSystem'
import { asAna, BY_ANA, BY_KEY, context, ID, KEY, listOf, peers, post, secrets } from '../../test/adapters/harmony'
import { harmonyRequester } from '../../test/outside/harmony'
import { type InProcess, openInProcess } from '../../test/outside/inProcess'
import { interrupt } from '../../test/outside/interrupt'
import { play, restartTwice } from '../../test/outside/play'

const SECRETS = [{ id: ID, key: KEY, sendKey: null, signingKey: null }]
const open = (): Promise<InProcess> => openInProcess({ id: ID, may: ['harmony'] }, { secrets: SECRETS })

/** From the request to the end. */
async function story(by: 'handoff' | 'import'): Promise<InProcess> {
  const place = await open()
  await play(place, [harmonyRequester(place, { key: KEY, folder: 'prices', by })], restartTwice(place))
  return place
}

it('[R147] [R148] [R162] a packet begins work: the question, the answer and the report go by export and import, with the report as the source, over two restarts', async () => {
  const place = await story('handoff')
  const [{ shared } = { shared: null }] = place.system().conversations()
  const Item = z.object({
    id: z.string(),
    metadata: z.object({ task_status: z.string().optional(), citation_map: z.unknown().optional() }).default({}),
  })
  const items = z.array(Item).parse(await listOf(place.system(), shared))
  const end = must(
    items.find(({ metadata }) => metadata.task_status === 'finished'),
    'end',
  )
  const cited = items.flatMap(({ metadata }) => metadata.citation_map ?? [])
  expect(cited.map((map) => Object.values(Object(map)))).toEqual([
    [expect.objectContaining({ source_type: 'file', source_id: end.id, source_name: 'report.md' })],
  ])
  // What was fetched counts as delivered.
  await place.until((world) => Object.values(world.outbox).every((all) => Object.keys(all).length === 0))
})

it('[R147] [R148] a list to continue begins the work that its user asked for last, once however often it is brought', async () => {
  const place = await story('import')
  expect(place.system().conversations()).toHaveLength(1)
})

it('[R147] a requester hears that its work was paused, resumed, stopped at a limit and ended as failed, without the reasons', async () => {
  const place = await open()
  await interrupt(place, harmonyRequester(place, { key: KEY, folder: 'prices', by: 'handoff' }))
})

it('[R54] what was said of archived work is exported to its requester as before, with its files', async () => {
  const clock = handClock()
  let isBegun = false
  const skill: SkillScript = (step, run) => {
    if (isBegun || step.agent !== TEAM.manager.id) return answersAll(step, run)
    isBegun = true
    return tell({ action: 'add_task', task_name: 'Compare', task_intention: 'compare', members: [TEAM.reader.id] })
  }
  const system = await context({ clock, skill })
  const begun = await post(system, 'import', {
    messages: [{ role: 'user', content: 'Compare the lists' }],
    continue: true,
  })
  const workIn = (world: World) =>
    Object.values(world.tasks).find(({ requestedBy }) => requestedBy !== null && isElsewhere(world, requestedBy))
  const { id: task, requestedBy } = must(workIn(await system.until((world) => workIn(world) !== undefined)), 'work')
  const { sha, bytes } = await system.store.bodies.put(Buffer.from('apple,3.50'), 'text/csv')
  const file = { name: 'list.csv', body: { sha, bytes, preview: '', mime: 'text/csv' }, savedAs: null }
  await system.put(TEAM.ana.id, {
    type: 'changeParticipants',
    task,
    add: [TEAM.ana.id],
    remove: [],
    reason: 'to ask',
  })
  const text = 'Which price of these?'
  await system.put(
    TEAM.ana.id,
    send(TEAM.ana.id, [must(requestedBy, 'requester')], { task, text, kind: 'action', attachments: [file] }),
  )
  const inside = { ...file, name: 'reserve.csv' }
  await system.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.reader.id], { task, text: 'For us', attachments: [inside] }))
  const own = must(
    system.messages().find((one) => one.text === 'For us'),
    'message of the team',
  )
  const { conversation_id } = begun.json
  await post(system, 'import', { conversation_id, messages: [{ role: 'user', content: '3.50' }] })
  await system.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'It is 3.50.', reason: 'done' })
  await system.until((world) => Object.values(world.work).every(({ running, todo }) => !running && todo.length === 0))
  const before = await listOf(system, conversation_id)
  const lines = JSON.stringify(before)
  expect(lines).toContain(text)
  expect(lines).toContain('"content":[{"type":"text","text":"3.50","index":0}]')
  const gone = system.until((world) => Object.values(world.tasks).every(({ base }) => base))
  for (let days = 0; days < 10; days += 1) {
    clock.pass(TASK_ARCHIVE_AFTER_MS)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await gone
  expect(await listOf(system, conversation_id)).toEqual(before)
  const [, path = ''] = /ours\.example(\/api\/harmony\/media[^>]+)>/.exec(lines) ?? []
  const given = await fetch(`${system.url}${path}`, { headers: BY_KEY })
  expect(await given.text()).toBe('apple,3.50')
  const other = `/api/harmony/media?conversation_id=${conversation_id}&message_id=${own.id}&at=0`
  expect((await system.call(other, { headers: BY_KEY })).status).toBe(404)
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

it('[R187] of a list to continue that is refused nothing is kept: no conversation, no message, no file', async () => {
  const limits = { tasks: 5, tokensPerDay: 1, costPerDay: null }
  const team = await openInProcess({ id: ID, may: ['harmony'], limits }, { secrets: SECRETS })
  const url = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`
  const content = [
    { type: 'text', text: 'How many?' },
    { type: 'image_url', image_url: { url } },
  ]
  expect((await post(team.system(), 'import', { messages: [{ role: 'user', content: 'Hello' }] })).status).toBe(200)
  const asked = { messages: [{ role: 'user', content: 'Compare the lists' }], continue: true }
  expect((await post(team.system(), 'import', asked)).status).toBe(200)
  await team.until((world) => (world.peers[ID]?.spent ?? []).length > 0)
  const before = team.system().conversations()
  const refused = await post(team.system(), 'import', { messages: [{ role: 'user', content }], continue: true })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
  expect(team.system().conversations()).toEqual(before)
  expect(await team.system().store.bodies.get(sha256(Buffer.from('a picture')))).toBeNull()
  // The same as before is answered as before.
  expect((await post(team.system(), 'import', asked)).status).toBe(200)
  expect(team.system().conversations()).toHaveLength(before.length)
})

it('[R187] a list to continue is kept by an agent that manages tasks, where the peer reaches one; another by the first', async () => {
  const [peer] = peers
  const system = await context({ peers: [{ ...must(peer, 'peer'), agents: [TEAM.reader.id, TEAM.manager.id] }] })
  const messages = [{ role: 'user', content: 'Compare the lists' }]
  await post(system, 'import', { messages })
  await post(system, 'import', { messages, continue: true })
  expect(system.conversations().map(({ ours }) => ours)).toEqual([TEAM.reader.id, TEAM.manager.id])
})

it('[R150] a person who brings a list to continue asks its keeper what a user asked last', async () => {
  const system = await context({ visitorOf: asAna })
  const messages = [
    { role: 'user', content: 'How many?' },
    { role: 'assistant', content: 'Seven.' },
    { role: 'user', content: 'And pears?' },
    { role: 'assistant', content: 'One moment.' },
  ]
  const { status, json } = await post(system, 'import', { messages, continue: true }, BY_ANA)
  expect(status).toBe(200)
  const own = system.messages().filter(({ task, imported }) => task === json.conversation_id && imported === undefined)
  expect(own[0]).toMatchObject({
    sender: TEAM.ana.id,
    receivers: [TEAM.manager.id],
    text: 'And pears?',
    type: 'action',
  })
  await system.until(() => system.messages().some(({ replyTo }) => replyTo === own[0]?.id))
})
