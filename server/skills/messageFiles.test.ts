/** Files that an agent sends along with its message. */
import { expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { scriptedModel } from '@/test/scriptedModel'
import { ANA, makeStep, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { loadPrompts } from './prompts'
import { runSkill } from './run'

const run = runSkill(loadPrompts('prompts'))
const step = makeStep(900, { executor: 'send_message', state: 'running' })
const FILE = { name: 'north.csv', body: bodyOf('apple,3.20').ref, savedAs: 'prices/north.csv' }

async function sent(files: string[]) {
  const answer = `<send_message>${JSON.stringify({ receiver: [ANA], message: 'Compare these.', files })}</send_message>`
  const own = testRun(withSteps(testWorld, [step]), step, scriptedModel([answer]))
  const asked: (readonly string[])[] = []
  const { sync } = await run({
    ...own,
    async filesAt(paths) {
      asked.push(paths)
      return { files: [FILE], left: paths.filter((path) => path !== FILE.savedAs) }
    },
  })
  return { asked, message: sync.send_message }
}

it('[R230] are read by the paths that it names', async () => {
  const { asked, message } = await sent([FILE.savedAs])
  expect(asked).toEqual([[FILE.savedAs]])
  expect(message).toMatchObject({ message: 'Compare these.', attachments: [FILE] })
  expect((await sent([])).asked).toEqual([])
})

it('[R230] that cannot be sent are named in its text', async () => {
  const { message } = await sent([FILE.savedAs, 'none.csv'])
  expect(message?.message).toBe(
    'Compare these.\n\nNot sent: none.csv. There is no such file to send, or it is too large.',
  )
  expect(message?.attachments).toEqual([FILE])
})
