/** Jobs on lists: contradicting lists, the total of a column, a missing file, a rejected report. */
import { type End, inLanguage, type Job, type JobMaker, namesFigure, unmet } from '../job'

const report = (end: End, path: string): string => end.file(path) ?? ''
const wasAsked = (end: End, about: RegExp): boolean => end.asked.some(({ question }) => about.test(question))

/** Two price lists that disagree in one price: the person says which holds. */
export const compareLists: JobMaker = (language): Job => {
  const say = inLanguage(language)
  const [folder, item, beet] = [say('stalls', '摊位'), say('quince', '榅桲'), say('beetroot', '甜菜')]
  const path = `${folder}/${say('report', '报告')}.md`
  return {
    id: 'compare',
    language,
    about: 'two lists that disagree, a report',
    files: {
      [`${folder}/east.csv`]: `${say('item,price', '品名,价格')}\n${item},4.15\n${beet},2.05\n`,
      [`${folder}/west.csv`]: `${say('item,price', '品名,价格')}\n${item},4.65\n${say('leek', '韭葱')},1.30\n`,
    },
    request: say(
      [
        `Compare the two price lists in the folder ${folder}. Where they disagree, ask me which price holds.`,
        `Then write a report to ${path}: both prices of what they disagree about, the one that holds, and the`,
        `total of the prices that hold.`,
      ].join(' '),
      `比较“${folder}”文件夹里的两份价格清单。不一致的地方请问我以哪个为准。然后写一份报告，保存到 \`${path}\`：不一致的两个价格、为准的那个，以及各项为准价格的合计。`,
    ),
    rules: [
      { asks: new RegExp(item), text: '4.65' },
      { times: 3, text: say('Yes.', '好的。') },
    ],
    check: (end) =>
      unmet(
        [wasAsked(end, new RegExp(item)), `nobody asked which price of ${item} holds`],
        [!wasAsked(end, new RegExp(`${beet}.*\\?`)), `it was asked about ${beet}, which nothing contradicts`],
        [
          namesFigure(report(end, path), '4.15') && namesFigure(report(end, path), '4.65'),
          'a price is not in the report',
        ],
        [namesFigure(report(end, path), '8'), 'the total 8.00 is not in the report'],
        [end.tasks.some(({ state }) => state === 'finished'), 'no task is finished'],
      ),
  }
}

/** The total of one column of several. */
export const columnTotal: JobMaker = (language): Job => {
  const say = inLanguage(language)
  const [city, amount] = [say('city', '城市'), say('amount', '金额')]
  const rows = [
    ['Delft', '118.40', '3'],
    ['Gouda', '77.15', '5'],
    ['Delft', '9.45', '1'],
    ['Breda', '340.00', '8'],
  ]
  return {
    id: 'total',
    language,
    about: 'the total of one column',
    files: {
      'sales/june.csv': [[city, amount, say('crates', '箱数')], ...rows].map((row) => row.join(',')).join('\n'),
    },
    request: say(
      'What is the total of the column amount in sales/june.csv? Tell me the figure in a message.',
      '`sales/june.csv` 里“金额”列的合计是多少？请用消息告诉我数字。',
    ),
    rules: [{ times: 3, text: say('Yes.', '好的。') }],
    check: (end) =>
      unmet(
        [end.told.some(({ text }) => namesFigure(text, '545')), 'nobody was told 545.00'],
        [end.paths.length === 2, 'files were made that nobody asked for'],
      ),
  }
}

/** A list is named but missing: the person, when asked, says to leave it out. */
export const missingFile: JobMaker = (language): Job => {
  const say = inLanguage(language)
  const head = say('item,price', '品名,价格')
  const path = 'fairs/report.md'
  return {
    id: 'missing',
    language,
    about: 'a file that is named and not there',
    files: {
      'fairs/index.md': say(
        '# Fairs\n\nThe prices stand in may.csv, june.csv and july.csv.\n',
        '# 集市\n\n- may.csv\n- june.csv\n- july.csv\n',
      ),
      'fairs/may.csv': `${head}\n${say('honey', '蜂蜜')},7.20\n`,
      'fairs/june.csv': `${head}\n${say('wax', '蜂蜡')},5.35\n`,
    },
    request: say(
      [
        `Total the prices of the lists in the folder fairs and write a report to ${path}. The index there`,
        `names them; ask me about a list that is not there.`,
      ].join(' '),
      `合计 fairs 文件夹里的各份清单，报告写到 ${path}。索引里有它们的名称；如果有清单不存在，请问我。`,
    ),
    rules: [
      { asks: /july/, text: say('leave it out', '不计入') },
      { times: 3, text: say('Yes.', '好的。') },
    ],
    check: (end) =>
      unmet(
        [wasAsked(end, /july/), 'nobody asked about july.csv'],
        [namesFigure(report(end, path), '12.55'), 'the total 12.55 is not in the report'],
        [end.tasks.some(({ summary }) => /july/.test(summary)), 'the summary does not say that july.csv is left out'],
      ),
  }
}

/** The person rejects the report with a reason, and accepts the second one. */
export const rejectedStage: JobMaker = (language): Job => {
  const say = inLanguage(language)
  const head = say('item,price', '品名,价格')
  const path = 'sites/report.md'
  return {
    id: 'rejected',
    language,
    about: 'a report that the person sends back once',
    files: {
      'sites/north.csv': `${head}\n${say('rope', '绳')},3.10\n${say('tarp', '篷布')},12.40\n`,
      'sites/south.csv': `${head}\n${say('lamp', '灯')},6.25\n`,
      'sites/coast.csv': `${head}\n${say('oar', '桨')},21.05\n`,
    },
    request: say(
      [
        `Compare the price lists in the folder sites and write a report with their total to ${path}. I check`,
        `it myself before it counts.`,
      ].join(' '),
      `比较 sites 文件夹里的价格清单，写一份报告，包括合计，保存到 ${path}。算数之前由我自己检查。`,
    ),
    rules: [
      { kind: 'part', times: 1, decision: 'cannot', text: say('leave out south', 'south 不计入') },
      { kind: 'part', text: say('It is right now.', '现在对了。') },
      { times: 3, text: say('Yes.', '好的。') },
    ],
    check: (end) =>
      unmet(
        [end.tasks.some(({ stages }) => stages.includes('failed')), 'no stage was sent back'],
        [namesFigure(report(end, path), '36.55'), 'the total 36.55 is not in the report'],
        [!namesFigure(report(end, path), '42.80'), 'the report still has the total with south.csv'],
        [end.tasks.some(({ state }) => state === 'finished'), 'no task is finished'],
      ),
  }
}
