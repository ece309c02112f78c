/** A turn of a tool is one call of the model: what a decision writes for all that is due at once, and when nothing can be written. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { parseAnswer } from '@/lib/mas/formats'
import type { StepRecord } from '@/lib/mas/records'
import { turnsOf } from '@/test/askedTurns'
import { makeStep, stepId } from '@/test/skillWorld'
import { type Job, JobShape, withJob } from './job'
import { answer } from './rehearsalModel'

const SERVER = [
  'list_directory(path: string): Lists a folder',
  'read_text_file(path: string, head?: number): Reads a file',
  'read_multiple_files(paths: array): Reads files',
  'search_files(path: string, pattern: string): Looks for names',
  'write_file(path: string, content: string): Writes a file',
]
const without = (name: string): string[] => SERVER.filter((line) => !line.startsWith(name))

const jobText = (job: Partial<Job>): string =>
  withJob('as planned', JobShape.parse({ op: 'compare', where: ['p'], ...job }))

type Called = { name: string; args: object; says?: string; fails?: string }

/** A call that is over, as the first of its run or as one of those that a decision wrote. */
function called(n: number, text: string, { name, args, says = '', fails }: Called): StepRecord {
  const { ref } = bodyOf(JSON.stringify(args), 'application/json')
  return makeStep(n, {
    type: 'tool',
    executor: 'files',
    text,
    state: fails === undefined ? 'finished' : 'failed',
    reason: fails ?? null,
    instruction: { kind: 'call', target: 'tool', name, arguments: ref },
    result: { kind: 'tool', text: fails ?? says, body: null, made: null },
    batch: stepId(90),
  })
}

/** What the decision after these calls says. */
async function decided(job: Partial<Job>, calls: Called[], abilities = SERVER) {
  const text = jobText(job)
  const steps = calls.map((one, index) => called(index + 1, text, one))
  const decision = makeStep(50, {
    executor: 'tool_decision',
    text,
    cause: { message: null, step: stepId(calls.length) },
  })
  const said = answer(await turnsOf(decision, steps, { abilities: async () => abilities.join('\n') }))
  const reading = parseAnswer(said, { oneOf: ['tool_decision'], also: [] })
  if (!reading.ok) throw new Error(reading.reason)
  return reading.answer.main.value
}

/** What is written for a tool step with that text. */
async function instructed(text: string, abilities = SERVER, over: StepRecord[] = []) {
  const due = makeStep(60, { type: 'tool', executor: 'files', text })
  const writes = makeStep(59, { executor: 'instruction_generation', boundTo: due.id })
  const said = answer(await turnsOf(writes, [...over, due], { abilities: async () => abilities.join('\n') }))
  const reading = parseAnswer(said, { oneOf: ['tool_instruction'], also: [] })
  if (!reading.ok) throw new Error(reading.reason)
  return reading.answer.main.value
}

const call = (tool_name: string, args: object, more: object = {}) => ({
  instruction_type: 'function_call',
  tool_name,
  arguments: args,
  ...more,
})
const listed = { name: 'list_directory', args: { path: 'p' } }

describe('a decision after calls of a tool', () => {
  it('writes every reading that is due, in one answer', async () => {
    const after = await decided({ do: 'read' }, [
      { ...listed, says: '[FILE] a.csv\n[DIR] sub\n[FILE] b.csv\n[FILE] c.png' },
    ])
    expect(after).toEqual({ continue: true, calls: [call('list_directory', { path: 'p/sub' })] })
    const inBoth = [
      { ...listed, says: '[FILE] a.csv\n[DIR] sub\n[FILE] b.csv\n[FILE] c.png' },
      { name: 'list_directory', args: { path: 'p/sub' }, says: '[FILE] d.md' },
    ]
    expect(await decided({ do: 'read' }, inBoth)).toEqual({
      continue: true,
      calls: ['p/a.csv', 'p/b.csv', 'p/sub/d.md'].map((path) => call('read_text_file', { path })),
    })
  })

  it('reads many files at a time, or some of them one by one where the server cannot', async () => {
    const paths = Array.from({ length: 12 }, (_, at) => `p/f${at}.csv`)
    const says = paths.map((path) => `[FILE] ${path.slice(2)}`).join('\n')
    expect(await decided({ do: 'read' }, [{ ...listed, says }])).toEqual({
      continue: true,
      calls: [call('read_multiple_files', { paths })],
    })
    expect(await decided({ do: 'read' }, [{ ...listed, says }], without('read_multiple_files'))).toEqual({
      continue: true,
      calls: paths.slice(0, 8).map((path) => call('read_text_file', { path })),
    })
  })

  it('reads a file that is named and not there, and looks for it, at once', async () => {
    const after = await decided({ do: 'read' }, [
      { ...listed, says: '[FILE] a.md' },
      { name: 'read_text_file', args: { path: 'p/a.md' }, says: 'see west.csv' },
    ])
    expect(after).toEqual({
      continue: true,
      calls: [
        call('read_text_file', { path: 'p/west.csv' }),
        call('search_files', { path: 'p', pattern: '**/west.csv' }),
      ],
    })
  })

  it('ends when everything is read, and says what is not there', async () => {
    const after = await decided({ do: 'read' }, [
      { ...listed, says: '[FILE] a.md' },
      { name: 'read_text_file', args: { path: 'p/a.md' }, says: 'see west.csv' },
      { name: 'read_text_file', args: { path: 'p/west.csv' }, fails: 'ENOENT: p/west.csv' },
      { name: 'search_files', args: { path: 'p', pattern: '**/west.csv' }, says: 'No matches found' },
    ])
    expect(after).toEqual({ continue: false, result: '1 file is read; not found: p/west.csv.' })
  })

  const wrote = { name: 'write_file', args: { path: 'p/r.md', content: '# r' }, says: 'ok' }
  const job = { do: 'write', report_path: 'p/r.md' } as const

  it('reads back what was written, as the last call, so that nothing more is asked', async () => {
    expect(await decided(job, [wrote])).toEqual({
      continue: true,
      calls: [call('read_text_file', { path: 'p/r.md' }, { last: true })],
    })
  })

  it.each([
    ['the reading failed', [wrote, { name: 'read_text_file', args: { path: 'p/r.md' }, fails: 'busy' }], SERVER],
    ['the server cannot read', [wrote], without('read_text_file')],
  ])('does not say that a file was read back when %s', async (_, calls, abilities) => {
    const after = await decided(job, calls, abilities)
    expect(after).toEqual({ continue: false, result: "p/r.md was written, but couldn't be read back." })
  })

  it('says why nothing was written', async () => {
    const after = await decided(job, [{ ...wrote, fails: 'refused: not there' }])
    expect(after).toEqual({ continue: false, result: 'p/r.md was not written: refused: not there' })
  })
})

describe('the call of a tool step', () => {
  it('is a list where several things are due, and one call where one is', async () => {
    expect(await instructed(jobText({ do: 'read', where: ['p', 'q'] }))).toEqual([
      call('list_directory', { path: 'p' }),
      call('list_directory', { path: 'q' }),
    ])
    expect(await instructed(jobText({ do: 'read', where: ['p/a.csv'] }))).toEqual([
      call('read_text_file', { path: 'p/a.csv' }),
    ])
  })

  it('reads back what an earlier step wrote, whether or not that was tried before', async () => {
    const text = jobText({ do: 'read_back', about: 'p/r.md' })
    const failed = called(1, text, { name: 'read_text_file', args: { path: 'p/r.md' }, fails: 'busy' })
    for (const over of [[], [failed]])
      expect(await instructed(text, SERVER, over)).toEqual([call('read_text_file', { path: 'p/r.md' })])
  })

  it('is made of words where a person wrote the step', async () => {
    expect(await instructed('Please look into notes/')).toEqual([call('list_directory', { path: 'notes' })])
    expect(await instructed('Read notes/a.txt')).toEqual([call('read_text_file', { path: 'notes/a.txt' })])
    expect(await instructed('Do as you like')).toMatchObject([{ instruction_type: 'none' }])
  })

  it('asks for the description of a server of which nothing is known', async () => {
    expect(await instructed(jobText({ do: 'read' }), [])).toEqual([{ instruction_type: 'get_description' }])
  })

  it.each([
    ['nothing fits', jobText({ do: 'read' }), without('list_directory'), 'no ability to list'],
    [
      'an argument is not known',
      jobText({ do: 'read' }),
      ['list_directory(path: string, token: string): Lists'],
      'list_directory needs token',
    ],
    ['there is no document', jobText({ do: 'write', report_path: 'p/r.md' }), SERVER, 'no document'],
  ])('is none, with the reason, when %s', async (_, text, abilities, reason) => {
    expect(await instructed(text, abilities)).toEqual([
      { instruction_type: 'none', reason: expect.stringContaining(reason) },
    ])
  })
})
