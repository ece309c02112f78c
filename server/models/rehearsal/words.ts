/** Everything that the rehearsal says, in English and Chinese. */
import { inHan } from '@/lib/format/hanSpaces'
import type { Language } from '@/lib/mas/records'
import type { Op } from './job'
import type { Unit } from './ops/count'
import type { Fact } from './ops/facts'
import type { KindCount } from './ops/inventory'

const cite = (fact: { file: string; line: number | null }, line: string): string =>
  fact.line === null ? fact.file : `${fact.file} ${line} ${fact.line}`

const en = {
  intro: "(Demo mode: I'm a built-in program, not a language model.)",
  introNote: 'I have said that I am a program.',
  pasted: 'pasted text',
  workspace: 'the workspace',
  line: (fact: { file: string; line: number | null }) => cite(fact, 'line'),
  verbs: {
    compare: 'Compare',
    total: 'Total',
    count: 'Count',
    extract: 'Extract',
    find: 'Find',
    list: 'List',
  } satisfies Record<Op, string>,
  choices: ['count', 'list', 'extract', 'total', 'compare', 'find'],
  units: {
    lines: 'lines',
    words: 'words',
    rows: 'rows',
    characters: 'characters',
    matches: 'matches',
    files: 'files',
  } satisfies Record<Unit, string>,
  leaveItOut: 'leave it out',
  allOfThem: 'all of them',
  list: ', ',
  /** Between sentences. */
  space: ' ',
  aside: (text: string) => ` (${text})`,
  title: (op: string, what: string) => `${op} ${what}`,
  readTitle: (what: string) => `Read ${what}`,
  reportTitle: 'Write the report',
  resultTitle: 'Work out the result',
  severalFiles: (count: number) => `${count} files`,
  severalPlaces: (count: number) => `${count} places`,

  // Questions
  whichVerb: 'I can count, list, extract, total, compare and find. What should I do with what you sent?',
  whichPlace: (op: string) => `${op}: in which folder or file? You can also paste the text.`,
  whichHolds: (key: string, column: string | null, facts: Fact[]) =>
    `${key}${column === null ? '' : ` (${column})`}: ${facts.map((fact) => `${fact.value} in ${cite(fact, 'line')}`).join(', ')}. Which one is correct?`,
  whichCount: (kinds: KindCount[]) =>
    `${kinds.map((kind) => `${kind.count} ${kind.kind}${kind.readable ? '' : ' (unreadable)'}`).join(', ')}. Which ones should I count?`,
  itIsThere: 'I added it',
  leaveUnwritten: "don't write it",
  notThere: (files: { name: string; in: string | null }[]) => {
    const named = files.map((file) => (file.in === null ? file.name : `${file.in} refers to ${file.name}`)).join('; ')
    return files.length === 1
      ? `${named}, which doesn't exist. Leave it out, or add it to the folder and say so?`
      : `${named}: these don't exist. Leave them out, or add them to the folder and say so?`
  },
  whereElse: (path: string, reason: string) =>
    `${path} was not written: ${reason}\nWhich path should I use instead, or should I not write it?`,
  addedSay: (what: string) => `Added: ${what}.`,
  otherPathSay: (path: string) => `Write to ${path} instead.`,
  askLack: (name: string) => `ask ${name} how to continue`,
  askLackText: (name: string, question: string) => `Ask ${name} and review with the answer: ${question}`,
  otherPlace: (path: string, error: string) =>
    `I couldn't read ${path}. The tool says: ${error}\nWhich other folder or file should I read? You can also paste the text.`,

  // Manager
  arrangeIntention: 'plan the request',
  arrange: (name: string, wish: string) => `${name} requests: ${wish}`,
  askAgents: 'find out who can do it',
  askAgentsText: 'Ask for agents_in_mas: who has a file tool, who analyses?',
  addTask: 'create the task',
  addTaskText: (title: string) => `Create the task ${title} with everyone needed.`,
  tellBegun: 'say that the work started',
  begun: (title: string, stages: number, members: number) =>
    `Task \`${title}\` started: ${stages} ${stages === 1 ? 'stage' : 'stages'}, ${members} members`,
  notUnderstood: (pieces: string[]) =>
    `I didn't understand this, so nothing is done about it: ${pieces.map((piece) => `“${piece}”`).join(', ')}.`,
  notBegun: (title: string, reason: string) => `Task \`${title}\` couldn't start: ${reason}`,
  noAgentFits: 'no agent on this team has the tool for it',
  taskGoal: (wish: string, name: string) => `${wish} (requested by ${name})`,
  readStage: (where: string) => `Read ${where}, resolve contradictions, collect the facts`,
  readGoal: (where: string, to: string, asker: string) =>
    `List and read everything in ${where}. If values contradict, ask ${asker} which one is correct. Send all facts with their sources to ${to}.`,
  analyseStage: (title: string, path: string) => `${title}: work out the result and write it to ${path}`,
  analyseGoal: (from: string, op: string, path: string) =>
    `Use the facts that ${from} sent you. ${op}, and write the report to ${path}.`,
  wholeStage: (title: string) => title,
  wholeGoal: (wish: string, where: string, asker: string, path: string | null) =>
    `${wish} Source: ${where}. ${path === null ? `Send the result to ${asker}.` : `Write the report to ${path}.`}`,
  checkGoal: (path: string) => `Check the report at ${path}, then mark your part complete.`,
  whereAll: (paths: string[]): string =>
    paths.length === 0 ? 'the pasted text' : paths.map((path) => (path === '.' ? 'the workspace' : path)).join(', '),

  hire: (name: string) => `Work by ${name}`,
  hireStage: (uri: string) => `Have ${uri} do the work`,
  hireGoal: (uri: string, text: string) =>
    `Ask ${uri} for this, answer its questions, and send on the result:\n${text}`,
  hireText: (uri: string) => `Ask ${uri} for the work and wait for the result.`,
  hiredNot: (name: string) => `${name} didn't finish the work.`,
  savedHere: (paths: string[]) => `Saved here: ${paths.join(', ')}.`,
  passOn: (name: string) => `Ask ${name} what the agent that does the work needs to know.`,

  // Plans
  read: (where: string) => `list and read ${where}`,
  readText: (where: string) =>
    `List ${where} and read every readable file in it whole; look for files that are named but not there.`,
  gather: 'gather the facts',
  gatherText: 'Gather the facts with file and line, and what contradicts.',
  askIf: 'ask only if something is unclear',
  askIfText: (asker: string) =>
    `If values contradict, or it is unclear what counts, ask ${asker} once for each; else nothing.`,
  ask: (asker: string) => `ask ${asker} which one is correct`,
  handoff: (to: string) => `send the facts to ${to}`,
  handoffText: (to: string) => `Send ${to} all facts, answers and sources.`,
  report: 'work out the result',
  reportText: 'Work out the result from the facts and write it as a document.',
  write: (path: string) => `write ${path} and read it back`,
  writeText: (path: string) => `Write the document of the step before to ${path}, then read it back.`,
  deliver: (asker: string) => `tell ${asker}`,
  deliverText: (asker: string) => `Tell ${asker} the result and where it is.`,
  check: 'check the part',
  checkText: 'Is everything read, cleared up, sent or written?',

  // Reading
  nextReadBack: (path: string) => `read ${path} back`,
  allRead: (read: number, missing: string[]) =>
    `${read} ${read === 1 ? 'file is' : 'files are'} read${missing.length > 0 ? `; not found: ${missing.join(', ')}` : ''}.`,
  toolFailed: (error: string) => `The tool failed: ${error}`,
  writtenOnly: (path: string) => `${path} was written, but couldn't be read back.`,
  notWritten: (path: string, reason: string) => `${path} was not written: ${reason}`,
  noAbility: (what: string) => `the server has no ability to ${what} that I can use`,
  unknownArguments: (tool: string, names: string[]) => `${tool} needs ${names.join(', ')}, which I don't know`,
  nothingToCall: 'nothing is left to be called for this step',
  noDocument: 'there is no document to be written in the history',

  // Report
  factsHead: (facts: number, files: number) => `${facts} facts from ${files} ${files === 1 ? 'file' : 'files'}.`,
  noFacts: 'Nothing could be read.',
  contradictionsHead: 'Contradictions',
  noContradictions: 'No contradictions.',
  filesHead: 'Files',
  fileColumns: ['File', 'Kind', 'Lines', 'State'],
  states: { read: 'read', partly: 'read in part', missing: 'not found', unreadable: 'unreadable', failed: 'not read' },
  namedIn: (place: string) => `mentioned in ${place}`,
  differHead: 'Different values',
  differColumns: ['Item', 'Column', 'Values', 'Correct'],
  onlyHead: 'Only in one list',
  itemsHead: 'Confirmed values',
  itemColumns: ['Item', 'Column', 'Value', 'Source'],
  totalsHead: 'Totals',
  totalColumns: ['Column', 'Total', 'Values'],
  groupColumns: ['Group', 'Column', 'Total'],
  countsHead: 'Counts',
  countColumns: ['Source', 'Count', 'Number'],
  hitsHead: (phrase: string) => `Where “${phrase}” appears`,
  hitColumns: ['Source', 'Text'],
  extractHead: 'Extracted',
  extractColumns: ['Kind', 'Value', 'Source'],
  answersHead: 'Answers',
  answer: (question: string, by: string, said: string) => `${question} ${by}: “${said}”`,
  undecided: 'not decided, left out of the totals',
  leftOut: 'left out',
  holdsBy: (value: string, by: string) => `${value} (${by})`,
  inAll: 'In all',
  nothingFound: 'Nothing found.',
  cutNote: (shown: number, all: number) => `The table shows ${shown} of ${all} facts; totals are over all of them.`,
  madeBy: 'Created in demo mode by a built-in program, from the files listed below.',

  // Messages
  handoffHead: (title: string, facts: number, files: number) =>
    `${title}: ${facts} facts from ${files} ${files === 1 ? 'file' : 'files'}.`,
  nextStep: (op: string, path: string | null) => `${op} the facts${path === null ? '' : ` and write ${path}`}`,
  reportAt: (path: string) => `The report is at ${path}.`,
  totalsSay: (totals: string) => `Totals: ${totals}.`,
  missingSay: (missing: string) => `Not found: ${missing}.`,
  resultHead: (title: string) => `Result of “${title}”:`,
  status: (goal: string, done: string[]) =>
    `In demo mode I can report what I did, but not answer freely. ${goal === '' ? '' : `I'm working on: ${goal}\n`}${done.length === 0 ? "I haven't finished a step yet." : `Finished: ${done.join('; ')}.`}`,

  // Notes and summaries
  tookAnswer: (by: string, said: string) => `${by} answered: “${said}”. I keep to it.`,
  tookHandoff: (by: string, facts: number) => `${by} sent ${facts} facts.`,
  tookNote: (by: string) => `Noted what ${by} wrote; no action needed.`,
  tookWork: (by: string) => `Read the request from ${by}; the work needs to be planned.`,
  summaryDone: (title: string) => `“${title}”: goal achieved.`,
  summaryPartly: (title: string, missing: string) =>
    `“${title}”: goal achieved, except for files not found: ${missing}.`,
  summaryNot: (title: string, reason: string) => `“${title}”: goal not achieved. ${reason}`,
  filesRead: (files: string[]) => `Files read: ${files.length === 0 ? 'none' : files.join(', ')}.`,
  sentTo: (name: string) => `Facts sent to ${name}.`,
  compared: (done: string, missing: string) => `Compared with the goal: ${done} ${missing}`,
  nothingMissing: 'Nothing is missing that I can still do.',
  stillMissing: (what: string) => `Still to be done: ${what}.`,
  sameReport: 'The saved file matches.',
  otherReport: 'The saved file differs from the report.',
  quickUnknown:
    'I can only count, list, extract, total, compare and find in texts that the step itself holds; this one holds none.',
  partFailed: (name: string, reason: string) => `${name} couldn't finish: ${reason}.`,
  noReason: 'no reason given',
  answersSay: (answers: string) => `Decided: ${answers}.`,
  leftOutSay: (what: string) => `Left out: ${what}.`,
  says: (name: string, text: string) => `${name}: ${text}`,
}

export type Words = typeof en

const zhCite = (fact: { file: string; line: number | null }): string =>
  fact.line === null ? fact.file : `${fact.file} 第 ${fact.line} 行`

const zh: Words = {
  intro: '（演示模式：我是模拟智能体的程序，不是语言模型。）',
  introNote: '已说明我是程序。',
  pasted: '粘贴的文字',
  workspace: '工作区',
  line: zhCite,
  verbs: { compare: '比较', total: '合计', count: '计数', extract: '提取', find: '查找', list: '列出' },
  choices: ['计数', '列出', '提取', '合计', '比较', '查找'],
  units: { lines: '行', words: '词', rows: '记录', characters: '字符', matches: '出现次数', files: '文件' },
  leaveItOut: '不计入',
  allOfThem: '全部',
  list: '、',
  space: '',
  aside: (text) => `（${text}）`,
  title: (op, what) => `${op} ${what}`,
  readTitle: (what) => `读取 ${what}`,
  reportTitle: '写出报告',
  resultTitle: '得出结果',
  severalFiles: (count) => `${count} 个文件`,
  severalPlaces: (count) => `${count} 处内容`,

  whichVerb: '我能计数、列出、提取、合计、比较、查找。要怎样处理你发来的内容？',
  whichPlace: (op) => `${op}：在哪个文件夹或文件里？也可以直接粘贴文字。`,
  whichHolds: (key, column, facts) =>
    `${key}${column === null ? '' : `（${column}）`}：${facts.map((fact) => `${zhCite(fact)}是 ${fact.value}`).join('，')}。哪一个是对的？`,
  whichCount: (kinds) =>
    `${kinds.map((kind) => `${kind.count} 个 ${kind.kind}${kind.readable ? '' : '（无法读取）'}`).join('，')}。要计入哪些？`,
  itIsThere: '已放好',
  leaveUnwritten: '不写入',
  notThere: (files) => {
    const named = files.map((file) => (file.in === null ? file.name : `${file.in}提到 ${file.name}`)).join('；')
    return files.length === 1
      ? `${named}，但它不存在。不计入它，还是放进文件夹后告诉我？`
      : `${named}，但它们都不存在。不计入它们，还是放进文件夹后告诉我？`
  },
  whereElse: (path, reason) => `${path} 没有写入：${reason}\n要写到哪个路径，还是不写入？`,
  addedSay: (what) => `已放好：${what}。`,
  otherPathSay: (path) => `改写到 ${path}。`,
  askLack: (name) => inHan`问 ${name} 如何继续`,
  askLackText: (name, question) => inHan`问 ${name}，根据回答验收：${question}`,
  otherPlace: (path, error) =>
    `我无法读取 ${path}。工具的回答是：${error}\n请告诉我另一个文件夹或文件，也可以直接粘贴文字。`,

  arrangeIntention: '安排新请求',
  arrange: (name, wish) => inHan`${name} 提出新请求：${wish}`,
  askAgents: '了解谁能做',
  askAgentsText: '查询 agents_in_mas：谁有文件工具，谁做分析？',
  addTask: '建立任务',
  addTaskText: (title) => `建立任务“${title}”，包括所有需要的成员。`,
  tellBegun: '告知工作已开始',
  begun: (title, stages, members) => `任务 \`${title}\` 已开始：${stages} 个阶段，${members} 名成员`,
  notUnderstood: (pieces) => `这些话我没有理解，不会处理：${pieces.map((piece) => `“${piece}”`).join('、')}。`,
  notBegun: (title, reason) => `任务 \`${title}\` 无法开始：${reason}`,
  noAgentFits: '团队里没有带所需工具的智能体',
  taskGoal: (wish, name) => inHan`${wish}（由 ${name} 提出）`,
  readStage: (where) => `读取 ${where}，弄清矛盾之处，汇集事实`,
  readGoal: (where, to, asker) =>
    inHan`列出并读取 ${where} 里的全部内容。如有矛盾，问 ${asker} 哪一个是对的。把所有事实连同出处发给 ${to}。`,
  analyseStage: (title, path) => `${title}：得出结果并写入 ${path}`,
  analyseGoal: (from, op, path) => inHan`使用 ${from} 发给你的事实。${op}，把报告写入 ${path}。`,
  wholeStage: (title) => title,
  wholeGoal: (wish, where, asker, path) =>
    `${wish} 来源：${where}。${path === null ? inHan`把结果发给 ${asker}。` : inHan`把报告写入 ${path}。`}`,
  hire: (name) => inHan`由 ${name} 完成`,
  hireStage: (uri) => `请 ${uri} 完成这项工作`,
  hireGoal: (uri, text) => `请 ${uri} 完成以下工作，回答它的问题，并转交结果：\n${text}`,
  hireText: (uri) => `请 ${uri} 完成这项工作，并等待结果。`,
  hiredNot: (name) => inHan`${name} 没有完成这项工作。`,
  savedHere: (paths) => `已保存到这里：${paths.join('、')}。`,
  passOn: (name) => inHan`向 ${name} 询问对方需要知道的内容。`,
  checkGoal: (path) => `检查 ${path} 的报告，然后完成你负责的部分。`,
  whereAll: (paths) =>
    paths.length === 0 ? '粘贴的文字' : paths.map((path) => (path === '.' ? '工作区' : path)).join('、'),

  read: (where) => `列出并读取 ${where}`,
  readText: (where) => `列出 ${where}，把其中每个可读的文件读完整；寻找被提到却不存在的文件。`,
  gather: '汇集事实',
  gatherText: '汇集带有文件和行号的事实，以及互相矛盾之处。',
  askIf: '只在不清楚时提问',
  askIfText: (asker) => inHan`如果数值矛盾，或不清楚什么算数，就每处问 ${asker} 一次；否则不做任何事。`,
  ask: (asker) => inHan`问 ${asker} 哪一个是对的`,
  handoff: (to) => inHan`把事实发给 ${to}`,
  handoffText: (to) => inHan`把所有事实、回答和出处发给 ${to}。`,
  report: '得出结果',
  reportText: '根据事实得出结果，写成文档。',
  write: (path) => `写入 ${path} 并读回`,
  writeText: (path) => `把上一步的文档写入 ${path}，然后读回。`,
  deliver: (asker) => inHan`告知 ${asker}`,
  deliverText: (asker) => inHan`告诉 ${asker} 结果及其位置。`,
  check: '检查这一部分',
  checkText: '是否都已读取、弄清、发送或写入？',

  nextReadBack: (path) => `读回 ${path}`,
  allRead: (read, missing) => `已读取 ${read} 个文件${missing.length > 0 ? `；不存在：${missing.join('、')}` : ''}。`,
  toolFailed: (error) => `工具失败：${error}`,
  writtenOnly: (path) => `${path} 已写入，但未能读回。`,
  notWritten: (path, reason) => `${path} 没有写入：${reason}`,
  noAbility: (what) => `服务器没有我能使用的能力：${what}`,
  unknownArguments: (tool, names) => `${tool} 需要 ${names.join('、')}，我不知道`,
  nothingToCall: '这一步没有需要调用的内容',
  noDocument: '历史里没有可写入的文档',

  factsHead: (facts, files) => `来自 ${files} 个文件的 ${facts} 条事实。`,
  noFacts: '没有读到任何内容。',
  contradictionsHead: '矛盾之处',
  noContradictions: '没有矛盾。',
  filesHead: '文件',
  fileColumns: ['文件', '类型', '行数', '状态'],
  states: { read: '已读取', partly: '只读到一部分', missing: '不存在', unreadable: '无法读取', failed: '未读取' },
  namedIn: (place) => `${place}提到`,
  differHead: '不同的数值',
  differColumns: ['项目', '列', '数值', '正确值'],
  onlyHead: '只在一个清单里',
  itemsHead: '已确认的数值',
  itemColumns: ['项目', '列', '数值', '出处'],
  totalsHead: '合计',
  totalColumns: ['列', '合计', '个数'],
  groupColumns: ['分组', '列', '合计'],
  countsHead: '计数',
  countColumns: ['来源', '计数', '数目'],
  hitsHead: (phrase) => `“${phrase}”所在之处`,
  hitColumns: ['出处', '文字'],
  extractHead: '提取结果',
  extractColumns: ['类型', '内容', '出处'],
  answersHead: '回答',
  answer: (question, by, said) => `${question} ${by}：“${said}”`,
  undecided: '未决定，不计入合计',
  leftOut: '不计入',
  holdsBy: (value, by) => `${value}（${by}）`,
  inAll: '总计',
  nothingFound: '没有找到。',
  cutNote: (shown, all) => `表中列出 ${all} 条事实里的 ${shown} 条；合计包含全部。`,
  madeBy: '由演示程序根据下列文件生成。',

  handoffHead: (title, facts, files) => `${title}：来自 ${files} 个文件的 ${facts} 条事实。`,
  nextStep: (op, path) => `${op}这些事实${path === null ? '' : `，写入 ${path}`}`,
  reportAt: (path) => `报告在 ${path}。`,
  totalsSay: (totals) => `合计：${totals}。`,
  missingSay: (missing) => `不存在：${missing}。`,
  resultHead: (title) => `“${title}”的结果：`,
  status: (goal, done) =>
    `演示模式下，我只能报告做过的事，不能自由回答。${goal === '' ? '' : `我正在做：${goal}\n`}${done.length === 0 ? '还没有完成任何步骤。' : `已完成：${done.join('；')}。`}`,

  tookAnswer: (by, said) => inHan`${by} 回答：“${said}”。我照此办理。`,
  tookHandoff: (by, facts) => `${by} 发来了 ${facts} 条事实。`,
  tookNote: (by) => inHan`已知悉 ${by} 所写；无需行动。`,
  tookWork: (by) => inHan`${by} 说明了要做什么；需要安排工作。`,
  summaryDone: (title) => `“${title}”：已达成。`,
  summaryPartly: (title, missing) => `“${title}”：已达成，但缺少不存在的：${missing}。`,
  summaryNot: (title, reason) => `“${title}”：未达成。${reason}`,
  filesRead: (files) => `已读取的文件：${files.length === 0 ? '无' : files.join('、')}。`,
  sentTo: (name) => inHan`事实已发给 ${name}。`,
  compared: (done, missing) => `与目标对照：${done}${missing}`,
  nothingMissing: '我还能做的都已做完。',
  stillMissing: (what) => `还要做：${what}。`,
  sameReport: '保存的文件与报告一致。',
  otherReport: '保存的文件与报告不一致。',
  quickUnknown: '我只能在步骤自身的文字里计数、列出、提取、合计、比较和查找；这里没有文字。',
  partFailed: (name, reason) => inHan`${name} 未能完成：${reason}。`,
  noReason: '没有说明原因',
  answersSay: (answers) => `已决定：${answers}。`,
  leftOutSay: (what) => `未计入：${what}。`,
  says: (name, text) => `${name}：${text}`,
}

export const WORDS: Record<Language, Words> = { en, zh }
