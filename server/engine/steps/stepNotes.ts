/** What is said of running steps outside the journal: their streaming text, and what they do. */
import { asId, type StepId } from '@/lib/mas/ids'
import type { StepRecord } from '@/lib/mas/records'
import type { DoingNow, Ephemeral, StepDoing } from '@/lib/wire/views'

export type StepNote = Extract<Ephemeral, { kind: 'text' | 'doing' }>

export type StepNotesParts = { now: () => number; onNote: (note: StepNote) => void }

/** A running step as far as it is told. */
export type ToldStep = { step: StepRecord; attempt: number; text: string; doing: DoingNow }

/** in: running: the steps of this process. Of each, the last value is told again to those who come late */
export function openStepNotes({ now, onNote }: StepNotesParts, running: ReadonlyMap<StepId, ToldStep>) {
  const found = (step: string): ToldStep | undefined => running.get(asId<StepId>(step))
  return {
    /** out: what a step does first, told by `begin` */
    firstOf: (step: StepRecord): DoingNow => ({ ...firstDoingOf(step), since: now() }),
    begin: (mine: ToldStep): void => onNote(doingNote(mine)),
    hear(mine: ToldStep, text: string): void {
      onNote({ ...textNote(mine), at: mine.text.length, text })
      mine.text += text
    },
    /** Another place in the queue is the same wait. */
    turnTo(mine: ToldStep, doing: StepDoing): void {
      const since = doing.what === mine.doing.what ? mine.doing.since : now()
      mine.doing = { ...doing, since }
      onNote(doingNote(mine))
    },
    textOf(step: string): { attempt: number; text: string } | null {
      const mine = found(step)
      return mine ? { attempt: mine.attempt, text: mine.text } : null
    },
    doingOf(step: string): (DoingNow & { attempt: number }) | null {
      const mine = found(step)
      return mine ? { ...mine.doing, attempt: mine.attempt } : null
    },
    all: (): StepNote[] => [...running.values()].flatMap((mine) => [doingNote(mine), textNote(mine)]),
  }
}

const headOf = ({ step, attempt }: ToldStep) => ({ task: step.task, agent: step.agent, step: step.id, attempt })
const textNote = (mine: ToldStep) => ({ kind: 'text', ...headOf(mine), at: 0, text: mine.text }) as const
const doingNote = (mine: ToldStep) => ({ kind: 'doing', ...headOf(mine), ...mine.doing }) as const

/** A skill prepares its prompt first. */
export function firstDoingOf({ type, executor, instruction }: StepRecord): StepDoing {
  if (type !== 'tool') return { what: 'between' }
  return { what: 'tool', tool: instruction?.kind === 'call' ? `${executor}.${instruction.name}` : executor }
}
