/** The twelve jobs by a plain loop with a scripted model: the same files, tools, person and checks. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as sdk from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import { openWorkshop, type Workshop } from '@/test/rehearsalTeam'
import type { Job } from '../job'
import { jobsIn } from '../jobs'
import type { Progress } from '../progress'
import { type LoopLine, scriptedLoop } from '../test/scriptedLoop'
import { isRight, type JobResult } from '../verdict'
import type { LoopLog } from './log'
import { runPlainLoop } from './runPlainLoop'
import { loadAiSdk, loopModelOf } from './sdk'

let workshop: Workshop
let folder = ''
beforeAll(() => {
  workshop = openWorkshop()
  folder = mkdtempSync(path.join(tmpdir(), 'plain-loop-'))
})
afterAll(async () => {
  await workshop.close()
  rmSync(folder, { recursive: true, force: true })
})

const jobOf = (id: string): Job => {
  const job = jobsIn('en').find((one) => one.id === id)
  if (job === undefined) throw new Error(`there is no job ${id}`)
  return job
}

type Played = { result: JobResult; log: LoopLog; left: number }

async function play(
  job: Job,
  lines: LoopLine[],
  price?: { input: number; output: number; cached: number },
): Promise<Played> {
  const script = scriptedLoop(lines)
  let seen: LoopLog | undefined
  const result = await runPlainLoop(job, {
    ...{ sdk, workshop, price, modelFor: script.modelFor, keepIn: path.join(folder, job.id) },
    look: (log) => {
      seen = log
    },
  })
  if (seen === undefined) throw new Error('the loop was not seen')
  return { result, log: seen, left: script.left() }
}

const manager = (calls: [tool: string, input: unknown][]): LoopLine => ({
  agent: 'Manager',
  calls: calls.map(([tool, input]) => ({ tool, arguments: input })),
})
const says = (agent: string, text: string): LoopLine => ({ agent, text })

describe.each(LANGUAGES)('the twelve jobs (%s)', (language) => {
  it.each(jobsIn(language))('[R681] $id: an agent that only says that it is done has not done it', async (job) => {
    const { result, log } = await play(job, [says('Manager', 'Done.')])
    expect(result).toMatchObject({ verdict: 'failed', calls: 1, form: 'native', lostCalls: 0 })
    const [call] = log.calls
    const names = (call?.prompt ?? []).flatMap((part) => /^\{"name":"(\w+)"/.exec(part)?.[1] ?? [])
    expect(names.slice(-2)).toEqual(['ask_person', 'give_up'])
    expect(names.slice(0, -2)).toEqual(
      job.agents?.map((name) => name.toLowerCase()) ?? expect.arrayContaining(['read_text_file']),
    )
    expect(names).toHaveLength(job.agents === undefined ? 13 + 2 : job.agents.length + 2)
    expect(call?.prompt.at(-1)).toBe(`user:\n${job.request}`)
  })
})

const REPORT = 'quince: 4.15 and 4.65, 4.65 holds. Total: '
const comparing = (total: string): LoopLine[] => [
  manager([['read_multiple_files', { paths: ['stalls/east.csv', 'stalls/west.csv'] }]]),
  manager([['ask_person', { kind: 'question', text: 'Which price of quince holds, 4.15 or 4.65?' }]]),
  manager([['write_file', { path: 'stalls/report.md', content: `${REPORT}${total}` }]]),
  says('Manager', 'The report is written.'),
]

describe('a job', () => {
  it('[R681] is done when its check finds all, and has the tokens and the cost of its calls', async () => {
    const { result, log, left } = await play(jobOf('compare'), comparing('8.00'), { input: 10, output: 20, cached: 1 })
    expect([result.why, result.trace, result.kept, left]).toEqual([[], [], null, 0])
    expect(isRight(jobOf('compare'), result)).toBe(true)
    expect(log.asked.map(({ kind, answer }) => [kind, answer])).toEqual([
      ['answer', '4.65'],
      ['confirm', 'OK'],
    ])
    expect(result).toMatchObject({ calls: 4, tokens: { sent: 4_000, cached: 2_400, got: 200, estimated: false } })
    expect(result.cost).toBeCloseTo((1_600 * 10 + 2_400 * 1 + 200 * 20) / 1e6, 10)
  })

  it('[R681] [R682] with a wrong result names the call that wrote it, and is kept', async () => {
    const { result } = await play(jobOf('compare'), comparing('8.45'))
    expect(result).toMatchObject({ verdict: 'failed', why: ['the total 8.00 is not in the report'] })
    expect(result.trace).toEqual([
      expect.stringContaining('finished: Manager call 3 write_file {"path":"stalls/report.md","content":"quince'),
      'message to Ana: Manager: The report is written.',
    ])
    const kept = result.kept ?? ''
    expect(readFileSync(path.join(kept, 'workspace/stalls/report.md'), 'utf8')).toBe(`${REPORT}8.45`)
    const calls = readFileSync(path.join(kept, 'calls.jsonl'), 'utf8').trim().split('\n')
    expect(calls.map((line) => JSON.parse(line).number)).toEqual([1, 2, 3, 4])
    expect(JSON.parse(calls[2] ?? '')).toMatchObject({ agent: 'Manager', error: null })
  })

  it('[R681] with other agents passes what one found to the next, which go on in their conversations', async () => {
    const job = jobOf('handover')
    const { result, log, left } = await play(job, [
      manager([['reader', { task: 'Read the lists in wells.' }]]),
      {
        agent: 'Reader',
        calls: [{ tool: 'read_multiple_files', arguments: { paths: ['wells/inner.csv', 'wells/outer.csv'] } }],
      },
      says('Reader', 'Aa 1204, Bo 87, Ca 655'),
      manager([['analyst', { task: 'Total 1204, 87 and 655 into wells/sum.md.' }]]),
      { agent: 'Analyst', calls: [{ tool: 'write_file', arguments: { path: 'wells/sum.md', content: '1946' } }] },
      says('Analyst', 'It is written.'),
      manager([['reader', { task: 'Thank you.' }]]),
      says('Reader', 'Good.'),
      says('Manager', 'wells/sum.md has the total, 1946.'),
    ])
    expect([result.why, left]).toEqual([[], 0])
    expect(log.calls.findLast(({ agent }) => agent === 'Reader')?.prompt).toEqual(
      expect.arrayContaining(['user:\nRead the lists in wells.', 'user:\nThank you.']),
    )
  })

  it('[R681] that is given up is refused, which is right where it must be', async () => {
    const job = jobOf('refusal')
    const { result, log } = await play(job, [
      manager([['list_directory', { path: '/srv/payroll' }]]),
      manager([['give_up', { reason: 'Nobody may read /srv/payroll.' }]]),
    ])
    expect([result.why, result.verdict, isRight(job, result)]).toEqual([[], 'refused', true])
    expect([result.failedSteps, log.toolCalls.map(({ state }) => state)]).toEqual([1, ['failed']])
  })

  it('[R681] has its review rejected by the same rule', async () => {
    const write = (content: string): LoopLine => manager([['write_file', { path: 'sites/report.md', content }]])
    const review = manager([['ask_person', { kind: 'review', text: 'Is it right?' }]])
    const { result, log } = await play(jobOf('rejected'), [
      write('42.80'),
      review,
      write('36.55'),
      review,
      says('Manager', 'Done: 36.55.'),
    ])
    expect(result.why).toEqual([])
    expect(log.toolCalls.filter(({ tool }) => tool === 'ask_person').map(({ outcome }) => outcome)).toEqual([
      'Rejected: leave out south',
      'Accepted: It is right now.',
    ])
  })

  it('[R681] counts wrong arguments and unknown tools as repairs, and a call that was refused as a failed step', async () => {
    const job: Job = { ...jobOf('total'), rules: [{ kind: 'confirm', decision: 'refuse', text: 'No files.' }] }
    const { result, log } = await play(job, [
      manager([
        ['read_text_file', { path: 7 }],
        ['read_it', {}],
        ['list_directory', '{"path": '],
      ]),
      manager([['write_file', { path: 'x.md', content: '545' }]]),
      says('Manager', 'The total is 545.00.'),
    ])
    expect(result).toMatchObject({ why: [], repairs: { form: 2, name: 1 }, failedSteps: 1 })
    expect(log.toolCalls.at(-1)?.outcome).toBe('Ana refused this call: No files.')
  })

  it('[R681] fails with the error of the model where a call has no answer', async () => {
    const { result } = await play(jobOf('total'), [manager([['list_directory', { path: 'sales' }]])])
    expect(result).toMatchObject({ verdict: 'failed', calls: 2, lostCalls: 1 })
    expect(result.why).toEqual([
      'the script has no more answers of Manager',
      'the model gave no answer',
      'nobody was told 545.00',
    ])
  })

  it('[R681] is stopped after 60 calls, and says while it runs which call it makes', async () => {
    const endless = Array.from({ length: 61 }, () => manager([['list_directory', { path: 'sales' }]]))
    let now: (() => Progress) | undefined
    const result = await runPlainLoop(jobOf('total'), {
      ...{ sdk, workshop, modelFor: scriptedLoop(endless).modelFor },
      watch: (read) => {
        now = read
      },
    })
    expect([result.calls, result.verdict, result.why[0]]).toEqual([60, 'failed', 'more than 60 calls'])
    expect(now?.()).toEqual({ calls: 60, step: 'Manager list_directory {"path":"sales"}' })
  })

  it('[R681] leaves a question open that no rule answers', async () => {
    const job: Job = { ...jobOf('total'), rules: [] }
    const question = manager([['ask_person', { kind: 'question', text: 'Which column?' }]])
    const { result } = await play(job, [question, says('Manager', 'The total is 545.00.')])
    expect(result.why).toEqual(['left open, answer: Which column?'])
  })
})

describe('what the loop needs', () => {
  it('[R681] without the package, says how to add it', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    await expect(loadAiSdk(() => Promise.reject(missing))).rejects.toThrow('npm install --include=dev')
    await expect(loadAiSdk(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('[R681] a model that knows no tools is refused in words', () => {
    expect(() => loopModelOf('default', { provider: 'rehearsal' }, () => undefined)).toThrow(
      'works with provider openai, openai-compatible, ollama, not with rehearsal',
    )
  })
})
