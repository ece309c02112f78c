/** An artifact in pieces: whole, in order, under its hash, or not at all. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ArtifactPiece } from '@/lib/wire'
import { fetchArtifact } from './artifact'

const TEXT = 'ten bytes, and then some more of them'
const sha = createHash('sha256').update(TEXT).digest('hex')
const piece = (from: number, more: Partial<ArtifactPiece> = {}): ArtifactPiece => ({
  name: 'transcript',
  mime: 'application/jsonl',
  bytes: TEXT.length,
  sha,
  base64: btoa(TEXT.slice(from, from + 10)),
  next: from + 10 < TEXT.length ? from + 10 : null,
  ...more,
})
const served =
  (more: (from: number) => Partial<ArtifactPiece> = () => ({})) =>
  async (from: number) => ({ ok: true as const, value: piece(from, more(from)) })

describe('bringArtifact', () => {
  it('puts the pieces together, says how far it is, and checks the hash', async () => {
    const shares: number[] = []
    const brought = await fetchArtifact(served(), (share) => shares.push(share))
    expect(brought).toMatchObject({ ok: true, artifact: { sha, hash: 'right', mime: 'application/jsonl' } })
    expect(brought.ok && new TextDecoder().decode(brought.artifact.bytes)).toBe(TEXT)
    expect([shares.length, shares.at(-1)]).toEqual([4, 1])
  })
  it('gives nothing whose bytes are others than its hash says', async () => {
    const forged = served((from) => (from === 10 ? { base64: btoa('xxxxxxxxxx') } : {}))
    expect(await fetchArtifact(forged, () => {})).toEqual({ ok: false, why: 'wrongHash' })
  })
  it('gives nothing that became another thing on the way, or broke off', async () => {
    const changed = served((from) => (from === 20 ? { sha: 'f'.repeat(64) } : {}))
    expect(await fetchArtifact(changed, () => {})).toEqual({ ok: false, why: 'changed' })
    expect(
      await fetchArtifact(
        served(() => ({ next: null })),
        () => {},
      ),
    ).toEqual({ ok: false, why: 'changed' })
  })
  it('says where the hash could not be checked', async () => {
    expect(await fetchArtifact(served(), () => {}, null)).toMatchObject({ ok: true, artifact: { hash: 'unchecked' } })
  })
})
