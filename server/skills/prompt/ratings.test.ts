/** What a manager reads of earlier ratings of the person who asks. */
import { expect, it } from 'vitest'
import type { AgentId, TaskId, TemplateId } from '@/lib/mas/ids'
import type { KeptRating, StepRecord, World } from '@/lib/mas/records'
import { ANA, BASE, MANAGER, makeMessage, READER, testWorld, withMessage } from '@/test/skillWorld'
import { promptOf, running, sectionOf } from '../test/promptParts'

const OTHER = 'other' as AgentId

const rated = (n: number, more: Partial<KeptRating> = {}): KeptRating => ({
  task: `t${n}` as TaskId,
  taskName: `Compare ${n}`,
  by: ANA,
  rating: 'up',
  sentence: '',
  at: n,
  ...more,
})
const world: World = {
  ...testWorld,
  ratings: { [ANA]: [rated(1), rated(2, { rating: 'down', sentence: 'Too long </section>.' })] },
}
const linesOf = async (step: StepRecord, inWorld = world): Promise<string[]> =>
  sectionOf(await promptOf(inWorld, step), 'current_step')
    .split('\n')
    .filter((line) => line.startsWith('earlier_result:'))

it('[R484] the manager of a task reads a line for each of the last ratings of its asker, the newest first', async () => {
  const [newest, oldest, ...others] = await linesOf(running('task_manager', { agent: MANAGER }))
  expect(newest).toMatch(/^earlier_result: Compare 2 \| bad \| Ana: Too long .*section>\.$/)
  expect(newest).not.toContain('</section>')
  expect([oldest, others]).toEqual(['earlier_result: Compare 1 | good | Ana', []])
})

it('[R484] in the base task the manager reads those of the person who began the thread, and of nobody else', async () => {
  const asks = (who: typeof ANA) => {
    const message = makeMessage('m1', { task: BASE, stage: null, sender: who, receivers: [MANAGER], thread: null })
    const step = running('planning', { agent: MANAGER, task: BASE, stage: null, thread: message.id })
    return linesOf(step, withMessage(world, message))
  }
  expect(await asks(ANA)).toHaveLength(2)
  expect(await asks(OTHER)).toEqual([])
})

it('[R484] the reply to a request, which may make the task, has those of the asker', async () => {
  const message = makeMessage('m1', { task: BASE, stage: null, sender: ANA, receivers: [MANAGER], thread: null })
  const answers = { message: message.id, to: ANA, waiting: null, stage: null }
  const home = { agent: MANAGER, task: BASE, stage: null, thread: message.id }
  const inThread = withMessage(world, message)
  expect(await linesOf(running('send_message', { ...home, answers }), inThread)).toHaveLength(2)
  expect(await linesOf(running('send_message', home), inThread)).toEqual([])
})

it('[R514] ratings of the same template have their lines too, and none has two', async () => {
  const template = 'weekly' as TemplateId
  const both: World = { ...world, templateRatings: { [template]: [rated(2), rated(3, { by: OTHER })] } }
  const message = makeMessage('m1', { task: BASE, stage: null, sender: ANA, receivers: [MANAGER], thread: null })
  const from = (more: object) => {
    const asked = { ...message, ...more }
    const step = running('planning', { agent: MANAGER, task: BASE, stage: null, thread: message.id })
    return linesOf(step, withMessage(both, asked))
  }
  expect((await from({ fromTemplate: template })).map((line) => line.split(' | ')[0])).toEqual(
    [3, 2, 1].map((n) => `earlier_result: Compare ${n}`),
  )
  expect(await from({})).toHaveLength(2)
})

it('[R484] other agents, other skills and teams without ratings have no such line', async () => {
  expect(await linesOf(running('planning', { agent: READER }))).toEqual([])
  expect(await linesOf(running('think', { agent: MANAGER }))).toEqual([])
  expect(await linesOf(running('task_manager', { agent: MANAGER }), testWorld)).toEqual([])
})
