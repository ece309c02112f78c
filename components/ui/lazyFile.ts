/** Files that are fetched when they are needed: dialogs, menus, panels and whole screens. */
import { type ComponentType, createElement, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { askForLaterWords } from './laterWords'
import { showToast } from './overlays/toast'

export type LazyFile<File> = {
  /** The file; a failed fetch may be repeated. */
  load: () => Promise<File>
  /** The file if it is loaded. */
  here: () => File | null
}

export type LazyPart<Props> = LazyFile<{ default: ComponentType<Props> }>

/** `fetch`: an import() that is at no other place. */
export function lazyFile<File>(fetch: () => Promise<File>): LazyFile<File> {
  let file: File | null = null
  const load = async (): Promise<File> => {
    file ??= await fetch()
    return file
  }
  return { load, here: () => file }
}

/** Like lazyFile, for a file that says words of LATER (messages/forPages.mjs): they are part of the page when it is loaded. */
export const laterFile = <File>(fetch: () => Promise<File>): LazyFile<File> =>
  lazyFile(async () => {
    const [file] = await Promise.all([fetch(), askForLaterWords()])
    return file
  })

/**
 * A lazy file for a part that opens, such as a dialog.
 *
 * in      file: the same at every render; isWanted: the part is open; onGone: the file cannot be fetched: close the part, so that
 *         another press asks again
 * out     null until it is wanted and loaded; stays given afterwards
 */
export function useLazy<File>(file: LazyFile<File>, isWanted: boolean, onGone: () => void): File | null {
  const t = useTranslations()
  const [wasWanted, setWasWanted] = useState(isWanted)
  const [, setCame] = useState(false)
  if (isWanted && !wasWanted) setWasWanted(true)
  const given = isWanted || wasWanted ? file.here() : null
  const isAwaited = isWanted && given === null
  const fail = useEffectEvent((): void => {
    onGone()
    // Offline, or the server runs another version now; drafts survive a reload.
    showToast('error', t('error.chunk'), {
      id: 'late-file',
      actions: [{ label: t('connection.reload'), onPress: () => window.location.reload() }],
    })
  })
  useEffect(() => {
    // Joins the network: usually the file is loaded already.
    if (!isAwaited) return
    let isHere = true
    file.load().then(
      () => {
        if (isHere) setCame(true)
      },
      () => {
        if (isHere) fail()
      },
    )
    return () => {
      isHere = false
    }
  }, [isAwaited, file])
  return given
}

/** A dialog or panel of a lazy file, drawn while it is open; it closes too if the file cannot be fetched. */
export function LazyOpen<Props extends { onClose: () => void }>({
  file,
  partProps,
}: {
  file: LazyPart<Props>
  partProps: Props
}): ReactNode {
  const part = useLazy(file, true, partProps.onClose)
  return part && createElement(part.default, partProps)
}

const RETRY_AFTER_MS = 2_000

/** A lazy file drawn where it stands, and fetched again until it is loaded; `fallback` meanwhile. file: the same at every render */
export function Lazy<Props extends object>({
  file,
  partProps,
  fallback = null,
}: {
  file: LazyPart<Props>
  partProps: Props
  fallback?: ReactNode
}): ReactNode {
  const [, setCame] = useState(false)
  const Part = file.here()?.default
  const isAwaited = Part === undefined
  useEffect(() => {
    // Joins the network: a fetch that failed offline is repeated.
    if (!isAwaited) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const fetchPart = (): void => {
      file.load().then(
        () => isOver || setCame(true),
        () => {
          if (!isOver) timer = setTimeout(fetchPart, RETRY_AFTER_MS)
        },
      )
    }
    fetchPart()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [file, isAwaited])
  return Part ? createElement(Part, partProps) : fallback
}
