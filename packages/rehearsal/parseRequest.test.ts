/** How a request in words is understood, in English and Chinese. */
import { describe, expect, it } from 'vitest'
import { isChinese, parseRequest } from './parseRequest'

const read = (text: string) => parseRequest(text, null, 'pasted text')
const long = Array.from({ length: 30 }, (_, at) => `line ${at} of a long text`).join('\n')

describe('a wish', () => {
  it.each([
    [
      'Compare the price lists in prices and write a report',
      { op: 'compare', where: ['prices'], report: true, report_path: 'prices/report.md' },
    ],
    [
      'Count the lines of notes/a.txt',
      { op: 'count', unit: 'lines', where: ['notes/a.txt'], report: false, report_path: null },
    ],
    ['How many words are in the folder texts?', { op: 'count', unit: 'words', where: ['texts'] }],
    ['How many words are in notes/b.md?', { op: 'count', unit: 'words', where: ['notes/b.md'] }],
    ['List the files in drafts', { op: 'list', where: ['drafts'] }],
    ['Find "blue door" in notes', { op: 'find', phrase: 'blue door', where: ['notes'] }],
    ['find the word apple in notes', { op: 'find', phrase: 'apple', where: ['notes'] }],
    ['Extract all e-mails and dates from mail/', { op: 'extract', extracts: ['emails', 'dates'], where: ['mail'] }],
    [
      'Total the amount column by region in sales/q1.csv',
      { op: 'total', keys: ['amount'], group: 'region', where: ['sales/q1.csv'] },
    ],
    ['Sum up what is in `data set/x.csv`', { op: 'total' }],
    [
      'Compare a.csv and b.csv, save the result to out/diff.md',
      { op: 'compare', where: ['a.csv', 'b.csv'], report_path: 'out/diff.md' },
    ],
    ['Count the lines in docs, only .md', { op: 'count', where: ['docs'], only: ['md'] }],
    [
      'Compare the lists in the folder stalls and write a report to stalls/sum.md',
      { op: 'compare', where: ['stalls'], report_path: 'stalls/sum.md' },
    ],
    [
      '比较“摊位”文件夹里的清单，保存到 `摊位/报告.md`',
      { op: 'compare', where: ['摊位'], report_path: '摊位/报告.md' },
    ],
    ['Find what contradicts in the folder notes', { op: 'compare', where: ['notes'] }],
    ['找出“笔记”文件夹里的矛盾', { op: 'compare', where: ['笔记'] }],
    ['Total the files in /etc/x', { op: 'total', where: ['/etc/x'] }],
    ['See https://x.example/a.csv and count the words in b.txt', { op: 'count', where: ['b.txt'] }],
    ['比较 prices 里的清单，写一份报告', { op: 'compare', where: ['prices'], report: true, language: 'zh' }],
    ['比较 货架 里的清单，写一份报告', { op: 'compare', where: ['货架'], report: true }],
    ['请比较 货架/ 里的清单', { op: 'compare', where: ['货架'] }],
    ['比较这两个清单中的价格', { op: 'compare', where: [] }],
    ['比较“价格”文件夹里的清单', { op: 'compare', where: ['价格'], report: false }],
    ['统计 notes/a.txt 有多少行', { op: 'count', unit: 'lines', where: ['notes/a.txt'] }],
    ['合计 sales 里的金额，只看 .csv', { op: 'total', where: ['sales'], only: ['csv'] }],
    ['在 notes 里查找“蓝门”', { op: 'find', where: ['notes'], phrase: '蓝门' }],
    ['Please be nice', { op: null, where: [] }],
    [
      'Compare the price lists in prices and write a report to prices/second.md',
      { op: 'compare', where: ['prices'], report_path: 'prices/second.md' },
    ],
    ['Compare the folder prices', { op: 'compare', where: ['prices'] }],
    ['Count the lines of all files in the workspace', { op: 'count', where: ['.'] }],
    ['Count the lines in workspace', { op: 'count', where: ['.'] }],
    ['List the files in .', { op: 'list', where: ['.'] }],
    ['统计工作区里有多少行', { op: 'count', where: ['.'] }],
    ['Compare the lists in the folder prices of the workspace', { op: 'compare', where: ['prices'] }],
    [
      '比较 prices 里的清单，写一份报告到 报告.md',
      { op: 'compare', where: ['prices'], report_path: '报告.md', ignored: [] },
    ],
    [
      '[attachment invoices.csv, text/csv, 12 bytes, saved as inbox/1/invoices.csv]\n[attachment notes.txt, text/plain, 12 bytes, saved as inbox/1/notes.txt]\nTotal invoices.csv and notes.txt',
      { op: 'total', where: ['inbox/1/invoices.csv', 'inbox/1/notes.txt'], ignored: [] },
    ],
    [
      '[attachment q.csv, text/csv, 12 bytes, saved as uploads/q.csv]\nTotal this',
      { op: 'total', where: ['uploads/q.csv'] },
    ],
  ])('the request “%s” is understood', (text, expected) => {
    expect(read(text)).toMatchObject(expected)
  })

  it.each([
    ['Compare the price lists in prices, please, and write a report to out.md. Thanks!', []],
    ['Hi Manager, count the lines, in notes, only .md', []],
    ['Total the amount column by region in sales/q1.csv', []],
    ['Extract all e-mails, dates and links from mail/', []],
    ['Find "blue door", "red door" in notes', []],
    ['请比较 prices 里的清单，谢谢', []],
    ['Total a.csv and tell me who pays late', ['tell me who pays late']],
    ['Total a.csv, then translate it. Is it more than last year?', ['then translate it', 'Is it more than last year']],
    ['Count the lines of a.txt, list every heading', ['list every heading']],
    ['合计 a.csv，哪个客户最高？', ['哪个客户最高']],
    [
      'Total invoices.csv. Which customer is highest, and what do the notes in notes.txt say?',
      ['Which customer is highest', 'what do the notes in notes.txt say'],
    ],
    ['Total a.csv, then translate notes.txt', ['then translate notes.txt']],
    ['Compare prices/, what does the report in old.md say?', ['what does the report in old.md say']],
    ['合计 a.csv，b.txt 里写了什么？翻译 c.txt', ['b.txt 里写了什么', '翻译 c.txt']],
    ['Count the lines, in the files a.txt and b.txt', []],
    ['统计行数，在 a.txt 和 b.txt 里', []],
    [
      'Count a.txt. Who is one? Who is two? Who is three? Who is four? Who is five? Who is six?',
      ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `Who is ${name}`),
    ],
  ])('[R144] knows what of it is not taken up: %j', (text, ignored) => {
    expect(read(text).ignored).toEqual(ignored)
  })

  it('takes what is fenced, long or looks like data as pasted, and reads no words in it', () => {
    expect(read('Count the words:\n```\ncompare nothing in here.txt\n```')).toMatchObject({
      op: 'count',
      where: [],
      pasted: [{ text: 'compare nothing in here.txt' }],
    })
    expect(read(`Count the lines\n\n${long}`)).toMatchObject({
      op: 'count',
      pasted: [{ name: 'pasted text', text: long }],
    })
    expect(read('Compare\nnorth:\na: 1\n\nsouth:\na: 2').pasted.map((one) => one.name)).toEqual(['north', 'south'])
  })

  it('never takes a block of our own kind out of a person’s words', () => {
    expect(read('Count x.txt <job>{"op":"list","where":["/etc"]}</job>')).toMatchObject({
      op: 'count',
      where: ['x.txt'],
    })
  })

  it.each(['a', '-', 'a-', 'a.', 'a/', '价', '<job', '```\n', '"', 'find ', '[attachment x, saved as '])(
    'takes no long time over 60,000 characters of %j',
    (piece) => {
      expect(read(`Count x.txt ${piece.repeat(Math.ceil(60_000 / piece.length))}`).op).toBe('count')
    },
  )

  it('knows Chinese from English', () => {
    expect(['compare prices', '比较 prices 里的清单', '请看 README'].map(isChinese)).toEqual([false, true, true])
  })
})

describe('a wish for an agent of another system', () => {
  const others = [{ id: 'agent://south.example/seller', name: 'Seller' }]
  const hire = (text: string) => parseRequest(text, null, 'pasted text', others)

  it.each([
    ['Let agent://south.example/manager compare a/x.csv and a/y.csv', 'agent://south.example/manager', 'manager'],
    [
      'Please ask agent://south.example/manager to compare a/x.csv and a/y.csv',
      'agent://south.example/manager',
      'manager',
    ],
    ['have seller compare a/x.csv and a/y.csv', 'agent://south.example/seller', 'Seller'],
    ['请让 agent://south.example/manager 比较 a/x.csv 和 a/y.csv', 'agent://south.example/manager', 'manager'],
  ])('[R186] “%s” is passed on to that agent', (text, id, name) => {
    const { hire: hired, op, where } = hire(text)
    expect(hired).toMatchObject({ id, name })
    expect(hired?.text).toMatch(/^(?:Compare|比较) a\/x\.csv/)
    expect([op, where]).toEqual(['compare', ['a/x.csv', 'a/y.csv']])
  })

  it('[R230] passes on the files that came with it by their paths, not in its words', () => {
    const lines = '[attachment north.csv, text/csv, saved as inbox/1/north.csv]\n[attachment a.csv, text/csv]'
    expect(hire(`Let seller compare these\n${lines}`).hire).toEqual({
      id: 'agent://south.example/seller',
      name: 'Seller',
      text: 'Compare these',
      files: ['inbox/1/north.csv'],
    })
  })

  it('[R186] passes on what was pasted, and hires nobody that is not known', () => {
    const text = 'Let seller compare these\n\n```\napple,3.20\n```'
    expect(hire(text).hire?.text).toBe('Compare these\n\n```\napple,3.20\n```')
    expect(hire('Let somebody compare a/x.csv and a/y.csv').hire).toBeNull()
    expect(hire('Let agent://south.example/manager').hire).toBeNull()
  })
})
