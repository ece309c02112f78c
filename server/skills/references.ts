/** Reads an answer with the texts of steps in place of references, so that no model repeats a text. */
import { parseAnswer, type ReadOptions, unreadableIn } from '@/lib/mas/formats'
import type { MessageRecord, StepRecord } from '@/lib/mas/records'
import { selectCauseMessage, selectHistoryRecords } from '@/lib/mas/steps/history'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { sayInLanguage } from '@/lib/mas/words'
import type { Skill, SkillReading } from './defineSkill'
import type { SkillRun } from './port'
import { readToolResult } from './prompt/toolResult'

/** Steps named in the reason when a referenced one does not exist. */
const MOST_NAMED = 12
const SKIP = { oneOf: ['skip'], also: [] } as const
/** What stands for a text while an answer is looked through. */
const ANY_TEXT = '…'

/**
 * Read an answer to a skill.
 *
 * in      an answer with tags; the run that it answers; whether the text is without the model's reasoning
 * out     as Skill.read, with the texts of the steps to which it refers; a reason when such a step is not of this agent in this task
 *         (in the base task: in this thread), is not finished or has no text, and when a text that somebody reads would be a
 *         reference or a form instead of words
 */
export async function readAnswer(
  answer: string,
  skill: Skill,
  run: SkillRun,
  isReasoningApart: boolean,
): Promise<SkillReading> {
  const numbers = new Set<number>()
  const collecting: ReadOptions = {
    isReasoningApart,
    textOf: (number) => {
      numbers.add(number)
      return ANY_TEXT
    },
  }
  const asked = parseAnswer(answer, skill.asks, collecting)
  const first = asked.ok ? asked : parseAnswer(answer, SKIP, collecting)
  const unreadable = first.ok ? unreadableIn(first.answer) : null
  if (unreadable !== null) {
    const key = unreadable.why === 'reference' ? 'heldReference' : 'heldObject'
    return { ok: false, reason: sayInLanguage(run.world.team.language, key, { path: unreadable.path }) }
  }
  const texts = new Map<number, string>()
  const steps = numbers.size === 0 ? [] : referableSteps(run)
  for (const number of numbers) {
    const step = steps.find((one) => one.number === number)
    const text = step ? await textOfStep(step, run) : ''
    if (text === '') return { ok: false, reason: sayMissing(number, steps, run) }
    texts.set(number, text)
  }
  return skill.read(answer, run, { isReasoningApart, textOf: (number) => texts.get(number) ?? ANY_TEXT })
}

/** Finished steps of this agent in this task; in the base task, of this thread. */
export function referableSteps({ world, step }: SkillRun): StepRecord[] {
  const isBase = world.tasks[step.task]?.base === true
  const steps = isBase ? selectHistoryRecords(world, step).over : stepsIn(world.steps[step.task]?.[step.agent])
  return steps.filter(({ state }) => state === 'finished')
}

/** The text of a message, a tool result, or a skill's result. */
export async function textOfStep(step: StepRecord, { world, bodies }: SkillRun): Promise<string> {
  if (step.executor === 'send_message') {
    const sent: MessageRecord[] = Object.values(world.messages[step.task] ?? {})
    return sent.find((message) => message.fromStep === step.id)?.text ?? ''
  }
  if (step.executor === 'process_message') return selectCauseMessage(world, step)?.text ?? ''
  if (step.result === null) return ''
  const { body, text } = step.result
  if (body === null) return text
  const whole = await bodies.text(body)
  return step.type === 'tool' ? readToolResult(whole) : whole
}

function sayMissing(number: number, steps: readonly StepRecord[], run: SkillRun): string {
  const names = steps.slice(-MOST_NAMED).map((step) => `#${step.number} ${step.executor}`)
  return sayInLanguage(run.world.team.language, 'noSuchStep', { number, names: names.join(', ') || '–' })
}
