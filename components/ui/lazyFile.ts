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

const RETRY_AFTER_MS = 2_000

/**
 * A lazy file for a part that opens, such as a dialog, or that stands in the page.
 *
 * in      file: the same at every render; isWanted: the part is open; onGone: the file cannot be fetched: close the part, so that
 *         another press asks again; null: it is fetched again until it is loaded
 * out     null until it is wanted and loaded; stays given afterwards
 */
export function useLazy<File>(file: LazyFile<File>, isWanted: boolean, onGone: (() => void) | null): File | null {
  const t = useTranslations()
  const [wasWanted, setWasWanted] = useState(isWanted)
  const [, setCame] = useState(false)
  if (isWanted && !wasWanted) setWasWanted(true)
  const given = isWanted || wasWanted ? file.here() : null
  const isAwaited = isWanted && given === null
  /** out: whether it is fetched again */
  const fail = useEffectEvent((): boolean => {
    if (onGone === null) return true
    onGone()
    // Offline, or the server runs another version now; drafts survive a reload.
    showToast('error', t('error.chunk'), {
      id: 'late-file',
      actions: [{ label: t('connection.reload'), onPress: () => window.location.reload() }],
    })
    return false
  })
  useEffect(() => {
    // Joins the network: usually the file is loaded already.
    if (!isAwaited) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const fetchFile = (): void => {
      file.load().then(
        () => isOver || setCame(true),
        () => {
          if (!isOver && fail()) timer = setTimeout(fetchFile, RETRY_AFTER_MS)
        },
      )
    }
    fetchFile()
    return () => {
      isOver = true
      clearTimeout(timer)
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

/** A lazy file drawn where it stands; `fallback` until it is loaded. file: the same at every render */
export function Lazy<Props extends object>({
  file,
  partProps,
  fallback = null,
}: {
  file: LazyPart<Props>
  partProps: Props
  fallback?: ReactNode
}): ReactNode {
  const part = useLazy(file, true, null)
  return part ? createElement(part.default, partProps) : fallback
}
