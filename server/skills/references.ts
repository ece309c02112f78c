/** Replaces `{"from_step": "#8"}` in an answer by that step's text, so that no model repeats a text. */
import { TAG_FORMATS } from '@/lib/mas/formats'
import { stepsIn } from '@/lib/mas/ownSteps'
import type { MessageRecord, StepRecord } from '@/lib/mas/records'
import { selectCauseMessage, selectHistoryRecords } from '@/lib/mas/selectors/steps/history'
import { sayInLanguage } from '@/lib/mas/words'
import type { Skill } from './defineSkill'
import type { SkillRun } from './port'
import { readToolResult } from './prompt/toolResult'

const REFERENCE = /\{\s*"from_step"\s*:\s*"?\s*#?(\d+)\s*"?\s*\}/g
/** Steps named in the reason when a referenced one does not exist. */
const MOST_NAMED = 12

type Referred = { ok: true; text: string } | { ok: false; reason: string }

/**
 * Replace references by texts.
 *
 * in      an answer with JSON in its tags (in plain texts a reference has no meaning); the run that it answers
 * out     the answer with a JSON string for each reference; a reason when a step is not of this agent in this task (in the base
 *         task: in this thread), is not finished or has no text
 */
export async function withReferences(answer: string, skill: Skill, run: SkillRun): Promise<Referred> {
  if (!skill.asks.oneOf.some((tag) => TAG_FORMATS[tag].holds === 'json')) return { ok: true, text: answer }
  const numbers = [...new Set([...answer.matchAll(REFERENCE)].map((match) => Number(match[1])))]
  if (numbers.length === 0) return { ok: true, text: answer }
  const steps = referableSteps(run)
  const texts = new Map<string, string>()
  for (const number of numbers) {
    const step = steps.find((one) => one.number === number)
    const text = step ? await textOfStep(step, run) : ''
    if (text === '') return { ok: false, reason: sayMissing(number, steps, run) }
    texts.set(String(number), text)
  }
  return { ok: true, text: answer.replace(REFERENCE, (_, number: string) => quoted(texts.get(number) ?? '')) }
}

/** As JSON without `<`: a foreign text must not end or begin a tag. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c')

/** Finished steps of this agent in this task; in the base task, of this thread. */
export function referableSteps({ world, step }: SkillRun): StepRecord[] {
  const isBase = world.tasks[step.task]?.base === true
  const steps = isBase ? selectHistoryRecords(world, step).over : stepsIn(world.steps[step.task]?.[step.agent])
  return steps.filter(({ state, number }) => state === 'finished' && number !== undefined)
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
