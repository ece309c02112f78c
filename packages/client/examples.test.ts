/** The examples against the program itself: one asks, one answers, one shows what waits. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { openProgram, tokenBy } from '@/test/startedProgram'
import { contentOf, openClient } from '.'
import { answerBot } from './examples/answerBot'
import { askAndWait } from './examples/askAndWait'
import { requestBoard } from './examples/requestBoard'

const TIMEOUT_MS = 120_000

it('[R901] [R902] a script asks and waits for the result, a board shows what waits, and a bot answers it after a kill of the server; a token that is not valid shows nothing', {
  timeout: TIMEOUT_MS,
}, async () => {
  const program = await openProgram()
  const token = await tokenBy(program.url, await program.start(), ['read', 'answer', 'ask'])
  const client = openClient({ url: program.url, token })
  onTestFinished(client.close)

  expect(await askAndWait(client, 'Count the lines of prices/east.csv')).toContain('prices/east.csv')

  const boards: (readonly string[])[] = []
  const stop = requestBoard(client, (lines) => boards.push(lines))
  expect(contentOf(await client.api.POST('/api/work/demo', { body: client.head() })).saved).toEqual([])
  await expect.poll(() => boards.at(-1)?.join(), { timeout: 30_000 }).toMatch(/Reader waits for .+: .*Which one/)
  const open = contentOf(await client.api.GET('/api/requests')).requests.map(({ id }) => id)
  await program.kill()
  await program.start()
  const answered: string[] = []
  answerBot(client, ({ question, choices: [first = 'OK'] }) => {
    answered.push(question)
    return first
  })
  await expect.poll(() => answered.length, { timeout: 30_000 }).toBeGreaterThan(0)
  await expect
    .poll(async () => contentOf(await client.api.GET('/api/requests')).requests.filter(({ id }) => open.includes(id)), {
      timeout: 30_000,
    })
    .toEqual([])
  await expect.poll(() => client.connection(), { timeout: 30_000 }).toBe('live')
  stop()

  const stranger = openClient({ url: program.url, token: `convene_${'x'.repeat(43)}` })
  onTestFinished(stranger.close)
  const refused = { status: 401, code: 'TOKEN_UNKNOWN', message: expect.stringMatching(/token/) }
  await expect(stranger.api.GET('/api/requests').then(contentOf)).rejects.toMatchObject(refused)
  const shown = vi.fn()
  stranger.watch('me', shown)
  await expect.poll(() => stranger.connection(), { timeout: 30_000 }).toBe('signed-out')
  expect(shown).not.toHaveBeenCalled()
})
