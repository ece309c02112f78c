/** Asking again: the address names a task or a message, and its text and files fill an empty draft. */
import { useEffect, useEffectEvent } from 'react'
import { call } from '@/client'
import { type ApiQuery, useApiQuery } from '@/client/queries'
import type { AgainAnswer } from '@/lib/wire'
import type { NewWork } from './newWork'

const AGAIN = '/api/work/again'

/** `?again=task.<id>` or `?again=message.<id>`. */
export type Again = { kind: 'task' | 'message'; id: string }

export function readAgain(text: string | null): Again | null {
  const found = /^(task|message)\.([0-9a-f-]{36})$/.exec(text ?? '')
  const [, kind, id = ''] = found ?? []
  return kind === 'task' || kind === 'message' ? { kind, id } : null
}
export const againHref = ({ kind, id }: Again): string => `/tasks?ask=1&again=${kind}.${id}`

/** Load what was asked, once; a draft that holds something keeps it. */
export function useAskAgain(again: Again | null, work: NewWork): ApiQuery<AgainAnswer> {
  const query = useApiQuery<AgainAnswer>(again && `${AGAIN}/${again.kind}.${again.id}`, { ask: fetchAsked })
  const { data } = query
  const fillWith = useEffectEvent((asked: typeof data): void => {
    if (asked && work.text.text.trim() === '' && work.files.length === 0) work.fill(asked)
  })
  // Joins the draft, which is filled when the answer is there.
  useEffect(() => fillWith(data), [data])
  return query
}

/** The server reads what may have left the world long ago. */
function fetchAsked(path: string) {
  const asked = path.slice(AGAIN.length + 1)
  const { kind, id } = readAgain(asked) ?? { kind: 'task', id: asked }
  return call<AgainAnswer>('POST', AGAIN, { [kind]: id })
}
