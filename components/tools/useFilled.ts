/**
 * The arguments of an earlier call: `?like=<step>` or `?request=<request>` in the address, with `&edited` as
 * they were edited in its confirmation.
 */
import { useDraft } from '@/client'
import { useSearchParam } from '@/client/nav'
import { useFetched } from '@/client/useFetched'
import { editedAt } from '@/components/request/useAnswering'
import type { Json } from '@/lib/mas/records'
import type { ArgumentsAnswer, RequestAnswerBody, StepAnswer, ToolAnswer } from '@/lib/wire'

/** failed: they are gone, or this member may not read them. */
export type Filled =
  | { state: 'none' | 'asking' | 'failed' }
  | { state: 'here'; args: Json; task: string; stage: string | null; edited: string | null }

export function useFilled(): { from: string | null; filled: Filled } {
  const like = useSearchParam('like')
  const request = useSearchParam('request')
  const isEdited = useSearchParam('edited') !== null && request !== null
  const edited = useDraft(isEdited ? editedAt(request) : null).text
  const ofStep = like && `/api/steps/${encodeURIComponent(like)}`
  const ofRequest = like === null && request !== null ? `/api/requests/${encodeURIComponent(request)}` : null
  const step = useFetched<StepAnswer>(ofStep).answer
  const call = useFetched<ToolAnswer>(ofStep && `${ofStep}/tool`).answer
  const asked = useFetched<RequestAnswerBody>(ofRequest).answer
  const held = useFetched<ArgumentsAnswer>(ofRequest && `${ofRequest}/arguments`).answer
  const [record, args] = ofStep !== null ? [step, call] : [asked, held]
  const filled = (): Filled => {
    if (ofStep === null && ofRequest === null) return { state: 'none' }
    if (record?.ok === false || args?.ok === false) return { state: 'failed' }
    if (record === null || args === null) return { state: 'asking' }
    const json = 'json' in args.value ? args.value.json : args.value.arguments
    if (!isWhole(json)) return { state: 'failed' }
    const { task, stage } = 'step' in record.value ? record.value.step : record.value.request
    return { state: 'here', args: json, task, stage, edited: edited === '' ? null : edited }
  }
  return { from: like ?? (isEdited ? `${request}-edited` : request), filled: filled() }
}

/** Arguments are an object; cut ones are a text. */
const isWhole = (args: Json): boolean => typeof args === 'object' && args !== null && !Array.isArray(args)
