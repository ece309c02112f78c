/**
 * A whole task on a server that is held to a schema, reasons in a field of its own and cuts long answers: what each skill
 * answers is the rehearsal's, written as the object that was asked for.
 */

import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { SERVER_PROVIDERS } from '@/lib/mas/providers'
import { openModels } from '@/server/models'
import { answer } from '@/server/models/rehearsal'
import {
  type Asked,
  askedTurns,
  type ModelPeer,
  ollamaEnd,
  ollamaText,
  openaiEnd,
  openaiText,
  openModelPeer,
} from './modelPeer'
import { objectOf } from './objectForm'
import { openRehearsal, type Rehearsal } from './rehearsalTeam'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const PIECE = 120
const schemaShape = z.object({ properties: z.record(z.string(), z.unknown()) })

/** The schema of a question, in whichever format it came; null where tags are asked for. */
function schemaIn({ body }: Asked): { properties: Record<string, unknown> } | null {
  const wrapped = z.object({ json_schema: z.object({ schema: schemaShape }) }).safeParse(body.response_format)
  if (wrapped.success) return wrapped.data.json_schema.schema
  return schemaShape.safeParse(body.format).data ?? null
}

async function openServer(provider: string): Promise<ModelPeer & { kinds: string[] }> {
  const kinds: string[] = []
  const whole: string[] = []
  const [textOf, endOf] = provider === 'openai' ? [openaiText, openaiEnd] : [ollamaText, ollamaEnd]
  const reasoning =
    provider === 'openai'
      ? `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: 'hm' } }] })}\n\n`
      : `${JSON.stringify({ message: { thinking: 'hm' }, done: false })}\n`
  const peer = await openModelPeer((asked, response) => {
    const turns = askedTurns(asked)
    const schema = schemaIn(asked)
    const said = turns.at(-2)?.role === 'assistant' ? (turns.at(-2)?.content ?? '') : null
    const rest = said === null ? undefined : whole.findLast((one) => one.startsWith(said))?.slice(said.length)
    const text = rest ?? (schema === null ? answer(turns) : objectOf(answer(turns), schema))
    kinds.push(rest !== undefined ? 'rest' : schema === null ? 'tags' : 'object')
    // Long answers are cut until two were continued.
    const isCut = text.length > 2 * PIECE && kinds.filter((kind) => kind === 'rest').length < 2
    if (said === null) whole.push(text)
    response.end(`${reasoning}${textOf(isCut ? text.slice(0, PIECE) : text)}${endOf(isCut ? 'length' : 'stop')}`)
  })
  return Object.assign(peer, { kinds })
}

const callsOf = (team: Rehearsal) => team.steps().flatMap((step) => step.calls)

it.each(SERVER_PROVIDERS)(
  'a task on a server that speaks as %s and takes schemas comes to its end',
  async (provider) => {
    const peer = await openServer(provider)
    open.push(peer)
    const models = openModels({
      models: { default: { provider, baseUrl: peer.url, model: 'some-model', contextTokens: 200_000 } },
      rehearsal: { delayMs: 0 },
    })
    const team = await openRehearsal(
      { 'notes/a.txt': 'one\ntwo\nthree\n' },
      { models: { default: models.get('default') }, patienceMs: 20_000 },
    )
    open.push(team)
    await team.ask('Count the lines of notes/a.txt')
    expect((await team.finished()).state).toBe('finished')
    expect(team.steps().filter((step) => step.type === 'skill' && step.state === 'failed')).toEqual([])
    expect(team.steps().flatMap((step) => step.repairs)).toEqual([])

    expect(new Set(peer.kinds)).toEqual(new Set(['object', 'rest']))
    const calls = callsOf(team)
    expect(calls.filter(({ outcome }) => outcome === 'cut')).toHaveLength(2)
    expect(new Set(calls.map(({ outcome }) => outcome))).toEqual(new Set(['taken', 'cut']))
    expect(calls.every(({ reasoning }) => reasoning?.preview === 'hm')).toBe(true)
    expect(JSON.stringify(peer.asked)).not.toContain('"hm"')
  },
)
