/** Asking again: the address names a task or a message, and its text and files fill an empty draft. */
import { useEffect, useEffectEvent } from 'react'
import { type ApiResult, call } from '@/client'
import { useAnswer } from '@/client/useFetched'
import type { AgainAnswer } from '@/lib/wire'
import type { NewWork } from './newWork'

/** `?again=task.<id>` or `?again=message.<id>`. */
export type Again = { kind: 'task' | 'message'; id: string }

export function readAgain(text: string | null): Again | null {
  const found = /^(task|message)\.([0-9a-f-]{36})$/.exec(text ?? '')
  const [, kind, id = ''] = found ?? []
  return kind === 'task' || kind === 'message' ? { kind, id } : null
}
export const againHref = ({ kind, id }: Again): string => `/tasks?ask=1&again=${kind}.${id}`

/** Load what was asked, once; a draft that holds something keeps it. out: null: it is loading, or nothing is asked again */
export function useAskAgain(again: Again | null, work: NewWork): ApiResult<AgainAnswer> | null {
  const { answer } = useAnswer(fetchAsked, again && `${again.kind}.${again.id}`)
  const fillWith = useEffectEvent((asked: typeof answer): void => {
    if (asked?.ok && work.text.text.trim() === '' && work.files.length === 0) work.fill(asked.value)
  })
  // Joins the draft, which is filled when the answer is there.
  useEffect(() => fillWith(answer), [answer])
  return answer
}

/** The server reads what may have left the world long ago. */
function fetchAsked(asked: string) {
  const { kind, id } = readAgain(asked) ?? { kind: 'task', id: asked }
  return call<AgainAnswer>('POST', '/api/work/again', { [kind]: id })
}
