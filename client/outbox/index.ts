import { useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { getClientSession } from '@/client/clientSession'
import { useFixtures } from '@/client/fixtures'
import { useLastEntry, useViewStatus } from '@/client/hooks'
import { useIsThen } from '@/client/moment'
import type { TaskId } from '@/lib/mas/ids'
import type { MessageInput, OutboxItem } from './outboxCore'

export type { MessageInput, OutboxItem } from './outboxCore'

/** Send a message. out: its local id; null when nobody is signed in or it could not be stored: the text must stay in the box. */
export const queueMessage = (message: MessageInput): string | null => getClientSession()?.outbox.send(message) ?? null

/** Cancel one that is unsent or refused. out: its content, for the composer; null when it is too late. */
export const takeBackMessage = (localId: string): MessageInput | null =>
  getClientSession()?.outbox.takeBack(localId) ?? null

export const retryMessage = (localId: string): void => getClientSession()?.outbox.retry(localId)

/** The last entry that the view shows; -1: it is not open. */
function useShownUpTo(view: `task:${TaskId}`, hasItems: boolean): number {
  const { status } = useViewStatus(view)
  const have = useLastEntry(hasItems ? view : null)
  return status === 'open' ? have : -1
}

const isUnshown = ({ state, seq }: OutboxItem, upTo: number): boolean => state !== 'sent' || (seq ?? 0) > upTo

export function useFailedMessages(): readonly OutboxItem[] {
  const items = useStore(getClientSession()?.outbox.items ?? NO_OUTBOX)
  return useMemo(() => items.filter(({ state }) => state === 'failed'), [items])
}

const NO_ITEMS: readonly OutboxItem[] = []
const NO_OUTBOX = createStore<readonly OutboxItem[]>()(() => [])

/** My messages to this task that the chat does not show yet, oldest first; none at a moment. */
export function useOutbox(task: TaskId): readonly OutboxItem[] {
  const member = useFixtures() === null ? getClientSession() : null
  const items = useStore(member?.outbox.items ?? NO_OUTBOX)
  const isThen = useIsThen(`task:${task}`)
  const upTo = useShownUpTo(`task:${task}`, items.length > 0)
  useEffect(() => {
    // Joins the view to the outbox, which drops what the view shows.
    if (upTo > 0 && !isThen) member?.outbox.dropShown(task, upTo)
  }, [member, task, upTo, isThen])
  return isThen ? NO_ITEMS : items.filter((item) => item.wish.task === task && isUnshown(item, upTo))
}
