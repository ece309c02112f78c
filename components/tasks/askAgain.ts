/** Asking again: the address names a task or a message, and its text and files fill an empty draft. */
import { useEffect, useRef, useState } from 'react'
import { call } from '@/client'
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

export type AskedBeforeState =
  | { state: 'loading' }
  | { state: 'loaded'; name: string | null }
  | { state: 'broken'; reason: string }

/** Load what was asked, once; a draft that holds something keeps it. null: nothing is asked again. */
export function useAskAgain(again: Again | null, work: NewWork): AskedBeforeState | null {
  const [found, setFound] = useState<{ id: string; state: AskedBeforeState } | null>(null)
  const id = again?.id ?? null
  const kind = again?.kind ?? null
  const latest = useRef(work)
  latest.current = work
  // Joins the server, which reads what may have left the world long ago.
  useEffect(() => {
    if (id === null || kind === null) return
    let isWanted = true
    setFound({ id, state: { state: 'loading' } })
    void call<AgainAnswer>('POST', '/api/work/again', kind === 'task' ? { task: id } : { message: id }).then((came) => {
      if (!isWanted) return
      if (!came.ok) return setFound({ id, state: { state: 'broken', reason: came.fault.message } })
      const { text, files } = latest.current
      if (text.text.trim() === '' && files.length === 0) latest.current.fill(came.value)
      setFound({ id, state: { state: 'loaded', name: came.value.name } })
    })
    return () => {
      isWanted = false
    }
  }, [id, kind])
  return id !== null && found?.id === id ? found.state : null
}
