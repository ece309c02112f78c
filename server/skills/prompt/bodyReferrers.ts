/** Bodies that reference other bodies: the indirect references of a stored prompt. */
import type { PromptRef } from '@/lib/mas/records'
import { isHistory } from './historyChain'
import { hasEnds, linksOf, type StoredNode } from './historyNodes'

/** A body that references others. Bodies within a frame reference none. */
export type BodyReferrer = { kind: 'frame' | 'head' | 'item'; sha: string }

/** The referrers that a call names; a head that is inlined in its reference is parsed here. */
export function holdersIn({ frame, sections }: PromptRef): BodyReferrer[] {
  const found: BodyReferrer[] = frame === undefined ? [] : [{ kind: 'frame', sha: frame.sha }]
  for (const { body } of sections) {
    if (!isHistory(body)) continue
    if (body.sha === '') found.push(...holdersNamed('head', body.preview))
    else found.push({ kind: 'head', sha: body.sha })
  }
  return found
}

export function holdersNamed(kind: BodyReferrer['kind'], text: string): BodyReferrer[] {
  if (kind === 'frame') return []
  const read: unknown = JSON.parse(text)
  const links: (StoredNode | null)[] = kind === 'head' ? (hasEnds(read) ? [read.over, read.coming] : []) : linksOf(read)
  return links.flatMap((link) => (link === null ? [] : [{ kind: 'item' as const, sha: link.sha }]))
}
