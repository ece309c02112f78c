/** What the demo model says, in English: it is no language model, but follows rules (server/models/rehearsal). */

/** line: null for a whole file */
export type Place = { file: string; line: number | null }

const cite = (fact: Place, line: string): string =>
  fact.line === null ? fact.file : `${fact.file} ${line} ${fact.line}`

const counted = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`

export const DEMO_EN = {
  intro: "(Demo mode: I'm a built-in program, not a language model.)",
  introNote: 'I have said that I am a program.',
  pasted: 'pasted text',
  workspace: 'the workspace',
  line: (fact: Place) => cite(fact, 'line'),
  verbs: {
    compare: 'Compare',
    total: 'Total',
    count: 'Count',
    extract: 'Extract',
    find: 'Find',
    list: 'List',
  },
  choices: ['count', 'list', 'extract', 'total', 'compare', 'find'],
  units: {
    lines: 'lines',
    words: 'words',
    rows: 'rows',
    characters: 'characters',
    matches: 'matches',
    files: 'files',
  },
  leaveItOut: 'leave it out',
  allOfThem: 'all of them',
  list: ', ',
  clauses: '; ',
  /** Between sentences. */
  space: ' ',
  aside: (text: string) => ` (${text})`,
  title: (op: string, what: string) => `${op} ${what}`,
  changeTitle: (name: string) => `Change ${name}`,
  readTitle: (what: string) => `Read ${what}`,
  reportTitle: 'Write the report',
  resultTitle: 'Work out the result',
  severalFiles: (count: number) => counted(count, 'file'),
  severalPlaces: (count: number) => counted(count, 'place'),

  // Questions
  whichVerb: 'I can count, list, extract, total, compare and find. What should I do with what you sent?',
  whichPlace: (op: string) => `${op}: in which folder or file? You can also paste the text.`,
  whichHolds: (key: string, column: string | null, facts: (Place & { value: string })[]) =>
    `${key}${column === null ? '' : ` (${column})`}: ${facts.map((fact) => `${fact.value} in ${cite(fact, 'line')}`).join(', ')}. Which one is correct?`,
  whichCount: (kinds: { kind: string; count: number; readable: boolean }[]) =>
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
  askAboutProblem: (name: string) => `ask ${name} how to continue`,
  askAboutProblemText: (name: string, question: string) => `Ask ${name} and review with the answer: ${question}`,
  notInWorkspace: (path: string) => `There is no ${path} in the workspace.`,
  couldNotRead: (path: string, error: string) => `I couldn't read ${path}. The tool says: ${error}`,
  otherPlace: (why: string) => `${why}\nWhich other folder or file should I read? You can also paste the text.`,

  // Manager
  arrangeIntention: 'plan the request',
  arrange: (name: string, wish: string) => `${name} requests: ${wish}`,
  askAgents: 'find out who can do it',
  askAgentsText: 'Ask for agents_in_mas: who has a file tool, who analyses?',
  addTask: 'create the task',
  addTaskText: (title: string) => `Create the task ${title} with everyone needed.`,
  tellBegun: 'say that the work started',
  begun: (title: string, stages: number, members: number) =>
    `Task \`${title}\` started: ${counted(stages, 'stage')}, ${counted(members, 'member')}`,
  notUnderstood: (pieces: string[]) =>
    `I didn't understand this, so nothing is done about it: ${pieces.map((piece) => `“${piece}”`).join(', ')}.`,
  notBegun: (title: string, reason: string) => `Task \`${title}\` couldn't start: ${reason}`,
  noReader: 'in demo mode a manager passes work on, and no other agent on this team has a tool that reads files',
  notCreated: 'it was not created',
  noWorker: 'in demo mode a manager passes work on, and there is no other agent on this team',
  taskGoal: (wish: string, name: string) => `${wish} (requested by ${name})`,
  readStage: (where: string) => `Read ${where}, resolve contradictions, collect the facts`,
  readGoal: (where: string, to: string, asker: string) =>
    `List and read everything in ${where}. If values contradict, ask ${asker} which one is correct. Send all facts with their sources to ${to}.`,
  analyseStage: (path: string) => `Work out the result and write it to ${path}`,
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
  factsHead: (facts: number, files: number) => `${counted(facts, 'fact')} from ${counted(files, 'file')}.`,
  noFacts: 'Nothing could be read.',
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
    `${title}: ${counted(facts, 'fact')} from ${counted(files, 'file')}.`,
  nextStep: (op: string, path: string | null) => `${op} the facts${path === null ? '' : ` and write ${path}`}`,
  headline: (title: string, totals: string, files: number, isDone: boolean) =>
    `${title}: ${isDone ? (totals === '' ? 'done' : `${totals} in total`) : 'not finished'}, from ${counted(files, 'file')}.`,
  totalOf: (column: string) => `Total${column === '' ? '' : ` of ${column}`}`,
  changeFact: (name: string) => `Change asked for in “${name}”`,
  reportFact: 'Report',
  filesFact: 'Files read',
  reportAt: (path: string) => `The report is at ${path}.`,
  totalsSay: (totals: string) => `Totals: ${totals}.`,
  missingSay: (missing: string) => `Not found: ${missing}.`,
  resultHead: (title: string) => `Result of “${title}”:`,
  status: (goal: string, done: string[]) =>
    `In demo mode I can report what I did, but not answer freely. ${goal === '' ? '' : `I'm working on: ${goal}\n`}${done.length === 0 ? "I haven't finished a step yet." : `Finished: ${done.join('; ')}.`}`,

  // Notes and summaries
  tookAnswer: (by: string, said: string) => `${by} answered: “${said}”. I keep to it.`,
  tookHandoff: (by: string, facts: number) => `${by} sent ${counted(facts, 'fact')}.`,
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
