/** Downloading an artifact piece by piece, with progress, and checking its hash. */
import { type ApiResult, type CallRefused, call } from '@/client'
import { fromBase64 } from '@/client/api'
import type { ArtifactPiece } from '@/lib/wire'

/** hash: unchecked where the browser cannot hash (a page without a secure connection). */
export type Artifact = { bytes: Uint8Array<ArrayBuffer>; mime: string; sha: string; hash: 'right' | 'unchecked' }
type FetchedArtifact = { ok: true; artifact: Artifact } | { ok: false; why: 'changed' | 'wrongHash' | CallRefused }

/** in: onProgress: from 0 to 1, after each piece; ask: fetches the piece from that byte on */
export async function fetchArtifact(
  ask: (from: number) => Promise<ApiResult<ArtifactPiece>>,
  onProgress: (share: number) => void,
  digest: ((bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>) | null = browserDigest(),
): Promise<FetchedArtifact> {
  const first = await ask(0)
  if (!first.ok) return { ok: false, why: first.fault }
  const { sha, mime, bytes: length } = first.value
  const whole = new Uint8Array(length)
  let at = 0
  for (let piece = first.value; ; ) {
    const came = fromBase64(piece.base64)
    if (piece.sha !== sha || at + came.length > length) return { ok: false, why: 'changed' }
    whole.set(came, at)
    at += came.length
    onProgress(length === 0 ? 1 : at / length)
    if (piece.next === null) break
    const next = await ask(piece.next)
    if (!next.ok) return { ok: false, why: next.fault }
    piece = next.value
  }
  if (at !== length) return { ok: false, why: 'changed' }
  if (digest === null) return { ok: true, artifact: { bytes: whole, mime, sha, hash: 'unchecked' } }
  const hex = [...new Uint8Array(await digest(whole))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex === sha
    ? { ok: true, artifact: { bytes: whole, mime, sha, hash: 'right' } }
    : { ok: false, why: 'wrongHash' }
}

export const askArtifact =
  (checkpoint: string, name: string) =>
  (from: number): Promise<ApiResult<ArtifactPiece>> =>
    call(
      'GET',
      `/api/directory/checkpoints/${encodeURIComponent(checkpoint)}/artifacts/${encodeURIComponent(name)}?from=${from}`,
    )

const browserDigest = (): ((bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>) | null =>
  globalThis.crypto?.subtle === undefined ? null : (bytes) => crypto.subtle.digest('SHA-256', bytes)
