/** The lists of a prompt that are cut to a token limit, each with a line about what was left out. */
import { oneLine } from '@/lib/format/plainText'
import { escapeAttribute, escapeTags, estimateTokens } from '@/lib/mas/formats'
import type { TaskId } from '@/lib/mas/ids'
import type { Language, StepRecord, World } from '@/lib/mas/records'
import { isTaskOver } from '@/lib/mas/statuses'
import { stepHandle } from '@/lib/mas/team/handles'
import { sayInLanguage } from '@/lib/mas/words'
import { indented } from './section'

type LeftOut = 'notesLeftOut' | 'stepsLeftOut' | 'abilitiesLeftOut'

/** The leading lines that fit, and a line that counts the others. */
function fitting(lines: readonly string[], tokens: number, language: Language, leftOut: LeftOut): string[] {
  let left = tokens
  const over = lines.findIndex((line) => {
    left -= estimateTokens(line) + 1
    return left < 0
  })
  return over < 0 ? [...lines] : [...lines.slice(0, over), sayInLanguage(language, leftOut, { n: lines.length - over })]
}

/**
 * The newest notes of the agent that fit, with a line that counts the others; null: none. What it noted in a talk is used there
 * alone, and there nothing else.
 */
export function writeMemory(
  world: World,
  { agent, task }: Pick<StepRecord, 'agent' | 'task'>,
  tokens: number,
): string | null {
  const used = (world.memory[agent] ?? []).filter((note) => talkOf(world, note.task) === talkOf(world, task))
  const notes = used.map(
    (note) => `<note time="${note.key}" ${aboutTask(world, note.task)}>${escapeTags(note.text)}</note>`,
  )
  const newest = fitting(notes.toReversed(), tokens, world.team.language, 'notesLeftOut').toReversed()
  return newest.length === 0 ? null : newest.join('\n')
}

/** null: what belongs to no talk. A talk does not leave the world. */
const talkOf = (world: World, task: TaskId | null): TaskId | null =>
  task !== null && world.tasks[task]?.talk ? task : null

/** A task that left the world has ended. */
function aboutTask(world: World, id: TaskId | null): string {
  const task = id === null ? null : world.tasks[id]
  const ended = id !== null && (!task || isTaskOver(task))
  return `task="${escapeAttribute(task?.name ?? '-')}" ended="${ended ? 'yes' : 'no'}"`
}

/**
 * The steps in the agent's queue, one line each, with messages that the prompt does not show yet, and their stage where it is
 * another than that of the step at hand; null: none.
 */
export function writeStepsToCome(
  world: World,
  steps: readonly StepRecord[],
  isShown: (step: StepRecord) => boolean,
  stageOf: (step: StepRecord) => string | null,
  tokens: number,
): string | null {
  const lines = steps
    .filter(({ executor }) => executor !== 'instruction_generation')
    .map((step) => {
      const stage = stageOf(step)
      const head = [
        stepHandle(step),
        step.type === 'tool' && 'tool',
        escapeTags(step.executor),
        step.answers && '(a reply)',
        stage && `(${stage})`,
      ]
      const isSaid = step.cause.message === null || step.text === step.intention || isShown(step)
      const text = isSaid ? '' : `\n  ${indented(escapeTags(step.text))}`
      return `- ${head.filter(Boolean).join(' ')}: ${escapeTags(oneLine(step.intention))}${text}`
    })
  return lines.length === 0 ? null : fitting(lines, tokens, world.team.language, 'stepsLeftOut').join('\n')
}

/** The abilities of a tool server: without descriptions if they do not fit, else names alone. */
export function shortAbilities(abilities: string, tokens: number, language: Language): string {
  if (estimateTokens(abilities) <= tokens) return abilities
  const lines = abilities.split('\n')
  const says = sayInLanguage(language, 'descriptionsLeftOut')
  const room = Math.max(0, tokens - estimateTokens(says))
  const calls = lines.map((line) => line.replace(/^((?:resource |prompt )?[^\s(]+\(.*?\))(?:: .*)?$/, '$1'))
  const names = lines.map((line) => line.replace(/^((?:resource |prompt )?[^\s(]+)\(.*$/, '$1'))
  for (const shown of [calls, names]) {
    if (estimateTokens(shown.join('\n')) <= room) return [...shown, says].join('\n')
  }
  return fitting(names, room, language, 'abilitiesLeftOut').join('\n')
}
