/** Files that come late: dialogs, menus and panels are not waited for by any page. */
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from './toast'

export type LazyFile<File> = {
  /** The file, fetched if it is not there; a failed fetch may be asked for again. */
  load: () => Promise<File>
  /** The file if it is there. */
  here: () => File | null
}

/** `fetch`: an import() that stands at no other place. */
export function lazyFile<File>(fetch: () => Promise<File>): LazyFile<File> {
  let file: File | null = null
  const load = async (): Promise<File> => {
    file ??= await fetch()
    return file
  }
  return { load, here: () => file }
}

/**
 * A late file for a part that opens.
 *
 * in      file: the same at every render; isWanted: it opens; onGone: it cannot be had, so whatever wants it closes, and another
 *         press asks again
 * out     null until it is wanted, and then until it is there: at once if it was fetched before. Once given it is always given.
 */
export function useLazy<File>(file: LazyFile<File>, isWanted: boolean, onGone: () => void): File | null {
  const t = useTranslations()
  const [wasWanted, setWasWanted] = useState(isWanted)
  const [, setCame] = useState(false)
  if (isWanted && !wasWanted) setWasWanted(true)
  const given = isWanted || wasWanted ? file.here() : null
  const isAwaited = isWanted && given === null
  const latest = useRef({ onGone, t })
  latest.current = { onGone, t }
  useEffect(() => {
    // Joins the network: as a rule the file is there already.
    if (!isAwaited) return
    let isHere = true
    file.load().then(
      () => {
        if (isHere) setCame(true)
      },
      () => {
        if (!isHere) return
        latest.current.onGone()
        // Offline, or another version runs now: what is written here is kept over a reload.
        showToast('error', latest.current.t('error.chunk'), {
          id: 'late-file',
          actions: [{ label: latest.current.t('connection.reload'), onPress: () => window.location.reload() }],
        })
      },
    )
    return () => {
      isHere = false
    }
  }, [isAwaited, file])
  return given
}
