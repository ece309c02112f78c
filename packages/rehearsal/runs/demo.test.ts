/** The demo task that a newcomer starts: with the shipped team and documents, it needs few calls and little text. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayInLanguage } from '@/lib/mas/words'
import { configCommand, loadConfig } from '@/server/config'
import { type Model, openModels } from '@/server/models'
import type { Turn } from '@/server/models/model'
import { type AskedModel, askedModel, commonPrefix, inAll, sayAsked } from '@/test/askedModel'
import { nativeForm } from '@/test/nativeForm'
import { CREW, openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'
import { checkPart, fileOf, judgesQuestion, question, sample, toAna } from './test/play'

const MOST_CALLS = 24
const MOST_CHARACTERS = 300_000
/** Of all characters, those that the same agent had sent before at the same place. */
const LEAST_REPEATED = 0.8

type Played = { team: Rehearsal; asked: AskedModel['asked'] }

/** The team of a configuration file, under the ids that the tests know its members by. */
function shippedTeam(file: string) {
  const { agents, team } = configCommand(
    loadConfig({ CONVENE_CONFIG: path.resolve(file) }, (name) => readFileSync(name, 'utf8')),
  )
  const idOf = (configId: string) => Object.values(CREW).find((one) => one.configId === configId)?.id
  return {
    language: team.language,
    guide: team.toolGuides.files ?? '',
    team: agents.map((agent) => ({ ...agent, id: idOf(agent.configId) ?? agent.id })),
  }
}

const firstChoice = ({ choices }: { choices: readonly string[] }): string => choices[0] ?? 'no choice'

/** From the button to the end, the first choice each time. of: the model that is asked, made of the rehearsal */
async function playDemo(config: string, samples: string, of = (model: Model): Model => model): Promise<Played> {
  const shipped = shippedTeam(config)
  const rehearsal = openModels({ models: { default: { provider: 'rehearsal' } } })
  const { model, asked } = askedModel(of(rehearsal.get('default')))
  const team = await openRehearsal(sample(samples), { ...shipped, models: { default: model } })
  try {
    await answerAll(team, sayInLanguage(shipped.language, 'demoWork', { folder: 'prices' }))
  } catch (error) {
    await team.close()
    throw error
  }
  return { team, asked }
}

async function answerAll(team: Rehearsal, wish: string): Promise<void> {
  await team.ask(wish)
  for (const due of [question, judgesQuestion]) {
    const request = await due(team)
    await team.answer(request, 'answer', firstChoice(request))
  }
  await team.answer(await team.request((one) => one.kind === 'confirm', 'the report is to be confirmed'), 'approve')
  await team.answer(await checkPart(team), 'done', 'OK')
  await team.finished()
}

describe.each([
  ['config/convene.yaml', 'samples'],
  ['config/examples/zh.yaml', 'samples/zh'],
])('the demo of %s', (config, samples) => {
  let played: Played | undefined
  const theRun = (): Played => {
    if (played === undefined) throw new Error('the demo did not come to its end')
    return played
  }
  beforeAll(async () => {
    played = await playDemo(config, samples)
  })
  afterAll(() => played?.team.close())

  it('ends with a report that a person has checked, and no answer had to be repaired', async () => {
    const { team } = theRun()
    const task = await team.finished()
    expect([task.state, task.summary]).toEqual(['finished', expect.stringContaining('66.20')])
    expect(toAna(team).some((text) => text.includes('prices/report.md'))).toBe(true)
    expect(fileOf(team, 'prices/report.md')).toContain('66.20')
    expect(team.steps().flatMap((step) => step.repairs)).toEqual([])
  })

  it(`asks its models at most ${MOST_CALLS} times, with at most ${MOST_CHARACTERS} characters in all`, () => {
    const { team, asked } = theRun()
    const { calls, characters } = inAll(asked)
    // Every call stands on record, so none is missing from the count.
    expect(calls).toBe(team.steps().flatMap((step) => step.calls).length)
    expect(calls, sayAsked(asked)).toBeLessThanOrEqual(MOST_CALLS)
    expect(characters, sayAsked(asked)).toBeLessThanOrEqual(MOST_CHARACTERS)
  })

  it(`sends ${Math.round(LEAST_REPEATED * 100)} % of its text as the same agent sent it before, from the beginning of a prompt on`, () => {
    const { asked } = theRun()
    expect(inAll(asked).repeated, sayAsked(asked)).toBeGreaterThanOrEqual(LEAST_REPEATED)
  })
})

/** Bytes of all requests that no earlier request of the same agent begins with; of an agent's first one with the same functions. */
const MOST_BYTES = 90_000

type Body = { agent: string; functions: string; turns: string[] }

/** The same model, with what each of its requests has: functions, and the turns in their order. */
function keepBodies(model: Model, bodies: Body[]): Model {
  return {
    ...model,
    call(turns, options) {
      const own = (turn: Turn) => JSON.stringify({ ...turn, endsPrefix: undefined })
      const functions = JSON.stringify(options.functions ?? [])
      bodies.push({ agent: options.about?.agent ?? '-', functions, turns: turns.map(own) })
      return model.call(turns, options)
    },
  }
}

describe('the demo with a model that calls functions', () => {
  const bodies: Body[] = []
  let played: Played | undefined
  beforeAll(async () => {
    played = await playDemo('config/convene.yaml', 'samples', (model) => keepBodies(nativeForm(model), bodies))
  })
  afterAll(() => played?.team.close())

  it('[R672] ends with the same report, and each answer is a step as its tag would make it', async () => {
    const team = played?.team
    if (team === undefined) throw new Error('the demo did not come to its end')
    expect((await team.finished()).state).toBe('finished')
    expect(fileOf(team, 'prices/report.md')).toContain('66.20')
    expect(team.steps().flatMap((step) => step.repairs)).toEqual([])
    expect(
      team
        .steps()
        .flatMap(({ calls }) => calls)
        .every(({ calls }) => calls !== undefined),
    ).toBe(true)
  })

  it('[R672] has the same functions in all requests of an agent, and turns that only grow', () => {
    const agents = [...new Set(bodies.map(({ agent }) => agent))]
    for (const agent of agents) {
      const own = bodies.filter((body) => body.agent === agent)
      expect(new Set(own.map(({ functions }) => functions)).size).toBe(1)
      const anew = own.filter(({ turns }, at) => !own.slice(0, at).some((one) => begins(turns, one.turns)))
      // The manager has a conversation in the base task, and one in the task.
      expect([agent, anew.length]).toEqual([agent, agent === 'manager' ? 2 : 1])
    }
    expect(bodies.length).toBeGreaterThanOrEqual(10)
  })

  it(`[R672] sends at most ${MOST_CALLS} requests, and at most ${MOST_BYTES} bytes that were not sent before`, () => {
    expect(bodies.length).toBeLessThanOrEqual(MOST_CALLS)
    const fresh = bodies.map(({ agent, functions, turns }, at) => {
      const earlier = bodies.slice(0, at)
      const own = earlier.filter((one) => one.agent === agent)
      const before = own.length > 0 ? own : earlier.filter((one) => one.functions === functions)
      const whole = functions + turns.join('')
      const shared = Math.max(0, ...before.map((one) => commonPrefix(whole, one.functions + one.turns.join(''))))
      return Buffer.byteLength(whole.slice(shared))
    })
    expect(fresh.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MOST_BYTES)
  })
})

const begins = (turns: readonly string[], before: readonly string[]): boolean =>
  before.every((turn, at) => turn === turns[at])
