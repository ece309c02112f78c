/**
 * Files on their way into a message: taken in as soon as they are chosen, so that sending waits for nothing that could be done before.
 *
 * Owns: their state per task while the page lives. Not here: drawing (AttachmentStrip.tsx), sending (Composer.tsx).
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { call, newId } from '@/client'
import type { AttachmentAnswer } from '@/lib/wire'

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
  answer: AttachmentAnswer | null
  file: File
  /** What a picture shows, for those who cannot see it. */
  alt: string
}

const attaching = createStore<Record<string, readonly Attaching[]>>()(() => ({}))
const NONE: readonly Attaching[] = []

const change = (task: string, next: (all: readonly Attaching[]) => readonly Attaching[]): void =>
  attaching.setState((all) => ({ [task]: next(all[task] ?? NONE) }))
const settle = (task: string, localId: string, part: Partial<Attaching>): void =>
  change(task, (all) => all.map((one) => (one.localId === localId ? { ...one, ...part } : one)))

export const useAttachments = (task: string): readonly Attaching[] => useStore(attaching, (all) => all[task] ?? NONE)

/** Take these files in; what is too large or too many says so and is not sent. */
export function attach(task: string, files: Iterable<File>): void {
  for (const file of files) {
    const held = (attaching.getState()[task] ?? NONE).length
    const why = held >= MOST_ATTACHMENTS ? 'many' : file.size > ATTACHMENT_BYTES ? 'large' : null
    const one: Attaching = {
      localId: newId(),
      name: file.name || 'file',
      bytes: file.size,
      mime: /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream',
      state: why === null ? 'sending' : 'failed',
      trouble: why === null ? null : { why, message: '' },
      answer: null,
      file,
      alt: '',
    }
    change(task, (all) => [...all, one])
    if (why === null) void takeIn(task, one)
  }
}

/** Try one again that did not reach the server. */
export function attachAgain(task: string, localId: string): void {
  const one = (attaching.getState()[task] ?? NONE).find((each) => each.localId === localId)
  if (one === undefined || one.state !== 'failed') return
  settle(task, localId, { state: 'sending', trouble: null })
  void takeIn(task, one)
}

export const describePicture = (task: string, localId: string, alt: string): void => settle(task, localId, { alt })

export const detach = (task: string, localId: string): void =>
  change(task, (all) => all.filter((one) => one.localId !== localId))

/** The message is on its way. */
export const detachAll = (task: string): void => change(task, () => NONE)

async function takeIn(task: string, { localId, name, mime, file }: Attaching): Promise<void> {
  let base64: string
  try {
    base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
  } catch {
    settle(task, localId, { state: 'failed', trouble: { why: 'unreadable', message: '' } })
    return
  }
  const answer = await call<AttachmentAnswer>('POST', '/api/attachments', { name, mime, base64 })
  if (answer.ok) settle(task, localId, { state: 'ready', answer: answer.value })
  else {
    const why = answer.fault.error === 'NO_ANSWER' ? 'offline' : 'refused'
    settle(task, localId, { state: 'failed', trouble: { why, message: answer.fault.message } })
  }
}

const PIECE = 0x8000

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(binary)
}
