/**
 * The request for new work while it is written: kept while the dialog is closed, over a reload, offline, and on the member's
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

/** There is no task yet: these stand in place of a task's id. */
const TEXT_PLACE = 'task:new-work'
const PASTED_PLACE = 'task:new-work-pasted'

type LocalFile = WorkFile & { text: string }
type UploadedFile = WorkFile & { sha: string }

type WorkState = {
  /** The member whose files these are. */
  owner: string | null
  /** Not uploaded yet. */
  files: readonly LocalFile[]
  /** Of the last attempt without an answer: its result is unknown, so it is repeated under the same id. */
  tried: { id: string; what: string } | null
}

const workStore = createStore<WorkState>()(() => ({ owner: null, files: [], tried: null }))

export type NewWork = {
  text: TextDraft
  pasted: TextDraft
  files: readonly WorkFile[]
  setFiles: (files: readonly WorkFile[]) => void
  /** Send it. The draft is deleted once it was accepted. */
  ask: () => Promise<ApiResult<WorkAnswer>>
}

/** The draft of the signed-in member; files of another member are not shown. */
export function useNewWork(me: string): NewWork {
  const text = useDraft(TEXT_PLACE)
  const pasted = useDraft(PASTED_PLACE)
  const store = useStore(workStore)
  const local = store.owner === me ? store.files : []
  const uploaded = uploadedFilesIn(text.more)
  return {
    text,
    pasted,
    files: [...uploaded, ...local],
    setFiles: (next) => {
      const [stay, come] = [next.filter(isUploaded), next.filter(isLocal)]
      if (stay.length !== uploaded.length) storeUploaded(stay)
      workStore.setState({ owner: me, files: come })
      const drop = newId()
      for (const file of come) if (!local.includes(file)) void upload(file, drop)
    },
    ask: async () => {
      const answer = await askForWork({ text: text.text, pasted: pasted.text, local, uploaded })
      if (!answer.ok) return answer
      text.clear()
      pasted.clear()
      workStore.setState({ files: [] })
      return answer
    },
  }
}

const isUploaded = (file: WorkFile): file is UploadedFile => file.sha !== undefined
const isLocal = (file: WorkFile): file is LocalFile => file.sha === undefined

const storedFiles = z.array(z.object({ name: z.string(), bytes: z.number(), sha: z.string() }))
const uploadedFilesIn = (more: AttachedDraft): UploadedFile[] => storedFiles.safeParse(more.files).data ?? []
const storeUploaded = (files: readonly UploadedFile[]): void =>
  draftAt(TEXT_PLACE)?.setMore({ files: files.length === 0 ? null : files })

/** Upload a dropped file; the draft refers to it. A file that could not be uploaded is sent with the request itself. */
async function upload(file: LocalFile, drop: string): Promise<void> {
  const { name, text, bytes } = file
  const base64 = toBase64(new TextEncoder().encode(text))
  const answer = await call<AttachmentAnswer>('POST', '/api/attachments', { name, mime: 'text/plain', base64, drop })
  const { files } = workStore.getState()
  const draft = draftAt(TEXT_PLACE)
  // Removed or sent meanwhile.
  if (!answer.ok || !draft || !files.includes(file)) return
  workStore.setState({ files: files.filter((one) => one !== file) })
  storeUploaded([...uploadedFilesIn(draft.state.getState().more), { name, bytes, sha: answer.value.sha }])
}

async function askForWork(work: {
  text: string
  pasted: string
  local: readonly LocalFile[]
  uploaded: readonly UploadedFile[]
}): Promise<ApiResult<WorkAnswer>> {
  const { tried } = workStore.getState()
  const files = work.local.map(({ name, text }) => ({ name, text }))
  const taken = work.uploaded.map(({ sha }) => ({ sha }))
  const body = { wish: work.text, pasted: work.pasted, files, taken } satisfies Omit<PostWork, 'id' | 'until'>
  const what = JSON.stringify(body)
  const id = tried?.what === what ? tried.id : newId()
  const answer = await command<WorkAnswer>('/api/work', body, { id, until: commandDeadline() })
  const isUnsure = !answer.ok && answer.fault.error === 'NO_ANSWER'
  workStore.setState({ tried: isUnsure ? { id, what } : null })
  return answer
}
