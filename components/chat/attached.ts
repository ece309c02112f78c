/**
 * What is done with files that are listed under a message: taken in, tried again, described, taken away, asked about
 * before the page goes. Comes with their list, so that no first page waits for it.
 */
import { call } from '@/client'
import { toBase64 } from '@/client/api'
import type { AttachmentAnswer } from '@/lib/wire'
import { composerAt } from './composerState'
import { attaching, change, changeTaken, fail, type OnTheWay, onTheWay, settle, shownFrom } from './useAttachments'

export const ATTACHMENT_MAX_BYTES = 25 * 1024 * 1024
export const MOST_ATTACHMENTS = 10

/** The server has not got it: it would go with the page. */
const isHeldHere = ({ state, trouble }: OnTheWay): boolean => state === 'sending' || trouble?.why === 'offline'
const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()
function askWhileHeld(): void {
  const isAnyHeld = Object.values(attaching.getState()).some((files) => files.some(isHeldHere))
  window[isAnyHeld ? 'addEventListener' : 'removeEventListener']('beforeunload', askBeforeLeaving)
}
attaching.subscribe(askWhileHeld)
askWhileHeld()

const isTaken = (place: string, localId: string): boolean => composerAt(place).files.some(({ id }) => id === localId)

/** Try one again that did not reach the server. */
export function attachAgain(place: string, localId: string): void {
  const one = onTheWay(place).find((each) => each.localId === localId)
  if (one === undefined || one.state !== 'failed') return
  settle(place, localId, { state: 'sending', trouble: null })
  void keepAttachment(place, one)
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

/** Give it to the server; from then on the draft keeps it. */
export async function keepAttachment(
  place: string,
  { localId, name, mime, bytes, file, drop }: OnTheWay,
): Promise<void> {
  const before = onTheWay(place).findIndex((one) => one.localId === localId) + composerAt(place).files.length
  if (before >= MOST_ATTACHMENTS || bytes > ATTACHMENT_MAX_BYTES) {
    fail(place, localId, before >= MOST_ATTACHMENTS ? 'many' : 'large')
    return
  }
  let base64: string
  try {
    base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  } catch {
    fail(place, localId, 'unreadable')
    return
  }
  const answer = await call<AttachmentAnswer>('POST', '/api/attachments', {
    name: name || 'file',
    mime: /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : 'application/octet-stream',
    base64,
    drop,
  })
  const one = onTheWay(place).find((each) => each.localId === localId)
  // Taken away meanwhile.
  if (one === undefined) return
  if (answer.ok) {
    shownFrom.set(localId, file)
    change(place, (all) => all.filter((each) => each.localId !== localId))
    changeTaken(place, (all) => [...all, { id: localId, ...answer.value, alt: one.alt }])
  } else fail(place, localId, answer.fault.error === 'NO_ANSWER' ? 'offline' : 'refused', answer.fault.message)
}
