/** What an evaluation is asked for and how it is told. */
import { describe, expect, it } from 'vitest'
import { readEvalArguments } from './evalArguments'
import { namesFigure } from './job'
import { sayLoop } from './loopReport'
import { kindOfRepair } from './measure'
import { compareResults, type EvalResult, type ResultRow, resultShape, sayResult } from './results'

const row = (job: string, more: Partial<ResultRow> = {}): ResultRow => ({
  job,
  language: 'en',
  verdict: 'done',
  right: true,
  why: [],
  trace: [],
  kept: null,
  form: 'tags',
  wallMs: 1_500,
  calls: 20,
  repairs: {},
  lostCalls: 0,
  failedSteps: 0,
  tokens: { sent: 20_000, cached: 5_000, got: 900, estimated: false },
  cost: 0.02,
  modelMs: 1_000,
  ...more,
})
const result = (jobs: ResultRow[], more: Partial<EvalResult> = {}): EvalResult => ({
  version: 3,
  model: 'small',
  modelName: 'small',
  modelVersion: 'small-2',
  promptsDigest: 'a'.repeat(64),
  jobs,
  loop: null,
  ...more,
})

describe('the arguments', () => {
  it('name model, language, jobs and folders; without any, the rehearsal does all', () => {
    expect(readEvalArguments(['--lang', 'zh', '--jobs', 'a,b', '--model', 'm', '--record', 'r'], ['a', 'b'])).toEqual({
      act: 'run',
      model: 'm',
      config: null,
      languages: ['zh'],
      jobs: ['a', 'b'],
      record: 'r',
      play: null,
      out: null,
      loop: false,
    })
    expect(readEvalArguments([], [])).toMatchObject({ model: null, languages: ['en', 'zh'], jobs: null })
    expect(readEvalArguments(['--model', 'm', '--loop'], [])).toMatchObject({ model: 'm', loop: true })
    expect(readEvalArguments(['--compare', 'one', 'other'], [])).toEqual({ act: 'compare', files: ['one', 'other'] })
  })

  it.each([
    [['--lang', 'fr'], 'en or zh'],
    [['--jobs', 'c'], 'no job c; there are a, b'],
    [['--compare', 'one'], 'two files'],
    [['--record', 'x', '--play', 'y'], 'not both'],
    [['--loop'], '--loop needs --model'],
    [['--loop', '--play', 'x'], '--loop needs --model'],
    [['more'], 'not understood'],
    [['--modle', 'x'], '--modle'],
  ])('%j is refused with the way to call it', (words, why) => {
    expect(() => readEvalArguments(words, ['a', 'b'])).toThrow(why)
    expect(() => readEvalArguments(words, ['a', 'b'])).toThrow('npm run eval')
  })
})

describe('a result', () => {
  it('is a line per job, the sums, and why what is not right is not', () => {
    const failed = row('total', {
      verdict: 'failed',
      right: false,
      why: ['no total'],
      trace: ['message to Ana: Manager #9 send_message: answer Ana: It is done.'],
      form: 'schema',
      repairs: { no_tag: 2 },
      cost: null,
    })
    const said = sayResult(result([row('compare'), failed]))
    expect(said).toMatch(/^model: small \(small-2\), answers as mixed, prompts aaaaaaaa\n/)
    expect(said).toMatch(/compare \(en\) +done +tags +20 +- +0 +20\.0k +5000 +900 +0\.0200 +1\.5/)
    expect(said).toMatch(/total \(en\) +failed ! +schema +20 +no_tag 2 .* - +1\.5/)
    expect(said).toMatch(/all +1 of 2 right +mixed +40 +no_tag 2 +0 +40\.0k +10\.0k +1800 +0\.0200 +3\.0/)
    expect(said).toContain('total (en): no total\n    message to Ana: Manager #9 send_message: answer Ana: It is done.')
  })

  it('names the model at its server beside the configured name', () => {
    const said = sayResult(result([row('compare')], { model: 'default', modelName: 'gpt-x', modelVersion: 'gpt-x-2' }))
    expect(said).toContain('model: default (gpt-x, gpt-x-2), answers as tags')
  })

  it('[R682] says where a wrong job is kept', () => {
    const said = sayResult(result([row('total', { right: false, verdict: 'failed', why: ['no'], kept: '/out/total' })]))
    expect(said).toContain('  total (en): no\n    kept in /out/total')
  })

  it('[R681] has the ratio to a plain loop, of jobs that are right on both sides', () => {
    const tokens = { sent: 10_000, cached: 4_000, got: 300, estimated: false }
    const loop = [
      row('compare', { form: 'native', calls: 8, tokens, cost: 0.01, wallMs: 1_000 }),
      row('total', { form: 'native', right: false, verdict: 'failed', calls: 1 }),
    ]
    const both = sayLoop(result([row('compare'), row('total')], { loop })) ?? ''
    expect(both).toMatch(/compare \(en\) +done +native +8 /)
    expect(both).toMatch(/total \(en\) +failed ! +native +1 /)
    expect(both).toMatch(/× of the plain loop +calls +sent +uncached +got +cost +time/)
    expect(both).toMatch(/compare \(en\) +2\.50 × +2\.00 × +2\.50 × +3\.00 × +2\.00 × +1\.50 ×/)
    expect(both).toMatch(/all 1 that both did right +2\.50 × +2\.00 ×/)
    expect(both).not.toMatch(/total \(en\).*×/)
  })

  it('[R681] has no ratio of unknown costs, nor without a job that is right on both sides', () => {
    expect(sayLoop(result([row('compare', { cost: null })], { loop: [row('compare')] }))).toMatch(
      /1\.00 × +- +1\.00 ×$/,
    )
    const wrong = row('compare', { right: false })
    expect(sayLoop(result([row('compare')], { loop: [wrong] }))).toContain('there is nothing to compare')
    expect(sayLoop(result([row('compare')]))).toBeNull()
  })

  it('stands beside another one, job by job', () => {
    const other = result(
      [row('compare', { calls: 10, tokens: { sent: 10_000, cached: 0, got: 500, estimated: false } }), row('new')],
      { model: 'large', promptsDigest: 'b'.repeat(64) },
    )
    const said = compareResults(result([row('compare', { repairs: { cut: 3 } })]), other)
    expect(said).toMatch(/compare \(en\) +done +done +20 → 10 +3 → 0 +20\.0k → 10\.0k +-50 %/)
    expect(said).toContain('1 jobs stand in one of the two only.')
    expect(said).toContain('(other prompts)')
  })

  it('is read back from its file as it was written', () => {
    const written = result([row('compare', { repairs: { name: 1 } })])
    expect(resultShape.parse(JSON.parse(JSON.stringify(written)))).toEqual(written)
  })
})

it.each([
  ['there is no <summary> in the answer', 'no_tag'],
  ["the answer was cut at the model's length limit; answer more briefly", 'cut'],
  ['<task_instruction>: stages is missing (array)', 'form'],
  ['read_text_file: path must be a string, not an array', 'form'],
  ['There is no agent Analist. There are: Reader (reader).', 'name'],
  ['没有智能体 Analist。', 'name'],
  ['That stage is not running. Its stages: stage 1 running.', 'name'],
  ['read_multiple_files is no tool of yours. Your tools: files', 'name'],
  ['asked to see items 3 whole', 'look'],
  ['the asker is to get an answer: send one', 'other'],
])('%s is a repair of kind %s', (reason, kind) => expect(kindOfRepair(reason)).toBe(kind))

it.each([
  ['the total is 66.50', '66.5', true],
  ['166.50', '66.50', false],
  ['1,946 litres', '1946', true],
  ['8', '8.00', true],
  ['8.005', '8', false],
  ['in line 18', '8', false],
])('in “%s” the figure %s stands: %s', (text, figure, is) => expect(namesFigure(text, figure)).toBe(is))
