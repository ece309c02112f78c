/** Work from outside that a person pauses and resumes, that stops at a limit, and that a person ends before it is done. */
import { strict as assert } from 'node:assert'
import { CREW } from '@/test/rehearsalTeam'
import type { InProcess } from './inProcess'
import { found, LISTS } from './place'
import type { Requester } from './play'

/**
 * Ask for work, then pause it, resume it, let it stop at a limit and end it as failed.
 *
 * faults  an AssertionError, or an Error, when the requester does not hear each of these, in this order and without the reasons
 */
export async function interrupt(place: InProcess, requester: Requester): Promise<void> {
  for (const [name, text] of Object.entries(LISTS)) place.write(`${requester.folder}/${name}`, text)
  const heardOf = (status: string) =>
    found(
      () => `“${status}” for ${requester.name}\n${place.story()}`,
      async () => (await requester.heard()).find((one) => one.status === status) ?? null,
    )
  await requester.ask()
  const { id: task } = await found(
    () => 'the work',
    () => place.work() ?? null,
  )
  const [ana, reason] = [CREW.ana.id, 'the reserve price leaked']
  await place.system().put(ana, { type: 'pauseTask', task, reason })
  await heardOf('paused')
  await place.system().put(ana, { type: 'resumeTask', task, reason })
  await place.limitSteps(1)
  await heardOf('stopped')
  await place.limitSteps(60)
  const summary = 'The lists are not there.'
  await place.system().put(ana, { type: 'finishTask', task, state: 'failed', summary, reason })
  const end = await heardOf('failed')
  const heard = await requester.heard()
  const all = `${requester.name} got ${JSON.stringify(heard, null, 1)}`
  const states = heard.flatMap(({ status }) => status ?? [])
  const since = states.slice(states.indexOf('paused'))
  assert.deepEqual([[...new Set(since)], since.at(-1)], [['paused', 'working', 'stopped', 'failed'], 'failed'], all)
  assert.ok(end.text.includes(summary), all)
  assert.ok(!JSON.stringify(heard).includes(reason), all)
  assert.deepEqual([...new Set(heard.flatMap((one) => (one.status ? [one.about] : [])))], [requester.request], all)
  requester.close()
}
