/**
 * Files on their way into a message: taken in as soon as they are chosen, so that sending waits for nothing that could be done before.
 *
 * Owns: their state by the place they are written at: on their way or refused while the page lives; those that the server has
 * taken in are kept with the draft. Not here: drawing (AttachmentStrip.tsx), sending (Composer.tsx).
 */
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { call, newId } from '@/client'
import { toBase64 } from '@/client/base64'
import type { AttachmentAnswer } from '@/lib/wire'
import { changeComposer, composerAt, type TakenFile } from './composerState'

export const ATTACHMENT_BYTES = 25 * 1024 * 1024
export const MOST_ATTACHMENTS = 10

export type Attaching = {
  localId: string
  name: string
  bytes: number
  mime: string
  /** large, many, unreadable: the page's own word; refused: the server's sentence. */
  state: 'sending' | 'ready' | 'failed'
  trouble: { why: 'large' | 'many' | 'unreadable' | 'refused' | 'offline'; message: string } | null
  /** null: it was taken in before this page came. */
  file: File | null
  /** What a picture shows, for those who cannot see it. */
  alt: string
}
/** drop: what was chosen at once carries the same. */
type OnTheWay = Attaching & { file: File; drop: string }

const attaching = createStore<Record<string, readonly OnTheWay[]>>()(() => ({}))
/** Of files that were taken in on this page: pictures and sounds are shown from here. */
const shownFrom = new Map<string, File>()
const NONE: readonly OnTheWay[] = []

/** The browser asks before the page goes: a file that the server has not goes with it. */
const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()
attaching.subscribe((all) => {
  const isHeldHere = ({ state, trouble }: OnTheWay): boolean => state === 'sending' || trouble?.why === 'offline'
  const change = Object.values(all).some((files) => files.some(isHeldHere)) ? 'addEventListener' : 'removeEventListener'
  window[change]('beforeunload', askBeforeLeaving)
})

const onTheWay = (place: string): readonly OnTheWay[] => attaching.getState()[place] ?? NONE
const change = (place: string, next: (all: readonly OnTheWay[]) => readonly OnTheWay[]): void =>
  attaching.setState((all) => ({ [place]: next(all[place] ?? NONE) }))
const settle = (place: string, localId: string, part: Partial<OnTheWay>): void =>
  change(place, (all) => all.map((one) => (one.localId === localId ? { ...one, ...part } : one)))
const changeTaken = (place: string, next: (all: readonly TakenFile[]) => readonly TakenFile[]): void =>
  changeComposer(place, { files: next(composerAt(place).files) })
const isTaken = (place: string, localId: string): boolean => composerAt(place).files.some(({ id }) => id === localId)

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
    const held = onTheWay(place).length + composerAt(place).files.length
    const why = held >= MOST_ATTACHMENTS ? 'many' : file.size > ATTACHMENT_BYTES ? 'large' : null
    const one: OnTheWay = {
      localId: newId(),
      name: file.name || 'file',
      bytes: file.size,
      mime: /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream',
      state: why === null ? 'sending' : 'failed',
      trouble: why === null ? null : { why, message: '' },
      file,
      drop,
      alt: '',
    }
    change(place, (all) => [...all, one])
    if (why === null) void takeIn(place, one)
  }
}

/** Try one again that did not reach the server. */
export function attachAgain(place: string, localId: string): void {
  const one = onTheWay(place).find((each) => each.localId === localId)
  if (one === undefined || one.state !== 'failed') return
  settle(place, localId, { state: 'sending', trouble: null })
  void takeIn(place, one)
}

export function describePicture(place: string, localId: string, alt: string): void {
  if (isTaken(place, localId))
    changeTaken(place, (all) => all.map((one) => (one.id === localId ? { ...one, alt } : one)))
  else settle(place, localId, { alt })
}

export function detach(place: string, localId: string): void {
  if (isTaken(place, localId)) changeTaken(place, (all) => all.filter(({ id }) => id !== localId))
  else change(place, (all) => all.filter((one) => one.localId !== localId))
}

/** The message is on its way: what could not come along is forgotten. */
export const detachAll = (place: string): void => change(place, () => NONE)

async function takeIn(place: string, { localId, name, mime, file, drop }: OnTheWay): Promise<void> {
  let base64: string
  try {
    base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  } catch {
    settle(place, localId, { state: 'failed', trouble: { why: 'unreadable', message: '' } })
    return
  }
  const answer = await call<AttachmentAnswer>('POST', '/api/attachments', { name, mime, base64, drop })
  const one = onTheWay(place).find((each) => each.localId === localId)
  // Taken away meanwhile.
  if (one === undefined) return
  if (answer.ok) {
    shownFrom.set(localId, file)
    change(place, (all) => all.filter((each) => each.localId !== localId))
    changeTaken(place, (all) => [...all, { id: localId, ...answer.value, alt: one.alt }])
  } else {
    const why = answer.fault.error === 'NO_ANSWER' ? 'offline' : 'refused'
    settle(place, localId, { state: 'failed', trouble: { why, message: answer.fault.message } })
  }
}
