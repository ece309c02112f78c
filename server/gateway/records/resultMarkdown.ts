/** The result of a task as Markdown: headline, facts, text, what was left out, decisions, files, what it cost. */
import { formatBytes, formatCost, formatCount, formatDuration, formatTokens } from '@/lib/format'
import { shownText, shownValue } from '@/lib/format/hiddenSigns'
import { oneLine } from '@/lib/format/plainText'
import type { Language } from '@/lib/language'
import { selectFilesOfTask } from '@/lib/mas/files/files'
import type { Decision, TaskRecord, World } from '@/lib/mas/records'
import { selectDecisions } from '@/lib/mas/tasks/decisions'
import { selectTaskResult } from '@/lib/mas/tasks/taskResult'
import { selectName } from '@/lib/mas/team/agents'
import { EXPORT_EN } from '@/messages/reports.en'
import { EXPORT_ZH } from '@/messages/reports.zh'

export const exportWords = (language: Language): Record<keyof typeof EXPORT_EN, string> =>
  ({ en: EXPORT_EN, zh: EXPORT_ZH })[language]
type Words = ReturnType<typeof exportWords>

/** A name, a goal or a reason in a line of ours. */
export const inLine = (text: string): string => shownValue(oneLine(text))
/** Read to the letter. */
export const pathInLine = (path: string): string => shownText(path.replace(/[\r\n]/g, ' '), true)
const inCell = (text: string): string => inLine(text).replace(/[\\|]/g, (sign) => `\\${sign}`)

type Task = {
  world: World
  task: TaskRecord
  /** The last entry that its reader may read. */
  upTo: number
  isSeenFile: (path: string) => boolean
}

/**
 * in      a task in any state; of an open one, and for a reader who left it, there is no more than its goal and files
 * out     its sections. Headings, names, paths and facts are shown as on a page (lib/format/hiddenSigns.ts); the summary is as it
 *         was written
 */
export function resultMarkdown(asked: Task, language: Language): string {
  const { world, task } = asked
  const words = exportWords(language)
  const result = Number.isFinite(asked.upTo) ? null : selectTaskResult(world, task.id)
  const text = result?.summary ?? task.intention
  const headline = result?.headline ?? null
  return [
    `# ${inLine(task.name)}\n`,
    ...(headline === null ? [] : [`\n**${inLine(headline)}**\n`]),
    ...factTable(result?.facts ?? [], words),
    `\n${text}\n`,
    ...list(words.leftOut, (result?.leftOut ?? []).map(inLine)),
    ...list(
      words.notDone,
      (result?.notDone ?? []).map((one) => notDoneLine(world, one)),
    ),
    ...list(words.decisions, result === null ? [] : decisionLines(world, task, language)),
    ...list(words.files, fileLines(asked, words)),
    ...(result === null ? [] : list(words.cost, costLines(result, language))),
  ].join('')
}

const list = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`\n## ${heading}\n\n${lines.map((line) => `- ${line}\n`).join('')}`]

type Result = NonNullable<ReturnType<typeof selectTaskResult>>

function factTable(facts: Result['facts'], words: Words): string[] {
  if (facts.length === 0) return []
  const row = (...cells: string[]): string => `| ${cells.join(' | ')} |\n`
  const rows = facts.map(({ label, value, source }) => row(inCell(label), inCell(value), inCell(source ?? '')))
  return [`\n${row(words.fact, words.value, words.source)}${row('---', '---', '---')}${rows.join('')}`]
}

const notDoneLine = (world: World, { stageName: stage, agent, reason }: Result['notDone'][number]): string =>
  [inLine(stage), agent === null ? '' : inLine(selectName(world, agent)), inLine(reason)].filter(Boolean).join(' · ')

export const DECIDED = {
  answer: 'answered',
  approve: 'approved',
  approve_edited: 'approvedEdited',
  refuse: 'refused',
  done: 'done',
  cannot: 'cannot',
} as const satisfies Record<Decision, keyof typeof EXPORT_EN>

function decisionLines(world: World, task: TaskRecord, language: Language): string[] {
  const words = exportWords(language)
  return selectDecisions(world, task.id, language).map(({ title, decision, text, by, at }) =>
    [
      inLine(title),
      `${inLine(selectName(world, by))}, ${words[DECIDED[decision]]}${text.trim() === '' ? '' : `: ${inLine(text)}`}`,
      new Date(at).toISOString(),
    ].join(' · '),
  )
}

const fileLines = ({ world, task, isSeenFile }: Task, words: Words): string[] =>
  selectFilesOfTask(world, task.id)
    .filter(({ path }) => isSeenFile(path))
    .map(({ path, now }) => `\`${pathInLine(path)}\` (${now === null ? words.removed : formatBytes(now.bytes)})`)

function costLines(result: Result, language: Language): string[] {
  const words = exportWords(language)
  const sign = result.isEstimated ? '≈ ' : ''
  return [
    `${words.took}: ${formatDuration(result.tookMs, language)}`,
    `${words.tokens}: ${sign}${formatTokens(result.tokens, language)}`,
    `${words.money}: ${result.costUsd === null || result.costUsd === 0 ? '' : sign}${formatCost(result.costUsd)}`,
    `${words.questions}: ${formatCount(result.questions)}`,
    `${words.approvals}: ${formatCount(result.approvals)}`,
  ]
}
