/** The demo task that a newcomer starts: with the shipped team and documents, it needs few calls and little text. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayInLanguage } from '@/lib/mas/words'
import { configCommand, loadConfig } from '@/server/config'
import { openModels } from '@/server/models'
import { type AskedModel, askedModel, inAll, sayAsked } from './askedModel'
import { checkPart, fileOf, judgesQuestion, question, sample, toAna } from './rehearsalPlay'
import { CREW, openRehearsal, type Rehearsal } from './rehearsalTeam'

const MOST_CALLS = 24
const MOST_CHARACTERS = 331_000
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

/** From the button to the end, the first choice each time. */
async function playDemo(config: string, samples: string): Promise<Played> {
  const shipped = shippedTeam(config)
  const rehearsal = openModels({ models: { default: { provider: 'rehearsal' } }, rehearsal: { delayMs: 0 } })
  const { model, asked } = askedModel(rehearsal.get('default'))
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
