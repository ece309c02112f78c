/** Names and texts that people give: in one line, within a limit. */
import { Fault } from '@/lib/faults'
import type { DecisionContext } from '../decisionContext'

/** Throws TOO_LARGE. */
export function mustFit(what: string, size: number, most: number): void {
  if (size > most) throw new Fault('TOO_LARGE', { what, limit: `${most} characters`, size: `${size} characters` })
}

/** A name in one line. Throws BAD_INPUT when it is empty, TOO_LARGE. */
export function singleLine(context: DecisionContext, text: string, most: number): string {
  const name = text.replace(/\s+/gu, ' ').trim()
  if (name === '') throw new Fault('BAD_INPUT', { why: context.say('nameNeeded') })
  mustFit('The name', name.length, most)
  return name
}
