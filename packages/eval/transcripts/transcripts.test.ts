/** Jobs that a careful reader answered as a small model would, slips among the answers, played again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentConfig } from '@/lib/mas/records'
import { CREW, openWorkshop, type Workshop } from '@/test/rehearsalTeam'
import type { Job } from '../job'
import type { JobFigures } from '../measure'
import { PLAY_TIMEOUT, type PlayedJob, playJob } from '../test/playedJob'
import { SCRIPT_FORMS, type ScriptForm } from '../test/scriptedTeam'
import { allergenSheet } from './allergenSheet'
import { purchaseList } from './purchaseList'
import { stands } from './stands'

const helper: AgentConfig = {
  ...CREW.reader,
  id: asId<AgentId>('00000000-0000-4000-8000-000000000005'),
  configId: 'helper',
  name: 'Helper',
  role: 'helper',
  profile: 'Takes over a piece of work for which nobody in the team is there.',
}
const chinese: AgentConfig[] = [
  { ...CREW.manager, name: '管理者', role: '管理者', profile: '把请求变成任务。' },
  { ...CREW.reader, name: '阅读员', role: '阅读员', profile: '查找并阅读文件。' },
  { ...CREW.analyst, name: '分析员', role: '分析员', profile: '比较、求和别人找到的内容，写报告。' },
  CREW.ana,
]

let workshop: Workshop
beforeAll(() => {
  workshop = openWorkshop()
})
afterAll(() => workshop.close())

describe.each(SCRIPT_FORMS)('a transcript in the form %s', PLAY_TIMEOUT, (form: ScriptForm) => {
  const play = (job: Job, script: string, team: { team?: AgentConfig[]; startable?: AgentConfig[] } = {}) =>
    playJob(job, `packages/eval/transcripts/${script}.jsonl`, { form, workshop, ...team })

  /** Played as written, with so many answers returned to the model, and without a failed step. */
  function expectPlayed({ wrong, result }: PlayedJob, repairs: JobFigures['repairs']): void {
    expect(wrong).toEqual([])
    expect(result).toMatchObject({ verdict: 'done', repairs, failedSteps: 0, lostCalls: 0 })
  }

  it('[R96] [R685] two stages, one sent back, end with the right list although answers are returned', async () => {
    const played = await play(stands, 'stands')
    expectPlayed(played, { no_tag: 2, cut: 1, form: 2, name: 2 })
    // The tags that a note quotes came through as text.
    const read = played.steps.map(({ result }) => result?.text ?? '')
    expect(read.some((text) => text.includes('<summary>All stands are free of rent.</summary>'))).toBe(true)
  })

  it('[R96] [R685] two agents side by side and a new one make two sheets, and no person is asked what the files say', async () => {
    const played = await play(allergenSheet, 'allergenSheet', { startable: [helper] })
    expectPlayed(played, { name: 1, cut: 1 })
  })

  it("[R96] [R685] a list that waits for a person's part is right, and she is not asked again for what it says", async () => {
    expectPlayed(await play(purchaseList, 'purchaseList', { team: chinese }), {})
  })
})
