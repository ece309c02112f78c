import { oneLine } from '@/lib/format/plainText'
import { escapeTags } from '@/lib/mas/formats'
import type { StepRecord, World } from '@/lib/mas/records'
import { stepHandle } from '@/lib/mas/selectors/agents/handles'
import { sayInLanguage } from '@/lib/mas/words'
import { countFitting } from './countFitting'
import { indented } from './section'

/** The steps in the agent's queue, one line each, as many as fit, with messages that the history does not show. */
export function writeStepsToCome(
  world: World,
  steps: readonly StepRecord[],
  isShown: (text: string) => boolean,
  tokens: number,
): string | null {
  const lines = steps
    .filter(({ executor }) => executor !== 'instruction_generation')
    .map((step) => {
      const head = [
        stepHandle(step),
        step.type === 'tool' && 'tool',
        escapeTags(step.executor),
        step.answers && '(a reply)',
      ]
      const text =
        step.cause.message === null || step.text === step.intention || isShown(step.text)
          ? ''
          : `\n  ${indented(escapeTags(step.text))}`
      return `- ${head.filter(Boolean).join(' ')}: ${escapeTags(oneLine(step.intention))}${text}`
    })
  if (lines.length === 0) return null
  const n = lines.length - countFitting(lines, tokens)
  const gone = n === 0 ? [] : [sayInLanguage(world.team.language, 'stepsLeftOut', { n })]
  return [...lines.slice(0, lines.length - n), ...gone].join('\n')
}
