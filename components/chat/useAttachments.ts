/**
 * Files on their way into a message: taken in as soon as they are chosen, so that sending waits for nothing that could
 * be done before.
 */
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { newId } from '@/client'
import { attachmentStrip } from '@/components/shell/lazyParts'
import { changeComposer, composerAt, type UploadedFile } from './composerState'

type UploadProblem = { why: 'large' | 'many' | 'unreadable' | 'refused' | 'offline'; message: string }

export type AttachmentItem = {
  localId: string
  name: string
  bytes: number
  mime: string
  /** large, many, unreadable: the page's own word; refused: the server's sentence. */
  state: 'sending' | 'ready' | 'failed'
  trouble: UploadProblem | null
  /** null: it was taken in before this page came. */
  file: File | null
  /** What a picture shows, for those who cannot see it. */
  alt: string
}
/** drop: what was chosen at once carries the same. */
export type UploadingFile = AttachmentItem & { file: File; drop: string }

export const uploadStore = createStore<Record<string, readonly UploadingFile[]>>()(() => ({}))
/** Of files that were taken in on this page: pictures and sounds are shown from here. */
export const localFiles = new Map<string, File>()
const NONE: readonly UploadingFile[] = []

export const uploadsAt = (place: string): readonly UploadingFile[] => uploadStore.getState()[place] ?? NONE
export const changeUploads = (place: string, next: (all: readonly UploadingFile[]) => readonly UploadingFile[]): void =>
  uploadStore.setState((all) => ({ [place]: next(all[place] ?? NONE) }))
export const patchUpload = (place: string, localId: string, part: Partial<UploadingFile>): void =>
  changeUploads(place, (all) => all.map((one) => (one.localId === localId ? { ...one, ...part } : one)))
export const failUpload = (place: string, localId: string, why: UploadProblem['why'], message = ''): void =>
  patchUpload(place, localId, { state: 'failed', trouble: { why, message } })
export const changeUploaded = (place: string, next: (all: readonly UploadedFile[]) => readonly UploadedFile[]): void =>
  changeComposer(place, { files: next(composerAt(place).files) })

/** in: taken: those that the draft keeps */
export function useAttachments(place: string, taken: readonly UploadedFile[]): readonly AttachmentItem[] {
  const coming = useStore(uploadStore, (all) => all[place] ?? NONE)
  return useMemo(
    () => [
      ...taken.map(
        ({ id, name, bytes, mime, alt }): AttachmentItem => ({
          localId: id,
          name,
          bytes,
          mime,
          state: 'ready',
          trouble: null,
          file: localFiles.get(id) ?? null,
          alt,
        }),
      ),
      ...coming,
    ],
    [taken, coming],
  )
}

/** Take these files in; what is too large or too many says so and is not sent. */
export function addAttachments(place: string, files: Iterable<File>): void {
  const drop = newId()
  for (const file of files) {
    const { name, size: bytes, type: mime } = file
    const localId = newId()
    const one: UploadingFile = { localId, name, bytes, mime, state: 'sending', trouble: null, file, drop, alt: '' }
    changeUploads(place, (all) => [...all, one])
    attachmentStrip.load().then(
      ({ uploadAttachment }) => uploadAttachment(place, one),
      () => failUpload(place, localId, 'offline'),
    )
  }
}

/** The message is on its way: what could not come along is forgotten. */
export const clearUploads = (place: string): void => changeUploads(place, () => NONE)
