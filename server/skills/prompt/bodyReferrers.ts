/** Bodies that reference other bodies: the indirect references of a stored prompt. */
import type { PromptRef } from '@/lib/mas/records'
import { isHistory } from './historyChain'

/** The hashes of the bodies in which a call's prompt names others. What they name references none. */
export function holdersIn({ frame, sections }: PromptRef): string[] {
  const histories = sections.flatMap(({ body }) => (isHistory(body) && body.sha !== '' ? [body.sha] : []))
  return frame === undefined ? histories : [frame.sha, ...histories]
}
