/** A whole task on a server that takes functions, in the words of each provider: what each skill answers is the rehearsal's, as calls. */
import { afterEach, expect, it } from 'vitest'
import { SERVER_PROVIDERS } from '@/lib/mas/setup/providers'
import { type Model, openModels } from '@/server/models'
import type { FunctionTool, Turn } from '@/server/models/model'
import { openModelPeer } from '@/test/modelPeer'
import { writtenBy } from '@/test/modelWires'
import { callsIn, inTags } from '@/test/nativeForm'
import { openRehearsal } from '@/test/rehearsalTeam'
import { answer } from '../rehearsalModel'

/** Of the step that reads the file. */
const RESULT = String.raw`one\ntwo`

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

it.each(SERVER_PROVIDERS)(
  '[R672] a task on a server that speaks as %s and takes functions comes to its end',
  async (provider) => {
    const { text: textOf, call: callOf, end: endOf } = writtenBy(provider)
    const said = new Map<string, string>()
    let question: { turns: readonly Turn[]; functions: readonly FunctionTool[] } = { turns: [], functions: [] }
    let count = 0
    // One call at a time: the question that was put last is the one that came.
    const peer = await openModelPeer((_, response) => {
      const { turns, functions } = question
      // A provider without ids of its own has those that its package made.
      const whole = answer(inTags(turns, functions, said))
      const { calls, words } = callsIn(whole, functions, () => `call_${++count}`)
      answers.push(whole)
      const pieces = calls.map(({ id, name, arguments: args }, at) => callOf({ id, name, args }, at))
      response.end(`${words === '' ? '' : textOf(words)}${pieces.join('')}${endOf('calls')}`)
    })
    const answers: string[] = []
    open.push(peer)
    const models = openModels({
      models: {
        default: {
          provider,
          baseUrl: peer.url,
          model: 'some-model',
          contextTokens: 200_000,
          form: 'native',
          parallel: 1,
        },
      },
    })
    const inner = models.get('default')
    const model: Model = {
      ...inner,
      get takesFunctions() {
        return inner.takesFunctions
      },
      async *call(turns, options) {
        question = { turns, functions: options.functions ?? [] }
        for await (const piece of inner.call(turns, options)) {
          if (piece.type === 'end') for (const { id } of piece.calls ?? []) said.set(id, answers.at(-1) ?? '')
          yield piece
        }
      },
    }
    const team = await openRehearsal(
      { 'notes/a.txt': 'one\ntwo\nthree\n' },
      { models: { default: model }, patienceMs: 20_000 },
    )
    open.push(team)
    await team.ask('Count the lines of notes/a.txt')
    expect((await team.finished()).state).toBe('finished')
    expect(team.steps().flatMap((step) => step.repairs)).toEqual([])
    const calls = team.steps().flatMap((step) => step.calls)
    expect(calls.every((call) => call.outcome === 'taken' && call.calls !== undefined)).toBe(true)
    expect(peer.asked.length).toBe(calls.length)
    // The functions are sent with each question, and the results of earlier calls come back.
    for (const { body } of peer.asked) expect(JSON.stringify(body.tools)).toContain('planned_step')
    expect(peer.asked.filter(({ body }) => JSON.stringify(body).includes(RESULT)).length).toBeGreaterThan(2)
  },
)
