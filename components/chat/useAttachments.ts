/**
 * Files on their way into a message: taken in as soon as they are chosen, so that sending waits for nothing that could
 * be done before.
 */
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { newId } from '@/client'
import { attachmentStrip } from '@/components/shell/lazyParts'
import { changeComposer, composerAt, type TakenFile } from './composerState'

type Trouble = { why: 'large' | 'many' | 'unreadable' | 'refused' | 'offline'; message: string }

export type Attaching = {
  localId: string
  name: string
  bytes: number
  mime: string
  /** large, many, unreadable: the page's own word; refused: the server's sentence. */
  state: 'sending' | 'ready' | 'failed'
  trouble: Trouble | null
  /** null: it was taken in before this page came. */
  file: File | null
  /** What a picture shows, for those who cannot see it. */
  alt: string
}
/** drop: what was chosen at once carries the same. */
export type OnTheWay = Attaching & { file: File; drop: string }

export const attaching = createStore<Record<string, readonly OnTheWay[]>>()(() => ({}))
/** Of files that were taken in on this page: pictures and sounds are shown from here. */
export const shownFrom = new Map<string, File>()
const NONE: readonly OnTheWay[] = []

export const onTheWay = (place: string): readonly OnTheWay[] => attaching.getState()[place] ?? NONE
export const change = (place: string, next: (all: readonly OnTheWay[]) => readonly OnTheWay[]): void =>
  attaching.setState((all) => ({ [place]: next(all[place] ?? NONE) }))
export const settle = (place: string, localId: string, part: Partial<OnTheWay>): void =>
  change(place, (all) => all.map((one) => (one.localId === localId ? { ...one, ...part } : one)))
export const fail = (place: string, localId: string, why: Trouble['why'], message = ''): void =>
  settle(place, localId, { state: 'failed', trouble: { why, message } })
export const changeTaken = (place: string, next: (all: readonly TakenFile[]) => readonly TakenFile[]): void =>
  changeComposer(place, { files: next(composerAt(place).files) })

/** in: taken: those that the draft keeps */
export function useAttachments(place: string, taken: readonly TakenFile[]): readonly Attaching[] {
  const coming = useStore(attaching, (all) => all[place] ?? NONE)
  return useMemo(
    () => [
      ...taken.map(
        ({ id, name, bytes, mime, alt }): Attaching => ({
          localId: id,
          name,
          bytes,
          mime,
          state: 'ready',
          trouble: null,
          file: shownFrom.get(id) ?? null,
          alt,
        }),
      ),
      ...coming,
    ],
    [taken, coming],
  )
}

/** Take these files in; what is too large or too many says so and is not sent. */
export function attach(place: string, files: Iterable<File>): void {
  const drop = newId()
  for (const file of files) {
    const { name, size: bytes, type: mime } = file
    const localId = newId()
    const one: OnTheWay = { localId, name, bytes, mime, state: 'sending', trouble: null, file, drop, alt: '' }
    change(place, (all) => [...all, one])
    attachmentStrip.load().then(
      ({ keepAttachment }) => keepAttachment(place, one),
      () => fail(place, localId, 'offline'),
    )
  }
}

/** The message is on its way: what could not come along is forgotten. */
export const detachAll = (place: string): void => change(place, () => NONE)
