/** Which bodies hold references to further ones: what a stored prompt stands on, beyond what its call names itself. */
import type { PromptRef } from '@/lib/mas/records'
import { isHistory } from './historyChain'
import { hasEnds, linksOf, type StoredNode } from './historyNodes'

/** A body that names others. Those in a frame name none themselves. */
export type BodyReferrer = { kind: 'frame' | 'head' | 'item'; sha: string }

/** The holders that a call names; a head that its reference holds whole is looked into here. */
export function holdersIn({ frame, sections }: PromptRef): BodyReferrer[] {
  const found: BodyReferrer[] = frame === undefined ? [] : [{ kind: 'frame', sha: frame.sha }]
  for (const { body } of sections) {
    if (!isHistory(body)) continue
    if (body.sha === '') found.push(...holdersNamed('head', body.preview))
    else found.push({ kind: 'head', sha: body.sha })
  }
  return found
}

/** The holders that this one names, by its text. */
export function holdersNamed(kind: BodyReferrer['kind'], text: string): BodyReferrer[] {
  if (kind === 'frame') return []
  const read: unknown = JSON.parse(text)
  const links: (StoredNode | null)[] = kind === 'head' ? (hasEnds(read) ? [read.over, read.coming] : []) : linksOf(read)
  return links.flatMap((link) => (link === null ? [] : [{ kind: 'item' as const, sha: link.sha }]))
}
