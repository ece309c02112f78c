/**
 * The arguments of an earlier call: `?like=<step>` or `?request=<request>` in the address, with `&edited` as
 * they were edited in its confirmation.
 */
import { useEffect, useState } from 'react'
import { call, useDraft } from '@/client'
import { useSearchParam } from '@/client/nav'
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
  const from = like ?? (isEdited ? `${request}-edited` : request)
  const [came, setCame] = useState<{ from: string | null; filled: Filled }>({ from: null, filled: { state: 'none' } })
  useEffect(() => {
    // Joins the server: the arguments of a call are a body of their own.
    if (from === null) return
    let isWanted = true
    void (like !== null ? ofStep(like) : ofRequest(request ?? '')).then((filled) => {
      if (isWanted) setCame({ from, filled })
    })
    return () => {
      isWanted = false
    }
  }, [from, like, request])
  const filled: Filled = from === null ? { state: 'none' } : came.from === from ? came.filled : { state: 'asking' }
  return { from, filled: filled.state === 'here' && edited !== '' ? { ...filled, edited } : filled }
}

async function ofStep(id: string): Promise<Filled> {
  const path = `/api/steps/${encodeURIComponent(id)}`
  const [step, tool] = await Promise.all([call<StepAnswer>('GET', path), call<ToolAnswer>('GET', `${path}/tool`)])
  if (!step.ok || !tool.ok || !isWhole(tool.value.arguments)) return { state: 'failed' }
  return {
    state: 'here',
    args: tool.value.arguments,
    task: step.value.step.task,
    stage: step.value.step.stage,
    edited: null,
  }
}

async function ofRequest(id: string): Promise<Filled> {
  const path = `/api/requests/${encodeURIComponent(id)}`
  const [request, args] = await Promise.all([
    call<RequestAnswerBody>('GET', path),
    call<ArgumentsAnswer>('GET', `${path}/arguments`),
  ])
  if (!request.ok || !args.ok || !isWhole(args.value.json)) return { state: 'failed' }
  const { task, stage } = request.value.request
  return { state: 'here', args: args.value.json, task, stage, edited: null }
}

/** Arguments are an object; cut ones are a text. */
const isWhole = (args: Json): boolean => typeof args === 'object' && args !== null && !Array.isArray(args)
