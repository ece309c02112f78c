/** What an entry changes in the index of steps. Pure. A change here needs a new SEARCH_VERSION (server/store/shared/searchTerms.ts). */
import type { Entry, EventOf } from '@/lib/mas/events'
import type { StepChange } from '../store'

/** null: nothing. Retired steps stay as they are: only a live list loses them. */
export function stepChangeOf({ seq, event }: Pick<Entry, 'seq' | 'event'>): StepChange | null {
  switch (event.type) {
    case 'step.added': {
      const { step, task, stage, agent, kind: type, executor, retryOf } = event
      return { kind: 'added', seq, step, task, stage, agent, type, executor, retryOf }
    }
    case 'step.instructed':
      return { kind: 'instructed', seq, step: event.step, name: nameOf(event.instruction) }
    case 'step.started':
      return { kind: 'began', seq, step: event.step }
    case 'step.finished':
      return { kind: 'ended', seq, step: event.step, isFailure: false }
    case 'step.failed':
    case 'step.cancelled':
    case 'step.interrupted':
      return { kind: 'ended', seq, step: event.step, isFailure: true }
    case 'step.moved':
      return { kind: 'moved', seq, step: event.step, stage: event.stage }
    default:
      return null
  }
}

const nameOf = (instruction: EventOf<'step.instructed'>['instruction']): string =>
  instruction.kind === 'call' ? instruction.name : instruction.kind
