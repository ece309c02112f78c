/** Messages of a conversation with a member that have left the live world, fetched page by page on demand. */
import { useState } from 'react'
import { call } from '@/client'
import type { AgentId } from '@/lib/mas/ids'
import type { PastMessagesPage } from '@/lib/wire'
import type { RecordRow } from '@/lib/wire/records'

export type ArchivedTalk = {
  /** The records of each page, the newest first. */
  pages: readonly (readonly RecordRow[])[]
  /** failed: the server was away or refused; all: there are no more */
  state: 'idle' | 'looking' | 'failed' | 'all'
  look: () => void
}

const hasMessages = (rows: readonly RecordRow[]): boolean => rows.some(({ of }) => of === 'message')

export function useArchivedTalk(agent: AgentId): ArchivedTalk {
  const [pages, setPages] = useState<readonly (readonly RecordRow[])[]>([])
  const [state, setState] = useState<ArchivedTalk['state']>('idle')
  const [next, setNext] = useState<number | null>(null)

  /** Fetches pages until one has messages, or there are no more: most entries of a page may still be live. */
  async function lookFrom(before: number | null): Promise<void> {
    const path = `/api/direct/${encodeURIComponent(agent)}/left${before === null ? '' : `?before=${before}`}`
    const answer = await call<PastMessagesPage>('GET', path)
    if (!answer.ok) return setState('failed')
    const { rows, next: after } = answer.value
    if (!hasMessages(rows) && after !== null) return lookFrom(after)
    setPages((have) => [...have, rows])
    setNext(after)
    setState(after === null ? 'all' : 'idle')
  }

  return {
    pages,
    state,
    look: () => {
      setState('looking')
      void lookFrom(next)
    },
  }
}
