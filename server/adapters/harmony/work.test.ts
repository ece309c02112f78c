/** Work that comes as a Harmony packet, or as a list to go on from: the other system fetches what is said and brings its answer. */
import { expect, it, vi } from 'vitest'
import { openSystem, PEER } from '@/test/adapterSystem'
import { type OutsideWork, openOutsideWork, WISH } from '@/test/outsideWork'
import { must, says } from '@/test/stories'
import { BY_KEY, give, ID, KEY, post } from './testing'

type Item = {
  role: string
  name?: string
  content: string | { type: string; text?: string }[]
  metadata?: { task_status?: string }
}

const SECRETS = [{ id: ID, key: KEY, sendKey: null, signingKey: null }]
const open = (): Promise<OutsideWork> => openOutsideWork({ id: ID, may: ['harmony'] }, { secrets: SECRETS })
const textOf = ({ content }: Item): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')
const PACKET = {
  protocol: 'harmony_handoff_v1',
  meta: { source_agent: 'planner', target_agent: 'manager', timestamp: '2026-03-04T10:00:00Z' },
  context: {
    primary_objective: WISH,
    status: 'in_progress',
    completed_steps: ['the lists are there'],
    next_immediate_step: 'compare them',
    constraints: [],
    artifacts: {},
  },
}

async function listOf(team: OutsideWork, conversation: unknown): Promise<Item[]> {
  const { json } = await give(team.system(), `conversation_id=${conversation}`)
  return Array.isArray(json.messages) ? json.messages : []
}

/** From the request to the end, with two hard stops. */
async function story(team: OutsideWork, begun: { status: number; json: Record<string, unknown> }): Promise<void> {
  expect(begun.status).toBe(200)
  const { conversation_id } = begun.json
  const told = (status: string): Promise<Item> =>
    vi.waitFor(
      async () => {
        const list = await listOf(team, conversation_id)
        const found = list.find(({ metadata }) => metadata?.task_status === status)
        return must(found, `${status}; fetched ${JSON.stringify(list, null, 1)}\n${team.story()}`)
      },
      { timeout: 15_000, interval: 100 },
    )
  await team.restart()
  const asked = await told('input_required')
  expect(textOf(asked)).toContain('apple: 3.20')
  expect(asked.name).toBe('Manager')
  const answer = { conversation_id, messages: [{ role: 'user', content: '3.50' }] }
  expect((await post(team.system(), 'import', answer)).status).toBe(200)
  await team.restart()
  await team.confirmWrites()
  const end = await told('finished')
  expect(textOf(end)).toContain('is finished')
  const [, address = ''] = /(\/api\/harmony\/media\?[^"\\)>\s]+)/.exec(JSON.stringify(end)) ?? []
  const file = await fetch(`${team.system().url}${address}`, { headers: BY_KEY })
  expect(await file.text()).toContain('3.50')
  // Nothing else of the work is in the list, and what was fetched counts as delivered.
  const speakers = new Set((await listOf(team, conversation_id)).map(({ name }) => name))
  expect([...speakers].filter((name) => name === 'Reader' || name === 'Analyst')).toEqual([])
  const work = must(team.work(), 'work')
  expect(work.group).not.toContain(work.requestedBy)
  await team.until((world) => Object.values(world.outbox).every((all) => Object.keys(all).length === 0))
}

it('[R147] [R148] a packet begins work: the question, the answer and the report go by export and import', async () => {
  const team = await open()
  await story(team, await post(team.system(), 'handoff', PACKET))
})

it('[R147] [R148] a list to continue begins the work that its user asked for last', async () => {
  const team = await open()
  const messages = [
    { role: 'user', name: 'Mia', content: 'We have two price lists.' },
    { role: 'assistant', name: 'Planner', content: 'Which ones?' },
    { role: 'user', name: 'Mia', content: WISH },
  ]
  const list = { messages, continue: true }
  const begun = await post(team.system(), 'import', list)
  // The same list again is the same conversation, and asks for nothing more.
  expect((await post(team.system(), 'import', list)).json).toEqual(begun.json)
  await story(team, begun)
  expect(team.system().conversations()).toHaveLength(1)
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

it('[R150] the same words answer a later question too; the same list again, with nothing asked since, is a repeat', async () => {
  const system = await openSystem({
    peers: [{ ...PEER, id: ID, may: ['harmony'] }],
    secrets: SECRETS,
    skill: (step) => (step.executor === 'send_message' ? says([], { message: 'Shall I?', waiting: false }) : null),
  })
  const list = (content: string) => ({ messages: [{ role: 'user', content }], continue: true })
  const { conversation_id } = (await post(system, 'import', list('Begin.'))).json
  const yes = { messages: [{ role: 'user', content: 'yes' }], conversation_id }
  const heardYes = () => system.heard().filter(({ text, imported }) => text === 'yes' && imported === undefined)
  const asks = (n: number) =>
    system.until(() => system.messages().filter(({ text }) => text === 'Shall I?').length === n)
  await asks(1)
  const first = await post(system, 'import', yes)
  expect(first.json.mended).toEqual([{ at: 0, what: 'no_id' }])
  expect((await post(system, 'import', yes)).json).toEqual(first.json)
  expect(heardYes()).toHaveLength(1)
  const more = { messages: [{ role: 'user', content: 'And then?' }], conversation_id }
  await post(system, 'import', more)
  await asks(2)
  expect((await post(system, 'import', yes)).status).toBe(200)
  expect(heardYes()).toHaveLength(2)
})
