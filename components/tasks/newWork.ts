/**
 * A new request while it is written: kept while the dialog is closed, over a reload, offline, and on the member's other devices.
 * What is asked again is a draft of its own.
 */
import * as z from 'zod/mini'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { type ApiResult, call, command, draftAt, newId, useDraft } from '@/client'
import { toBase64 } from '@/client/api'
import { createSendOnce } from '@/client/sendOnce'
import { isSameValue } from '@/lib/json'
import type { AgainAnswer, AttachmentAnswer, CommandAnswer, CommandHead, PostWork, WorkAnswer } from '@/lib/wire'
import type { AttachedDraft } from '@/lib/wire/drafts'
import { repeatShape } from './repeat'
import type { WorkFile } from './workFiles'

/** There is no task yet: these are used instead of a task's id. again: the task or message that is requested again; null: none. */
const textPlace = (again: string | null): string => `task:new-work${again === null ? '' : `-${again}`}`
const pastedPlace = (again: string | null): string => `${textPlace(again)}-pasted`

type LocalFile = WorkFile & { text: string }
type UploadedFile = WorkFile & { sha: string }

type WorkState = {
  /** The member and the draft whose files these are. */
  owner: string | null
  files: readonly LocalFile[]
}

const workStore = createStore<WorkState>()(() => ({ owner: null, files: [] }))
const sendOnce = createSendOnce()

const formShape = z.object({
  template: z.nullable(z.string()),
  values: z.record(z.string(), z.string()),
  repeat: z.nullable(repeatShape),
  reviewPlans: z._default(z.boolean(), false),
})
/** What is chosen beside the text: a template with its values; when it is asked again, null for now and once; a review of its plan. */
type WorkForm = z.infer<typeof formShape>
const NO_FORM: WorkForm = { template: null, values: {}, repeat: null, reviewPlans: false }

/** The draft of the signed-in member; files of another member are not shown. */
export function useNewWork(me: string, again: string | null) {
  const place = textPlace(again)
  const text = useDraft(place)
  const pasted = useDraft(pastedPlace(again))
  const store = useStore(workStore)
  const owner = `${me} ${place}`
  const local = store.owner === owner ? store.files : []
  const uploaded = uploadedFilesIn(text.more)
  const form = formShape.safeParse(text.more.form).data ?? NO_FORM
  const body: Omit<PostWork, keyof CommandHead | 'reviewPlans'> = {
    wish: text.text,
    pasted: pasted.text,
    files: local.map(({ name, text }) => ({ name, text })),
    taken: uploaded.map(({ sha }) => ({ sha })),
    template: form.template === null ? null : { id: form.template, values: form.values },
  }
  const cleared = <Answer>(answer: ApiResult<Answer>): ApiResult<Answer> => {
    if (answer.ok) {
      text.clear()
      pasted.clear()
      workStore.setState({ files: [] })
    }
    return answer
  }
  const isEmpty = text.text === '' && pasted.text === '' && local.length === 0 && Object.keys(text.more).length === 0
  return {
    /** Nothing was written or chosen. */
    isEmpty,
    text,
    pasted,
    files: [...uploaded, ...local],
    setFiles: (next: readonly WorkFile[]): void => {
      const [stay, come] = [next.filter(isUploaded), next.filter(isLocal)]
      if (stay.length !== uploaded.length) storeUploaded(place, stay)
      workStore.setState({ owner, files: come })
      const drop = newId()
      void uploadInTurn(
        place,
        come.filter((file) => !local.includes(file)),
        drop,
      )
    },
    /** Fill an empty draft with what was asked before. */
    fill: (asked: Pick<AgainAnswer, 'text' | 'files'>): void => {
      text.setText(asked.text)
      storeUploaded(place, asked.files)
    },
    form,
    setForm: (next: WorkForm): void =>
      text.setMore({ form: isSameValue(next, { ...NO_FORM, values: next.values }) ? null : next }),
    /** Send it. The draft is deleted once it was accepted. */
    ask: async (): Promise<ApiResult<WorkAnswer>> =>
      cleared(await sent<WorkAnswer>('/api/work', { ...body, reviewPlans: form.reviewPlans })),
    /** Ask it again at the times of the form. The draft is deleted once it was accepted. */
    schedule: async (cron: string, timeZone: string): Promise<ApiResult<CommandAnswer>> =>
      cleared(
        await sent<CommandAnswer>('/api/schedules', {
          ...body,
          name: form.repeat?.name.trim() ?? '',
          cron,
          timeZone,
        }),
      ),
  }
}

export type NewWork = ReturnType<typeof useNewWork>

const isUploaded = (file: WorkFile): file is UploadedFile => file.sha !== undefined
const isLocal = (file: WorkFile): file is LocalFile => file.sha === undefined

const storedFiles = z.array(z.object({ name: z.string(), bytes: z.number(), sha: z.string() }))
const uploadedFilesIn = (more: AttachedDraft): UploadedFile[] => storedFiles.safeParse(more.files).data ?? []
const storeUploaded = (place: string, files: readonly UploadedFile[]): void =>
  draftAt(place)?.setMore({ files: files.length === 0 ? null : files })

/** One after the other, so that they stay in the order in which they were chosen. */
async function uploadInTurn(place: string, files: readonly LocalFile[], drop: string): Promise<void> {
  for (const file of files) await upload(place, file, drop)
}

/** Upload a dropped file; the draft refers to it. A file that could not be uploaded is sent with the request itself. */
async function upload(place: string, file: LocalFile, drop: string): Promise<void> {
  const { name, text, bytes } = file
  const base64 = toBase64(new TextEncoder().encode(text))
  const answer = await call<AttachmentAnswer>('POST', '/api/attachments', { name, mime: 'text/plain', base64, drop })
  const { files } = workStore.getState()
  const draft = draftAt(place)
  // Removed or sent meanwhile.
  if (!answer.ok || !draft || !files.includes(file)) return
  workStore.setState({ files: files.filter((one) => one !== file) })
  storeUploaded(place, [...uploadedFilesIn(draft.state.getState().more), { name, bytes, sha: answer.value.sha }])
}

const sent = <Answer>(path: string, body: Record<string, unknown>): Promise<ApiResult<Answer>> =>
  sendOnce(JSON.stringify([path, body]), (head) => command<Answer>(path, body, head))
