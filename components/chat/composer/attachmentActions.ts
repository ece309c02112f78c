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
const isHeldHere = ({ state, trouble }: UploadingFile): boolean => state === 'sending' || trouble?.why === 'offline'
const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()
function askWhileHeld(): void {
  const isAnyHeld = Object.values(uploadStore.getState()).some((files) => files.some(isHeldHere))
  window[isAnyHeld ? 'addEventListener' : 'removeEventListener']('beforeunload', askBeforeLeaving)
}
uploadStore.subscribe(askWhileHeld)
askWhileHeld()

const isTaken = (place: string, localId: string): boolean => composerAt(place).files.some(({ id }) => id === localId)

export function retryAttachment(place: string, localId: string): void {
  const one = uploadsAt(place).find((each) => each.localId === localId)
  if (one === undefined || one.state !== 'failed') return
  patchUpload(place, localId, { state: 'sending', trouble: null })
  void uploadAttachment(place, one)
}

export function describePicture(place: string, localId: string, alt: string): void {
  if (isTaken(place, localId))
    changeUploaded(place, (all) => all.map((one) => (one.id === localId ? { ...one, alt } : one)))
  else patchUpload(place, localId, { alt })
}

export function removeAttachment(place: string, localId: string): void {
  if (isTaken(place, localId)) changeUploaded(place, (all) => all.filter(({ id }) => id !== localId))
  else changeUploads(place, (all) => all.filter((one) => one.localId !== localId))
}

export async function uploadAttachment(
  place: string,
  { localId, name, mime, bytes, file, drop }: UploadingFile,
): Promise<void> {
  const before = uploadsAt(place).findIndex((one) => one.localId === localId) + composerAt(place).files.length
  if (before >= MAX_ATTACHMENTS || bytes > ATTACHMENT_MAX_BYTES) {
    failUpload(place, localId, before >= MAX_ATTACHMENTS ? 'many' : 'large')
    return
  }
  let base64: string
  try {
    base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  } catch {
    failUpload(place, localId, 'unreadable')
    return
  }
  const answer = await call<AttachmentAnswer>('POST', '/api/attachments', {
    name: name || 'file',
    mime: /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : 'application/octet-stream',
    base64,
    drop,
  })
  const one = uploadsAt(place).find((each) => each.localId === localId)
  // It was removed meanwhile.
  if (one === undefined) return
  if (answer.ok) {
    localFiles.set(localId, file)
    changeUploads(place, (all) => all.filter((each) => each.localId !== localId))
    changeUploaded(place, (all) => [...all, { id: localId, ...answer.value, alt: one.alt }])
  } else if (answer.fault.error === 'NO_ANSWER') failUpload(place, localId, 'offline')
  else failUpload(place, localId, 'refused', answer.fault.message)
}

/** The frames of a video that was uploaded, as pictures beside it; more than the message has room for are left out. */
export async function uploadFrames(place: string, { localId, file, drop }: UploadingFile): Promise<void> {
  if (!isTaken(place, localId)) return
  const frames = await framesOf(file)
  const room = MAX_ATTACHMENTS - composerAt(place).files.length - uploadsAt(place).length
  // It was removed meanwhile: what is of it goes with it.
  if (!isTaken(place, localId)) return
  for (const frame of frames.slice(0, Math.max(0, room))) await uploadAttachment(place, listed(place, frame, drop))
}
