/** The sales report by a plain loop, played from a script: the measure for what a team of Convene may need for it. */
import * as sdk from 'ai'
import { expect, it } from 'vitest'
import { openWorkshop } from '@/test/rehearsalTeam'
import { countPrompts, type PromptCount } from '../countPrompts'
import type { LoopLog } from '../plainLoop/log'
import { runPlainLoop } from '../plainLoop/runPlainLoop'
import { readLoopScript, scriptedLoop } from '../test/scriptedLoop'
import { PLAIN_LOOP, salesReport } from './job'

it('[R680] a plain loop needs 18 calls for the sales report, with a wrong argument, a missing folder and a rejection', async () => {
  const workshop = openWorkshop()
  const script = scriptedLoop(readLoopScript('packages/eval/salesReport/plainLoop.jsonl'))
  let counted: PromptCount | undefined
  let failed: string[] = []
  const look = ({ calls, toolCalls }: LoopLog): void => {
    counted = countPrompts(calls)
    failed = toolCalls.flatMap(({ state, tool, outcome }) => (state === 'failed' ? [`${tool}: ${outcome}`] : []))
  }
  try {
    const result = await runPlainLoop(salesReport, { sdk, workshop, modelFor: script.modelFor, look })
    expect([result.why, result.verdict, script.left()]).toEqual([[], 'done', 0])
    expect(failed).toEqual([
      expect.stringContaining('read_multiple_files: read_multiple_files: paths must be an array'),
      expect.stringContaining('write_file: '),
    ])
    expect(counted).toEqual(PLAIN_LOOP)
  } finally {
    await workshop.close()
  }
})
