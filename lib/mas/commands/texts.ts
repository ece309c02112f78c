/** Names and texts that are given from outside: within a limit. */
import { Fault } from '@/lib/faults'
import { oneLine } from '@/lib/format/plainText'
import type { Attachment } from '../records'
import type { DecisionContext } from './decisionContext'

export const MESSAGE_MAX_BYTES = 64 * 1024

const encoder = new TextEncoder()

/** in: size, most: characters. Throws TOO_LARGE. */
export function mustFit(what: string, size: number, most: number): void {
  if (size > most) throw new Fault('TOO_LARGE', { what, limit: `${most} characters`, size: `${size} characters` })
}

/** in: most: whole KiB in UTF-8. Throws TOO_LARGE. */
export function mustFitBytes(what: string, text: string, most = MESSAGE_MAX_BYTES): void {
  const bytes = encoder.encode(text).length
  if (bytes > most)
    throw new Fault('TOO_LARGE', { what, limit: `${most / 1024} KiB`, size: `${Math.ceil(bytes / 1024)} KiB` })
}

/** A message needs a text or a file. Throws EMPTY_TEXT, TOO_LARGE. */
export function mustBeMessage({ text, attachments }: { text: string; attachments: readonly Attachment[] }): void {
  if (text.trim() === '' && attachments.length === 0) throw new Fault('EMPTY_TEXT')
  mustFitBytes('The message', text)
}

/** A name in one line. Throws BAD_INPUT when it is empty, TOO_LARGE. */
export function singleLine(context: DecisionContext, text: string, most: number): string {
  const name = oneLine(text)
  if (name === '') throw new Fault('BAD_INPUT', { why: context.say('nameNeeded') })
  mustFit('The name', name.length, most)
  return name
}
