/** Talks over HTTP: who opens one, and by which doors nobody else comes in. */
import { expect, it } from 'vitest'
import type { TaskId } from '@/lib/mas/ids'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

let counter = 0
const body = (fields: object) => ({ id: `talks-${counter++}-${'x'.repeat(8)}`, until: Date.UTC(2030, 0), ...fields })
const WORD = 'quetzalword'
const plain = { mention: false, type: 'fyi', stage: null, replyTo: null, answers: null }

async function talkOfBen({ call, signIn }: Double) {
  const [ana, ben, dev] = [await signIn('ana'), await signIn('ben'), await signIn('dev')]
  const opened = await call('POST', '/api/talks', { cookie: ben, body: body({ with: 'reader' }) })
  const { task } = opened.json.reply as { task: TaskId }
  const wish = body({ ...plain, task, receivers: [ID.reader], text: `a ${WORD} between us` })
  expect((await call('POST', '/api/messages', { cookie: ben, body: wish })).status).toBe(200)
  return { ana, ben, dev, task }
}

it('[R815] opens one talk with a member, and refuses who is not signed in, nobody and oneself', async () => {
  const double = await openDouble()
  const { call } = double
  const { ben, task } = await talkOfBen(double)
  const open = async (who: string, cookie: string | null = ben) =>
    call('POST', '/api/talks', { cookie, body: body({ with: who }) })
  expect((await open('reader')).json.reply).toEqual({ task, made: false })
  expect((await open('reader', null)).status).toBe(401)
  expect((await open('ben')).json.error).toBe('RECEIVER_UNKNOWN')
  expect((await open('nobody')).json.error).toBe('NOT_FOUND')
})

it('[R816] is read by its member and by no operator or developer: task, states, export, tree, requests, record of acts', async () => {
  const double = await openDouble()
  const { call, engine, url } = double
  const { ana, ben, dev, task } = await talkOfBen(double)
  const [step] = stepsIn(engine.world().steps[task]?.[ID.reader])
  const ofTask = [
    `/api/states?type=step&task=${task}`,
    `/api/tasks/${task}/export?as=markdown`,
    `/api/tasks/${task}/export?as=archive`,
    `/api/tasks/${task}/result`,
    `/api/tasks/${task}/moments`,
    `/api/tasks/${task}/steps`,
    `/api/steps/${step?.id ?? 'none'}`,
    `/api/find/${task}`,
    `/api/find/${step?.id ?? 'none'}`,
  ]
  const lists = ['task', 'step', 'agent'].map((type) => `/api/states?type=${type}`)
  const others = ['/api/requests?for=all', '/api/waits', '/api/audit', '/api/audit?format=csv', `/api/search?q=${WORD}`]
  /** Doors of the talk that open, and lists with a word of it. */
  const heard = async (cookie: string): Promise<string[]> => {
    const found: string[] = []
    for (const door of [...ofTask, ...lists, ...others]) {
      const answer = await fetch(`${url}${door}`, { headers: { cookie } })
      const text = await answer.text()
      if (ofTask.includes(door) ? answer.ok : text.includes(WORD)) found.push(door)
    }
    return found
  }
  expect(await heard(ana)).toEqual([])
  expect(await heard(dev)).toEqual([])
  expect(await heard(ben)).toEqual(expect.arrayContaining(ofTask.slice(0, 3)))
  // What Ben did is known, with whom and when.
  const audit = JSON.stringify((await call('GET', '/api/audit', { cookie: ana })).json)
  expect(audit).toContain('Reader')
  expect(
    (await call('POST', `/api/tasks/${task}/pause`, { cookie: ana, body: body({ reason: 'look' }) })).json.error,
  ).toBe('NOT_FOUND')
})
