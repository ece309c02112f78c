/** What became of a request for new work. */
import { expect, it } from 'vitest'
import { openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

let count = 0
const head = () => ({ id: `work-status-${count++}`, until: Date.UTC(2030, 0) })

it('[R789] new work is found by the id of its message before it has a task, by whoever asked and by operators alone', async () => {
  const { call, signIn } = await openDouble()
  const [ben, dev] = [await signIn('ben'), await signIn('dev')]
  const ana = await signIn('ana')
  const body = { ...head(), wish: 'Count', pasted: '', files: [] }
  const { reply } = (await call('POST', '/api/work', { cookie: ana, body })).json as { reply: { messages: string[] } }
  const path = `/api/work/${reply.messages[0]}`
  const { json } = await call('GET', path, { cookie: ana })
  expect(json).toMatchObject({ message: reply.messages[0], task: null, state: 'asked', requests: [], messages: [] })
  expect((await call('GET', path, { cookie: dev })).status).toBe(200)
  expect((await call('GET', path, { cookie: ben })).status).toBe(404)
})

it('[R789] a task shows what is open to the caller, to others that it runs, and nothing to a stranger of it', async () => {
  const { call, signIn } = await openDouble()
  const of = async (task: string, who: string) =>
    (await call('GET', `/api/work/${task}`, { cookie: await signIn(who) })).json
  expect(await of(ID.prices, 'ben')).toMatchObject({
    task: { id: ID.prices, name: 'Prices' },
    state: 'input_required',
    requests: [{ request: { id: ID.ask } }],
    messages: [{ from: 'Reader', text: 'Which holds?' }],
  })
  expect(await of(ID.prices, 'ana')).toMatchObject({ state: 'running', requests: [], messages: [] })
  expect(await of(ID.secret, 'ben')).toMatchObject({ error: 'NOT_FOUND' })
  expect(await of('00000000-0000-4000-8000-00000000dead', 'ana')).toMatchObject({ error: 'NOT_FOUND' })
})
