/** Uploading, retrying, describing and removing the files of a draft. Loaded with their list (AttachmentStrip.tsx). */
import { call } from '@/client'
import { toBase64 } from '@/client/api'
import { videoIn } from '@/lib/format/videoFrames'
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
import { soundOf } from './videoSound'

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

/** With a video its frames and its sound are removed. */
export function removeAttachment(place: string, id: string): void {
  const removed = [...composerAt(place).files, ...uploadsAt(place)].find((one) => one.id === id)
  const video = removed?.mime.startsWith('video/') ? removed.name : null
  const stays = (one: { id: string; name: string }): boolean =>
    one.id !== id && (video === null || videoIn(one.name)?.video !== video)
  changeUploaded(place, (all) => all.filter(stays))
  changeUploads(place, (all) => all.filter(stays))
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

/** The frames and the sound of a video that was uploaded, beside it; frames for which the message has no room are left out. */
export async function uploadSplitVideo(place: string, { id, file, drop }: UploadingFile): Promise<void> {
  if (!isTaken(place, id)) return
  const [frames, sound] = await Promise.all([framesOf(file), soundOf(file)])
  const room = Math.max(0, MAX_ATTACHMENTS - composerAt(place).files.length - uploadsAt(place).length)
  const made = sound === null || room === 0 ? frames.slice(0, room) : [...frames.slice(0, room - 1), sound]
  for (const one of made) {
    // It was removed or sent meanwhile: the rest is of no use.
    if (!isTaken(place, id)) return
    await uploadAttachment(place, listed(place, one, drop))
  }
}
