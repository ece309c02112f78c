/** The sales report by a team, played from a script and measured beside the plain loop's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkshop, type Workshop } from '@/test/rehearsalTeam'
import { PLAY_TIMEOUT, playJob } from '../test/playedJob'
import { SCRIPT_FORMS, type ScriptForm } from '../test/scriptedTeam'
import { PLAIN_LOOP, salesReport } from './job'

const MOST_CALLS = 1.25 * PLAIN_LOOP.calls
/** What holds now. The aim is 1.3 times the plain loop's; a change that needs less lowers it. */
const MOST_UNCACHED: Record<ScriptForm, number> = { tags: 16_750, native: 22_000 }

let workshop: Workshop
beforeAll(() => {
  workshop = openWorkshop()
})
afterAll(() => workshop.close())

describe.each(SCRIPT_FORMS)('the sales report by a team, in the form %s', PLAY_TIMEOUT, (form: ScriptForm) => {
  it("[R686] needs at most 1.25 times the plain loop's calls, with the same slips and the same rejection", async () => {
    const { wrong, steps, result, counted } = await playJob(salesReport, 'packages/eval/salesReport/team.jsonl', {
      form,
      workshop,
    })
    expect(wrong).toEqual([])
    expect(result).toMatchObject({ verdict: 'done', repairs: {}, failedSteps: 1, lostCalls: 0 })
    expect(steps.find(({ state }) => state === 'failed')?.reason).toMatch(/^ENOENT/)
    expect(counted.calls).toBeLessThanOrEqual(MOST_CALLS)
    expect(counted.uncached).toBeLessThanOrEqual(MOST_UNCACHED[form])
  })
})
