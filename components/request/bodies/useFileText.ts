/** A file of the workspace as it is now, to compare with what a call would write. */
import { useEffect, useState } from 'react'
import { call, callForBytes } from '@/client/api'
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
  const [found, setFound] = useState<{ path: string; file: FileText } | null>(null)
  const isFirst = found === null
  useEffect(() => {
    // Joins the server: the file is in its workspace.
    if (path === null) return
    let isWanted = true
    const timer = setTimeout(
      () => {
        void fetchText(path).then((file) => {
          if (isWanted) setFound({ path, file })
        })
      },
      isFirst ? 0 : PAUSE_MS,
    )
    return () => {
      clearTimeout(timer)
      isWanted = false
    }
  }, [path, isFirst])
  return found !== null && found.path === path ? found.file : null
}

async function fetchText(path: string): Promise<FileText> {
  const known = await call<KnownFiles>('GET', `/api/files/known?${new URLSearchParams({ paths: path })}`)
  if (!known.ok) return { state: 'other' }
  if (!known.value.paths.includes(path)) return { state: 'absent' }
  const found = await callForBytes(contentHref(path))
  if (!found.ok) return { state: found.fault.error === 'NOT_FOUND' ? 'absent' : 'other' }
  if (found.value.size > MOST_BYTES) return { state: 'other' }
  const text = fileText(new Uint8Array(await found.value.arrayBuffer()))
  return text === null ? { state: 'other' } : { state: 'here', text }
}
