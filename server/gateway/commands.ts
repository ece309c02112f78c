/** Commits one command for a request; checks of texts and sizes before that. */

import { Fault } from '@/lib/faults'
import type { Command, NewBody } from '@/lib/mas/commands/command'
import type { CommandAnswer, CommandHead } from '@/lib/wire'
import type { Engine } from '@/server/engine/port'
import { bytesInWords } from './http/readJson'
import type { SignedInCaller } from './sessions/sessions'

export const MESSAGE_BYTES = 64 * 1024

/** Commit a command as this person, in their session. Throws the Fault with which it was refused. */
export async function commitAs(
  engine: Engine,
  { person, session }: Pick<SignedInCaller, 'person' | 'session'>,
  head: CommandHead | { id: string },
  command: Command,
  bodies?: NewBody[],
): Promise<CommandAnswer> {
  const until = 'until' in head ? head.until : undefined
  const answer = await engine.commit({ id: head.id, by: person.id, session: session.id, until, command, bodies })
  if (!answer.ok) throw answer.fault
  return { seq: answer.seq, reply: answer.reply }
}

/** Throws EMPTY_TEXT or TOO_LARGE. */
export function assertText(text: string, what = 'The message'): void {
  if (text.trim() === '') throw new Fault('EMPTY_TEXT')
  assertSize(text, what)
}

/** in: limit: bytes. Throws TOO_LARGE. */
export function assertSize(text: string | Uint8Array, what: string, limit = MESSAGE_BYTES): void {
  const bytes = Buffer.byteLength(text)
  if (bytes > limit) throw new Fault('TOO_LARGE', { what, limit: bytesInWords(limit), size: bytesInWords(bytes) })
}
