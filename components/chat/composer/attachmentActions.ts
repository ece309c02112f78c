/** Uploading, retrying, describing and removing the files of a draft. Loaded with their list (AttachmentStrip.tsx). */
import { call } from '@/client'
import { toBase64 } from '@/client/api'
import type { AttachmentAnswer } from '@/lib/wire'
import { composerAt } from './composerState'
import {
  changeUploaded,
  changeUploads,
  failUpload,
  listed,
  localFiles,
  patchUpload,
  type UploadingFile,
  uploadStore,
  uploadsAt,
} from './useAttachments'
import { framesOf } from './videoFrames'

export const ATTACHMENT_MAX_BYTES = 25 * 1024 * 1024
export const MAX_ATTACHMENTS = 10

/** The server does not have it: it would be lost with the page. */
const isHeldHere = ({ trouble }: UploadingFile): boolean => trouble === null || trouble.why === 'offline'
const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()
function askWhileHeld(): void {
  const isAnyHeld = Object.values(uploadStore.getState()).some((files) => files.some(isHeldHere))
  window[isAnyHeld ? 'addEventListener' : 'removeEventListener']('beforeunload', askBeforeLeaving)
}
uploadStore.subscribe(askWhileHeld)
askWhileHeld()

const isTaken = (place: string, id: string): boolean => composerAt(place).files.some((one) => one.id === id)

export function retryAttachment(place: string, id: string): void {
  const one = uploadsAt(place).find((each) => each.id === id)
  if (!one?.trouble) return
  patchUpload(place, id, { trouble: null })
  void uploadAttachment(place, one)
}

export function describePicture(place: string, id: string, alt: string): void {
  if (isTaken(place, id)) changeUploaded(place, (all) => all.map((one) => (one.id === id ? { ...one, alt } : one)))
  else patchUpload(place, id, { alt })
}

export function removeAttachment(place: string, id: string): void {
  if (isTaken(place, id)) changeUploaded(place, (all) => all.filter((one) => one.id !== id))
  else changeUploads(place, (all) => all.filter((one) => one.id !== id))
}

export async function uploadAttachment(
  place: string,
  { id, name, mime, bytes, file, drop }: UploadingFile,
): Promise<void> {
  const before = uploadsAt(place).findIndex((one) => one.id === id) + composerAt(place).files.length
  if (before >= MAX_ATTACHMENTS || bytes > ATTACHMENT_MAX_BYTES) {
    failUpload(place, id, before >= MAX_ATTACHMENTS ? 'many' : 'large')
    return
  }
  let base64: string
  try {
    base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  } catch {
    failUpload(place, id, 'unreadable')
    return
  }
  const answer = await call<AttachmentAnswer>('POST', '/api/attachments', {
    name: name || 'file',
    mime: /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : 'application/octet-stream',
    base64,
    drop,
  })
  const one = uploadsAt(place).find((each) => each.id === id)
  // It was removed meanwhile.
  if (one === undefined) return
  if (answer.ok) {
    localFiles.set(id, file)
    changeUploads(place, (all) => all.filter((each) => each.id !== id))
    changeUploaded(place, (all) => [...all, { id, ...answer.value, alt: one.alt }])
  } else if (answer.fault.error === 'NO_ANSWER') failUpload(place, id, 'offline')
  else failUpload(place, id, 'refused', answer.fault.message)
}

/** The frames of a video that was uploaded, as pictures beside it; more than the message has room for are left out. */
export async function uploadFrames(place: string, { id, file, drop }: UploadingFile): Promise<void> {
  if (!isTaken(place, id)) return
  const frames = await framesOf(file)
  const room = MAX_ATTACHMENTS - composerAt(place).files.length - uploadsAt(place).length
  // It was removed meanwhile: what is of it goes with it.
  if (!isTaken(place, id)) return
  for (const frame of frames.slice(0, Math.max(0, room))) await uploadAttachment(place, listed(place, frame, drop))
}
