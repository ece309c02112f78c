import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { getClientSession } from '@/client/clientSession'
import { useFixtures } from '@/client/fixtures'
import { useLastEntry, useViewStatus } from '@/client/hooks'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { MessageInput, OutboxItem } from './outboxCore'

export type { MessageInput, OutboxItem } from './outboxCore'

/** Send a message. out: its local id; null when nobody is signed in or it could not be stored: the text must stay in the box. */
export const queueMessage = (message: MessageInput): string | null => getClientSession()?.outbox.send(message) ?? null

/** Cancel one that is unsent or refused. out: its content, for the composer; null when it is too late. */
export const takeBackMessage = (localId: string): MessageInput | null =>
  getClientSession()?.outbox.takeBack(localId) ?? null

export const retryMessage = (localId: string): void => getClientSession()?.outbox.retry(localId)

/** My messages to this member alone, in any task, that the conversation does not show yet. */
export function useOutboxTo(agent: AgentId): readonly OutboxItem[] {
  const items = useStore(getClientSession()?.outbox.items ?? NO_OUTBOX)
  const view = `direct:${agent}` as const
  const { status } = useViewStatus(view)
  const have = useLastEntry(items.length > 0 ? view : null)
  return useMemo(
    () =>
      items.filter(
        ({ wish: { receivers }, state, seq }) =>
          receivers !== 'all' &&
          receivers.length === 1 &&
          receivers[0] === agent &&
          !(state === 'sent' && status === 'open' && (seq ?? 0) <= have),
      ),
    [items, agent, have, status],
  )
}

export function useFailedMessages(): readonly OutboxItem[] {
  const items = useStore(getClientSession()?.outbox.items ?? NO_OUTBOX)
  return useMemo(() => items.filter(({ state }) => state === 'failed'), [items])
}

const NO_OUTBOX = createStore<readonly OutboxItem[]>()(() => [])

/** My messages to this task that the chat does not show yet, oldest first. */
export function useOutbox(task: TaskId): readonly OutboxItem[] {
  const member = useFixtures() === null ? getClientSession() : null
  const items = useStore(member?.outbox.items ?? NO_OUTBOX)
  const view = `task:${task}` as const
  const { status } = useViewStatus(view)
  const have = useLastEntry(items.length > 0 ? view : null)
  const shown = useMemo(
    () =>
      items.filter(
        (item) => item.wish.task === task && !(item.state === 'sent' && status === 'open' && (item.seq ?? 0) <= have),
      ),
    [items, task, have, status],
  )
  useEffect(() => {
    // Joins the view to the outbox, which drops what the view shows.
    if (status === 'open' && have > 0) member?.outbox.dropShown(task, have)
  }, [member, task, have, status])
  return shown
}
