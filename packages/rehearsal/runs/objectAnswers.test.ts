/**
 * A whole task on a server that is held to a schema, reasons in a field of its own and cuts long answers: what each skill
 * answers is the rehearsal's, written as the object that was asked for.
 */

import { afterEach, expect, it } from 'vitest'
import { SERVER_PROVIDERS, type ServerProvider, traitsOf } from '@/lib/mas/setup/providers'
import { openModels } from '@/server/models'
import { askedSchema, askedTurns, type ModelPeer, openModelPeer } from '@/test/modelPeer'
import { writtenBy } from '@/test/modelWires'
import { objectOf } from '@/test/objectForm'
import { openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'
import { answer } from '../rehearsalModel'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const PIECE = 120

async function openServer(provider: ServerProvider): Promise<ModelPeer & { kinds: string[] }> {
  const kinds: string[] = []
  const whole: string[] = []
  const { text: textOf, end: endOf, reasoning } = writtenBy(provider)
  const peer = await openModelPeer((asked, response) => {
    const turns = askedTurns(asked)
    const schema = askedSchema(asked)
    const isOfStep = turns.at(-1)?.content.includes('<section name="current_step">')
    const said = isOfStep ? null : (turns.at(-2)?.content ?? '')
    const rest = said === null ? undefined : whole.findLast((one) => one.startsWith(said))?.slice(said.length)
    const text = rest ?? (schema === null ? answer(turns) : objectOf(answer(turns), schema))
    kinds.push(rest !== undefined ? 'rest' : schema === null ? 'tags' : 'object')
    // Long answers are cut until two were continued.
    const isCut = text.length > 2 * PIECE && kinds.filter((kind) => kind === 'rest').length < 2
    if (said === null) whole.push(text)
    response.end(`${reasoning('hm')}${textOf(isCut ? text.slice(0, PIECE) : text)}${endOf(isCut ? 'length' : 'stop')}`)
  })
  return Object.assign(peer, { kinds })
}

const callsOf = (team: Rehearsal) => team.steps().flatMap((step) => step.calls)

it.each(SERVER_PROVIDERS)(
  'a task on a server that speaks as %s and takes schemas comes to its end',
  async (provider) => {
    // Where functions are known to work an object is asked for only when the configuration says so.
    const isNative = traitsOf(provider).auto === 'native'
    const form = isNative ? ('schema' as const) : ('auto' as const)
    const peer = await openServer(provider)
    open.push(peer)
    const models = openModels({
      models: { default: { provider, baseUrl: peer.url, model: 'some-model', contextTokens: 200_000, form } },
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
