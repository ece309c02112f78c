/** A file of the workspace as it is now, to compare with what a call would write. */
import { useRef } from 'react'
import { type ApiResult, call, callForBytes } from '@/client/api'
import { useApiQuery } from '@/client/queries'
import { fileText } from '@/components/files/fileKinds'
import { contentHref } from '@/components/files/places'
import type { KnownFiles } from '@/lib/wire'

/**
 * here     its text
 * absent   there is none yet, or this reader may not see it
 * other    it is no text, too large, or cannot be fetched now
 */
export type FileText = { state: 'here'; text: string } | { state: 'absent' } | { state: 'other' }

/** Larger files are not compared. */
const MOST_BYTES = 1024 * 1024
/** Nothing is fetched while a path is typed. */
const PAUSE_MS = 400

/** in: path null: no file. out: null while it is fetched, and without a path */
export function useFileText(path: string | null): FileText | null {
  const first = useRef(path)
  first.current ??= path
  const pauseMs = path === first.current ? 0 : PAUSE_MS
  const name = path === null ? null : `/api/files/text/${path}`
  return useApiQuery(name, { ask: () => fetchText(path ?? ''), pauseMs, dropMs: 0 }).data ?? null
}

const given = (value: FileText): ApiResult<FileText> => ({ ok: true, value })

async function fetchText(path: string): Promise<ApiResult<FileText>> {
  const known = await call<KnownFiles>('GET', `/api/files/known?${new URLSearchParams({ paths: path })}`)
  if (!known.ok) return given({ state: 'other' })
  if (!known.value.paths.includes(path)) return given({ state: 'absent' })
  const found = await callForBytes(contentHref(path))
  if (!found.ok) return given({ state: found.fault.error === 'NOT_FOUND' ? 'absent' : 'other' })
  if (found.value.size > MOST_BYTES) return given({ state: 'other' })
  const text = fileText(new Uint8Array(await found.value.arrayBuffer()))
  return given(text === null ? { state: 'other' } : { state: 'here', text })
}
