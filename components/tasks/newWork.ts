/**
 * The wish that is being written: kept while the dialog is closed, the page reloaded, the server away, and on the member's
 * other devices.
 */
import * as z from 'zod/mini'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type ApiResult, call, command, commandDeadline, draftAt, newId, type TextDraft, useDraft } from '@/client'
import { toBase64 } from '@/client/api'
import type { AttachmentAnswer, PostWork, WorkAnswer } from '@/lib/wire'
import type { AttachedDraft } from '@/lib/wire/drafts'
import type { WorkFile } from './workFiles'

/** A wish belongs to no task yet: these stand where a task's id stands. */
const TEXT_PLACE = 'task:new-work'
const PASTED_PLACE = 'task:new-work-pasted'

type HeldFile = WorkFile & { text: string }
type TakenFile = WorkFile & { sha: string }

type Held = {
  /** Whose files these are. */
  owner: string | null
  /** Not taken in yet. */
  files: readonly HeldFile[]
  /** Of the last try that got no answer: whether it was done is not known, so it is repeated under the same id. */
  tried: { id: string; what: string } | null
}

const wishStore = createStore<Held>()(() => ({ owner: null, files: [], tried: null }))

export type NewWork = {
  text: TextDraft
  pasted: TextDraft
  files: readonly WorkFile[]
  setFiles: (files: readonly WorkFile[]) => void
  /** Put it to the server. It is forgotten once it was taken, and kept otherwise. */
  ask: () => Promise<ApiResult<WorkAnswer>>
}

/** The wish of whoever is signed in; another member's files are not shown. */
export function useNewWork(me: string): NewWork {
  const text = useDraft(TEXT_PLACE)
  const pasted = useDraft(PASTED_PLACE)
  const store = useStore(wishStore)
  const held = store.owner === me ? store.files : []
  const taken = takenIn(text.more)
  return {
    text,
    pasted,
    files: [...taken, ...held],
    setFiles: (next) => {
      const [stay, come] = [next.filter(isTaken), next.filter(isHeld)]
      if (stay.length !== taken.length) keepTaken(stay)
      wishStore.setState({ owner: me, files: come })
      const drop = newId()
      for (const file of come) if (!held.includes(file)) void takeIn(file, drop)
    },
    ask: async () => {
      const answer = await askForWork({ text: text.text, pasted: pasted.text, held, taken })
      if (!answer.ok) return answer
      text.clear()
      pasted.clear()
      wishStore.setState({ files: [] })
      return answer
    },
  }
}

const isTaken = (file: WorkFile): file is TakenFile => file.sha !== undefined
const isHeld = (file: WorkFile): file is HeldFile => file.sha === undefined

const keptFiles = z.array(z.object({ name: z.string(), bytes: z.number(), sha: z.string() }))
const takenIn = (more: AttachedDraft): TakenFile[] => keptFiles.safeParse(more.files).data ?? []
const keepTaken = (files: readonly TakenFile[]): void =>
  draftAt(TEXT_PLACE)?.setMore({ files: files.length === 0 ? null : files })

/** The server takes it in, beside what was dropped with it, and the draft keeps it. One that does not arrive goes out with the wish itself. */
async function takeIn(file: HeldFile, drop: string): Promise<void> {
  const { name, text, bytes } = file
  const base64 = toBase64(new TextEncoder().encode(text))
  const answer = await call<AttachmentAnswer>('POST', '/api/attachments', { name, mime: 'text/plain', base64, drop })
  const { files } = wishStore.getState()
  const draft = draftAt(TEXT_PLACE)
  // Taken back or sent meanwhile.
  if (!answer.ok || !draft || !files.includes(file)) return
  wishStore.setState({ files: files.filter((one) => one !== file) })
  keepTaken([...takenIn(draft.state.getState().more), { name, bytes, sha: answer.value.sha }])
}

async function askForWork(wish: {
  text: string
  pasted: string
  held: readonly HeldFile[]
  taken: readonly TakenFile[]
}): Promise<ApiResult<WorkAnswer>> {
  const { tried } = wishStore.getState()
  const files = wish.held.map(({ name, text }) => ({ name, text }))
  const taken = wish.taken.map(({ sha }) => ({ sha }))
  const body = { wish: wish.text, pasted: wish.pasted, files, taken } satisfies Omit<PostWork, 'id' | 'until'>
  const what = JSON.stringify(body)
  const id = tried?.what === what ? tried.id : newId()
  const answer = await command<WorkAnswer>('/api/work', body, { id, until: commandDeadline() })
  const isUnsure = !answer.ok && answer.fault.error === 'NO_ANSWER'
  wishStore.setState({ tried: isUnsure ? { id, what } : null })
  return answer
}
