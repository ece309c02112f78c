/** Files of a draft. They are uploaded as soon as they are chosen, so that sending does not wait for them. */
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { newId } from '@/client'
import { attachmentFile } from '../lazy'
import { changeComposer, composerAt, type UploadedFile } from './composerState'

/** message: the server's sentence, of `refused` */
type UploadProblem = { why: 'large' | 'many' | 'unreadable' | 'refused' | 'offline'; message: string }

type AttachedFile = Omit<UploadedFile, 'sha'> & { trouble: UploadProblem | null }
/** Sent to the server, or not taken by it. drop: the same for all files that were chosen at once */
export type UploadingFile = AttachedFile & { file: File; drop: string }
/** file: null: it was uploaded before this page was loaded */
export type AttachmentItem = AttachedFile & { state: 'sending' | 'ready' | 'failed'; file: File | null }

export const uploadStore = createStore<Record<string, readonly UploadingFile[]>>()(() => ({}))
/** Files that this page uploaded, by id: their previews need no download. */
export const localFiles = new Map<string, File>()
const NONE: readonly UploadingFile[] = []

export const uploadsAt = (place: string): readonly UploadingFile[] => uploadStore.getState()[place] ?? NONE
export const changeUploads = (place: string, next: (all: readonly UploadingFile[]) => readonly UploadingFile[]): void =>
  uploadStore.setState((all) => ({ [place]: next(all[place] ?? NONE) }))
export const patchUpload = (place: string, id: string, part: Partial<UploadingFile>): void =>
  changeUploads(place, (all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)))
export const failUpload = (place: string, id: string, why: UploadProblem['why'], message = ''): void =>
  patchUpload(place, id, { trouble: { why, message } })
export const changeUploaded = (place: string, next: (all: readonly UploadedFile[]) => UploadedFile[]): void =>
  changeComposer(place, { files: next(composerAt(place).files) })

/** in: taken: the uploaded files of the draft */
export function useAttachments(place: string, taken: readonly UploadedFile[]): readonly AttachmentItem[] {
  const coming = useStore(uploadStore, (all) => all[place] ?? NONE)
  return useMemo(() => {
    const uploaded = taken.map((one): AttachmentItem => {
      return { ...one, state: 'ready', trouble: null, file: localFiles.get(one.id) ?? null }
    })
    return [
      ...uploaded,
      ...coming.map((one) => ({ ...one, state: one.trouble ? ('failed' as const) : ('sending' as const) })),
    ]
  }, [taken, coming])
}

/**
 * Lists these files and uploads them one after the other, so that they stay in the order in which they were chosen; those that are too
 * large or too many fail with their reason. After a video come its frames and its sound, as far as the message has room for them.
 */
export function addAttachments(place: string, files: Iterable<File>): void {
  const drop = newId()
  const all = Array.from(files, (file) => listed(place, file, drop))
  attachmentFile().then(
    async ({ uploadAttachment, uploadSplitVideo }) => {
      for (const one of all) {
        await uploadAttachment(place, one)
        if (one.file.type.startsWith('video/')) await uploadSplitVideo(place, one)
      }
    },
    () => {
      for (const { id } of all) failUpload(place, id, 'offline')
    },
  )
}

/** out: the files that are pasted; none of cells or text of an office program, which come with a picture of themselves */
export const pastedFiles = ({ types, files }: { types: readonly string[]; files: Iterable<File> }): readonly File[] =>
  types.includes('text/plain') && types.includes('text/html') ? [] : [...files]

/** A file to be uploaded is in the draft from now on. */
export function listed(place: string, file: File, drop: string): UploadingFile {
  const { name, size: bytes, type: mime } = file
  const one: UploadingFile = { id: newId(), name, bytes, mime, alt: '', trouble: null, file, drop }
  changeUploads(place, (all) => [...all, one])
  return one
}

/** Forgets the failed uploads of a message that was sent. */
export const clearUploads = (place: string): void => changeUploads(place, () => NONE)
