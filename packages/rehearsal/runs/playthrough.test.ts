/** The rehearsal on a person's own files, through the true engine, skills, prompts and file server. */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { StepRecord } from '@/lib/mas/records'
import { sayInLanguage } from '@/lib/mas/words'
import { CREW, openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'
import { changeJob, readChange } from '../changeRequest'
import { WORDS } from '../words'
import { checkPart, fileOf, judgesQuestion, play, question, sample, toAna } from './test/play'

let open: Rehearsal | null = null
afterEach(async () => {
  await open?.close()
  open = null
})

const start = async (...args: Parameters<typeof openRehearsal>): Promise<Rehearsal> => {
  open = await openRehearsal(...args)
  return open
}
const callOf = ({ instruction }: StepRecord): string => (instruction?.kind === 'call' ? instruction.name : '')

/** Numbers from a seed: no test may pass because a number is known. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
}
const price = (next: () => number): string => `${(next() % 90) + 1}.${String(next() % 100).padStart(2, '0')}`
const cents = (text: string): number => Math.round(Number(text) * 100)
const total = (prices: string[]): string => (prices.reduce((sum, one) => sum + cents(one), 0) / 100).toFixed(2)

describe('the sample price lists', () => {
  it('go from the request to a checked report on the disk, with one question to a person', async () => {
    const team = await start(sample())
    await team.ask('Compare the price lists in prices and write a report')
    const asked = await question(team)
    expect(asked.question).toContain('apple: 3.20 in north.csv line 4, 3.50 in south.csv line 7. Which one is correct?')
    expect(asked.choices).toEqual(['3.20', '3.50', 'leave it out'])
    expect(toAna(team)[0]).toContain('Task `Compare prices` started: 2 stages, 3 members')
    await team.answer(asked, 'answer', '3.50')
    await team.answer(await judgesQuestion(team), 'answer', 'leave it out')
    const confirm = await team.request((one) => one.kind === 'confirm', 'the file is to be confirmed')
    expect(existsSync(path.join(team.folder, 'prices/report.md'))).toBe(false)
    await team.answer(confirm, 'approve')
    await team.answer(await checkPart(team), 'done', 'Looks right.')
    expect(toAna(team).some((text) => text.includes('The report is at prices/report.md.'))).toBe(true)
    const task = await team.finished()
    expect(task.state).toBe('finished')
    // What it states is what was read, decided and written.
    expect(task.result).toEqual({
      headline: 'Compare prices: price 66.50 in total, from 4 files.',
      facts: [
        { label: 'Total of price', value: '66.50', source: 'prices/report.md' },
        { label: 'Report', value: 'prices/report.md', source: null },
        {
          label: 'Files read',
          value: 'prices/east.csv, prices/index.md, prices/north.csv, prices/south.csv',
          source: null,
        },
      ],
      leftOut: ['Left out: west.csv.'],
    })
    // The goal of a stage is read beside the name of its task, and does not repeat it.
    const stages = Object.values(team.world().stages[task.id] ?? {})
    expect(stages.filter(({ intention }) => intention.includes(task.name))).toEqual([])
    expect(stages.length).toBeGreaterThan(1)
    for (const fact of ['prices/report.md', 'price 66.50', 'Left out: west.csv.', '3.50', 'Looks right.']) {
      expect(task.summary).toContain(fact)
    }
    const report = fileOf(team, 'prices/report.md')
    expect(report).toContain(
      '| apple | price | 3.20 (prices/north.csv line 4); 3.50 (prices/south.csv line 7) | 3.50 (Ana) |',
    )
    expect(report).toContain('| prices/stall.png | png |  | unreadable |')
    // Reader alone touched the lists; Analyst wrote from what was handed over.
    const called = team.steps().filter((step) => step.type === 'tool' && step.agent === CREW.analyst.id)
    expect(called.map((step) => [step.intention, callOf(step)])).toEqual([
      ['write prices/report.md and read it back', 'write_file'],
      ['read prices/report.md', 'read_text_file'],
    ])
  })

  it('says in the first message of each agent that it is a program, and only there', async () => {
    const team = await start(sample())
    await play(team, 'Compare the price lists in prices and write a report', ['3.20'], { lacking: 'leave it out' })
    for (const agent of [CREW.manager, CREW.reader, CREW.analyst]) {
      const said = team
        .messages()
        .filter((one) => one.sender === agent.id)
        .map((one) => one.text.includes('not a language model'))
      expect(said[0]).toBe(true)
      expect(said.slice(1)).not.toContain(true)
    }
  })

  it('are told as they are when the person refuses the file, with the reason', async () => {
    const team = await start(sample())
    await team.ask('Compare the price lists in prices and write a report')
    await team.answer(await question(team), 'answer', '3.50')
    await team.answer(await judgesQuestion(team), 'answer', 'leave it out')
    await team.answer(await team.request((one) => one.kind === 'confirm', 'confirm'), 'refuse', 'not in that folder')
    await team.until(
      () =>
        toAna(team).find(
          (text) => text.includes('was not written') && text.includes('not in that folder') && text.includes('66.50'),
        ),
      'Ana is told',
    )
    await team.answer(await team.request((one) => one.kind === 'part', 'part'), 'done', 'I saw it.')
    const where = await judgesQuestion(team)
    expect([where.question, where.choices]).toEqual([expect.stringContaining('not in that folder'), ["don't write it"]])
    await team.answer(where, 'answer', "don't write it")
    const task = await team.finished()
    expect(task.state).toBe('failed')
    expect(task.summary).toContain('not in that folder')
    expect(existsSync(path.join(team.folder, 'prices/report.md'))).toBe(false)
  })

  it('are written elsewhere when the person who refused the file names another path', async () => {
    const team = await start(sample())
    await team.ask('Compare the price lists in prices and write a report')
    await team.answer(await question(team), 'answer', '3.50')
    await team.answer(await judgesQuestion(team), 'answer', 'leave it out')
    await team.answer(await team.request((one) => one.kind === 'confirm', 'confirm'), 'refuse', 'not in that folder')
    await team.answer(await team.request((one) => one.kind === 'part', 'part'), 'done', 'I saw it.')
    await team.answer(await judgesQuestion(team), 'answer', 'Write it to drafts.md')
    await team.answer(await team.request((one) => one.kind === 'confirm', 'the other path'), 'approve')
    await team.answer(await team.request((one) => one.kind === 'part', 'part'), 'done', 'Fine.')
    expect(await team.finished()).toMatchObject({ state: 'finished', summary: expect.stringContaining('drafts.md') })
    expect(fileOf(team, 'drafts.md')).toContain('66.50')
    expect(existsSync(path.join(team.folder, 'prices/report.md'))).toBe(false)
  })

  it('are read whole when the person puts the list that was named and not there', async () => {
    const team = await start(sample())
    await team.ask('Compare the price lists in prices and write a report')
    await team.answer(await question(team), 'answer', '3.50')
    const lacking = await judgesQuestion(team)
    writeFileSync(path.join(team.folder, 'prices/west.csv'), 'item,price\nplum,4.45\n')
    await team.answer(lacking, 'answer', 'I added it')
    await team.answer(await team.request((one) => one.kind === 'confirm', 'confirm'), 'approve')
    await team.answer(await team.request((one) => one.kind === 'part', 'part'), 'done', 'Good.')
    const { summary } = await team.finished()
    for (const fact of ['price 70.95', 'prices/west.csv']) expect(summary).toContain(fact)
    expect(summary).not.toContain('Not found')
    expect(fileOf(team, 'prices/report.md')).toContain('| plum | price | 4.45 | prices/west.csv line 2 |')
    // The report is not typed again, and its call needs none of the model: the plan refers to the step before.
    const wrote = team
      .steps()
      .find(({ instruction }) => instruction?.kind === 'call' && instruction.name === 'write_file')
    const writer = team.steps().find(({ id }) => id === wrote?.boundTo)
    expect([writer?.calls, writer?.ahead?.preview]).toEqual([[], expect.stringContaining('{"from_step":"before"}')])
  })

  it('continue unchanged when the answer does not mention the missing file', async () => {
    const team = await start(sample())
    await team.ask('Compare the price lists in prices and write a report')
    await team.answer(await question(team), 'answer', '3.50')
    await team.answer(await judgesQuestion(team), 'answer', 'done')
    await team.answer(await team.request((one) => one.kind === 'confirm', 'confirm'), 'approve')
    await team.answer(await team.request((one) => one.kind === 'part', 'part'), 'done', 'Good.')
    expect((await team.finished()).summary).toContain(
      'Not found: prices/west.csv (mentioned in prices/index.md line 5).',
    )
  })
})

describe('files that nobody knew before', () => {
  const lists = (seed: number) => {
    const next = numbers(seed)
    const word = () => `w${(next() % 1e9).toString(36)}`
    const shared = word()
    const [here, there] = [price(next), price(next)]
    const left = Array.from({ length: 4 }, () => [word(), price(next)] as const)
    const right = Array.from({ length: 5 }, () => [word(), price(next)] as const)
    const rows = (list: readonly (readonly [string, string])[]) => list.map((row) => row.join(',')).join('\n')
    const [folder, one, other] = [word(), word(), word()]
    return {
      folder,
      shared,
      here,
      there,
      rest: [...left, ...right].map(([, one]) => one),
      files: {
        [`${folder}/${one}.csv`]: `thing,cost\n${rows(left)}\n${shared},${here}\n`,
        [`${folder}/${other}.csv`]: `thing,cost\n${shared},${there}\n${rows(right)}\n`,
      },
    }
  }

  it.each([1, 2, 3])('give a right total whatever stands in them, for either answer (seed %i)', async (seed) => {
    const { folder, shared, here, there, rest, files } = lists(seed * 7_919)
    for (const answer of [here, there]) {
      const team = await start(files)
      const summary = await play(team, `Compare the lists in ${folder} and write a report`, [answer])
      expect(summary).toContain(`cost ${total([...rest, answer])}`)
      expect(fileOf(team, `${folder}/report.md`)).toContain(`| ${shared} | cost |`)
      await team.close()
      open = null
    }
  })

  it('give another report when one number in them is another', async () => {
    const { folder, here, there, rest, files } = lists(4_242)
    const [first = ''] = Object.keys(files)
    const changed = {
      ...files,
      [first]: (files[first] ?? '').replace(
        /,(\d+)\.(\d\d)\n/,
        (_all, whole: string, part: string) => `,${Number(whole) + 5}.${part}\n`,
      ),
    }
    const team = await start(changed)
    const summary = await play(team, `Compare the lists in ${folder} and write a report`, [there])
    expect(here).not.toBe(there)
    expect(summary).toContain(`cost ${total([...rest, there, '5.00'])}`)
  })

  it('raise no question without contradictions, and leave out excluded files', async () => {
    const team = await start({ 'a/x.csv': 'k,v\none,1\n', 'a/y.csv': 'k,v\none,1\ntwo,2\n' })
    expect(await play(team, 'Compare the lists in a and write a report')).toContain('v 3')
    await team.close()
    const other = await start({ 'a/x.csv': 'k,v\none,1\n', 'a/y.csv': 'k,v\none,4\ntwo,2\n' })
    expect(await play(other, 'Compare the lists in a and write a report', ['leave it out'])).toContain('v 2')
  })

  it('are totalled whole when there are more facts than one packet may hold', async () => {
    const rows = Array.from({ length: 260 }, (_, at) => `key${at},${at + 1}`)
    const team = await start({ 'big/x.csv': `k,v\n${rows.join('\n')}\n`, 'big/y.csv': 'k,v\nkey3,900\n' })
    const summary = await play(team, 'Compare the lists in big and write a report', ['900'])
    expect(summary).toContain(`v ${(260 * 261) / 2 - 4 + 900}`)
    expect(fileOf(team, 'big/report.md')).toContain('The table shows 200 of 261 facts; totals are over all of them.')
  })

  it('are read many at a time when there are many', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 14 }, (_, at) => [`many/f${at}.csv`, `k,v\nkey${at},${at + 1}\n`]),
    )
    const team = await start(files)
    expect(await play(team, 'Total the lists in many and write a report')).toContain(`v ${(14 * 15) / 2}`)
    const calls = team.steps().filter((step) => step.type === 'tool' && step.agent === CREW.reader.id)
    expect(calls.length).toBeLessThan(5)
  })
})

describe('what people may change or ask', () => {
  it('a path that the person edits is where the report is, read back, and told', async () => {
    const team = await start({ 'a/x.csv': 'k,v\none,1\n', 'a/y.csv': 'k,v\ntwo,2\n' })
    await team.ask('Compare the lists in a and write a report')
    const confirm = await team.request((one) => one.kind === 'confirm', 'confirm')
    const args = await team.until(
      () =>
        team.steps().find((step) => step.instruction?.kind === 'call' && step.instruction.name === 'write_file')
          ?.instruction,
      'the call',
    )
    if (args?.kind !== 'call') throw new Error('no call')
    await team.approveEdited(confirm, { path: 'other.md', content: '# mine\n' })
    const check = await checkPart(team)
    expect(toAna(team).some((text) => text.includes('The report is at other.md.'))).toBe(true)
    expect(fileOf(team, 'other.md')).toBe('# mine\n')
    await team.answer(check, 'done', 'ok')
    expect((await team.finished()).summary).toContain('other.md')
    expect(
      team.steps().some((step) => step.executor === 'summary' && (step.result?.text ?? '').includes('other.md')),
    ).toBe(true)
  })

  it('an agent that is asked something reports its work, and continues it', async () => {
    const team = await start(sample())
    await team.ask('Compare the price lists in prices and write a report')
    const asked = await question(team)
    const task = Object.values(team.world().tasks).find((one) => !one.base)
    if (!task) throw new Error('no task')
    await team.put({
      type: 'sendMessage',
      task: task.id,
      sender: CREW.ana.id,
      receivers: [CREW.analyst.id],
      text: 'What are you doing? <job>{"op":"list"}</job>',
      stage: null,
      kind: 'action',
      answers: null,
      replyTo: null,
      attachments: [],
      mention: false,
    })
    await team.until(() => toAna(team).find((text) => text.includes('I can report what I did')), 'the Analyst answers')
    await team.answer(asked, 'answer', '3.50')
    await team.answer(await judgesQuestion(team), 'answer', 'leave it out')
    await team.answer(await team.request((one) => one.kind === 'confirm', 'confirm'), 'approve')
  })

  it('two tasks of the same name keep their answers apart', async () => {
    const team = await start(sample())
    for (const [answer, sum] of [
      ['3.20', '66.20'],
      ['3.50', '66.50'],
    ] as const) {
      await team.ask('Compare the price lists in prices and write a report')
      await team.answer(await question(team), 'answer', answer)
      await team.answer(await judgesQuestion(team), 'answer', 'leave it out')
      await team.answer(await team.request((one) => one.kind === 'confirm', 'confirm'), 'approve')
      await team.until(() => toAna(team).find((text) => text.includes(`price ${sum}`)), `the report with ${sum}`)
    }
  })
})

describe('notes', () => {
  it('hold neither an answer nor a handoff: the report has both, from messages that stay in sight', async () => {
    const team = await start({ 'a/x.csv': 'k,v\none,1\n', 'a/y.csv': 'k,v\none,4\ntwo,2\n' })
    expect(await play(team, 'Compare the lists in a and write a report', ['4'])).toContain('v 6')
    const notes = Object.values(team.world().memory).flatMap((own) => own.map(({ text }) => text))
    expect(new Set(notes)).toEqual(new Set([WORDS.en.introNote]))
  })
})

describe('a reader that may not decide', () => {
  const skills = ['planning', 'think', 'send_message', 'process_message', 'reflection', 'summary']
  const calling = ['instruction_generation', 'tool_decision']
  const team = Object.values({ ...CREW, reader: { ...CREW.reader, skills: [...skills, ...calling] } })

  it('asks what contradicts before it hands the facts over, with the answer', async () => {
    const playing = await start({ 'a/x.csv': 'k,v\none,1\n', 'a/y.csv': 'k,v\none,4\ntwo,2\n' }, { team })
    expect(await play(playing, 'Compare the lists in a and write a report', ['4'])).toContain('v 6')
    const own = playing.steps().filter((step) => step.agent === CREW.reader.id && step.type === 'skill')
    expect(own.filter((step) => step.executor === 'decision')).toEqual([])
    expect(own.filter((step) => step.executor === 'reflection')).toHaveLength(1)
  })
})

describe('a team without a reader', () => {
  const { manager, analyst, ana, reader } = CREW
  const toolless = [manager, { ...analyst, tools: [] }, ana]

  it('starts an agent that is configured for it, and continues', async () => {
    const team = await start({ 'n/a.txt': 'one\ntwo\n' }, { team: toolless, startable: [reader] })
    await play(team, 'Count the lines of n/a.txt', [], { writes: false })
    expect(toAna(team).at(-1)).toContain('| n/a.txt | 2 | lines |')
    // Whom it may start stands in no prompt: it looks that up, and then begins as it would have.
    const arranged = team.steps().filter((step) => step.agent === manager.id && step.executor !== 'process_message')
    expect(arranged.map((step) => step.executor).sort()).toEqual(
      ['send_message', 'task_manager', 'decision', 'ask_info', 'agent_manager', 'task_manager', 'send_message']
        .concat(['task_manager'])
        .sort(),
    )
  })

  it('says that nobody can do it when there is none', async () => {
    const team = await start({ 'n/a.txt': 'one\n' }, { team: toolless })
    await team.ask('Count the lines of n/a.txt')
    await team.until(
      () => toAna(team).find((text) => text.includes('no other agent on this team has a tool that reads files')),
      'Ana is told',
    )
    expect(Object.values(team.world().tasks)).toHaveLength(1)
  })

  it('[R439] gives a reason that is true of it: a manager with tools is no agent without them', async () => {
    const team = await start({ 'n/a.txt': 'one\n' }, { team: [{ ...manager, tools: reader.tools }, ana] })
    await team.ask('Count the lines of n/a.txt')
    const told = await team.until(() => toAna(team).find((text) => text.includes("couldn't start")), 'Ana is told')
    expect(told).toContain('in demo mode a manager passes work on, and no other agent on this team has a tool')
  })
})

it('[R512] a change that is asked for is noted and named in the result, with the files that it begins with', async () => {
  const team = await start(sample())
  const words = { name: 'Compare prices', handle: 'task-1a2b3c', id: 'x', passage: '> a', result: '> Its files' }
  // One names files that are not there; nobody is asked for them.
  const files = '- `prices/north.csv` (aaaaaaaa)\n- `prices/index.md`'
  const text = sayInLanguage('en', 'changeWork', { ...words, files, comment: 'Make it friendlier.' })
  await team.ask(text)
  const task = await team.finished()
  expect([task.name, task.state]).toEqual(['Change Compare prices', 'finished'])
  expect(task.result?.headline).toBe('Change Compare prices: not finished, from 2 files.')
  expect(task.result?.facts).toMatchObject([
    { label: 'Change asked for in “Compare prices”', value: 'Make it friendlier.' },
    { label: 'Files read', value: 'prices/north.csv, prices/index.md' },
  ])
  expect(task.result?.leftOut.join()).toContain('“Make it friendlier.”')
  expect(toAna(team)[0]).toContain('“Make it friendlier.”')
})

it.each(['en', 'zh'] as const)('[R512] a request for a change is understood in its language (%s)', (language) => {
  const words = { name: '价格 A', handle: 'task-1a2b3c', id: 'x', passage: '', result: '> 结果', files: '- `a.md`' }
  const text = sayInLanguage(language, 'changeWork', { ...words, comment: 'Total the price column.\n\nThen stop.' })
  const change = readChange(text)
  expect(change).toEqual({ name: '价格 A', comment: 'Total the price column.\n\nThen stop.', files: ['a.md'] })
  // What it can do of it, it does.
  expect(change && changeJob(change, 'Change it', null, 'pasted')).toMatchObject({ op: 'total', where: ['a.md'] })
  expect(readChange('Compare the price lists in prices')).toBeNull()
})
