/**
 * Messages being sent: kept over reloads, sent in order, each exactly once.
 *
 * A retry carries the same id and `until`: the server either knows the id, or refuses it as EXPIRED and never did it.
 */

import * as z from 'zod/mini'
import { createStore } from 'zustand/vanilla'
import { type ApiResult, type CallRefused, noAnswer } from '@/client/api'
import type { NamespacedStorage } from '@/client/storage'
import { type AgentId, makeIds, type TaskId } from '@/lib/mas/ids'
import { MESSAGE_TYPES } from '@/lib/mas/messages/records'
import type { AttachmentAnswer, CommandAnswer, CommandHead, PostMessage } from '@/lib/wire/http'

/** A message as it was composed: records of this page by their own ids, and files with what the page shows of them. */
export type MessageInput = Omit<PostMessage, keyof CommandHead | 'receivers' | 'attachments'> & {
  task: TaskId
  receivers: AgentId[] | 'all'
  attachments?: (AttachmentAnswer & { alt?: string })[]
}

/**
 * waiting   for its turn, or for the connection
 * sending   put to the server, no answer yet
 * sent      accepted; its journal entry is `seq`
 * failed    refused, `fault` says why; the person may try again or edit it
 */
type OutboxState = 'waiting' | 'sending' | 'sent' | 'failed'
export type OutboxItem = {
  /** Made by the page; the same over all retries. */
  localId: string
  wish: MessageInput
  createdAt: number
  state: OutboxState
  fault: CallRefused | null
  seq: number | null
  /** The command's head once it was put to the server; null: it never was, so it can be taken back. */
  head: CommandHead | null
}
type StoredItem = OutboxItem & { order: number; tries: number }

type OutboxParts = {
  storage: NamespacedStorage
  post: (body: PostMessage) => Promise<ApiResult<CommandAnswer>>
  newId: () => string
  /** Deadline of a command that is sent now; server time, epoch ms. */
  until: () => number
  now: () => number
  /** While disconnected nothing is tried, so that waiting messages can be taken back. */
  isConnected: () => boolean
  /** Run while no other tab sends, so that two tabs keep the order. */
  withTabLock: (run: () => Promise<void>) => Promise<void>
  later: (run: () => void, ms: number) => void
}

const RETRY_MS = 3_000
/**
 * The server remembers a command's result for a day after its `until`. The outcome of an older one that was never answered
 * cannot be known, so it is not retried automatically.
 */
const REMEMBERED_MS = 23 * 60 * 60_000
/** Temporary faults. */
const RETRYABLE: readonly string[] = ['NO_ANSWER', 'NOT_SIGNED_IN', 'TOO_MANY', 'STORE_BROKEN', 'STOPPING', 'INTERNAL']

const storedShape = z.looseObject({
  localId: z.string(),
  order: z.number(),
  tries: z.int(),
  createdAt: z.number(),
  state: z.enum(['waiting', 'sending', 'sent', 'failed']),
  wish: z.looseObject({ task: z.string(), text: z.string(), type: z.enum(MESSAGE_TYPES) }),
  head: z.nullable(z.object({ id: z.string(), until: z.number() })),
})

/** The items of this person in the browser's storage, shown by a store, oldest first. */
function createItemStore(storage: NamespacedStorage) {
  let stored = new Map<string, StoredItem>()
  const items = createStore<readonly OutboxItem[]>()(() => [])
  const inOrder = (): StoredItem[] =>
    [...stored.values()].sort((a, b) => a.order - b.order || (a.localId < b.localId ? -1 : 1))
  const show = (): void => items.setState(inOrder(), true)
  /** Out of this page alone. */
  const forget = (localId: string): void => {
    stored.delete(localId)
    show()
  }
  return {
    items,
    inOrder,
    get: (localId: string) => stored.get(localId),
    /** Read storage again, with the items of other tabs. */
    reload: (): void => {
      const found = new Map<string, StoredItem>()
      for (const key of storage.keys()) {
        const value = storage.read(key)
        // Checked as far as sending goes; the server checks the rest.
        if (storedShape.safeParse(value).success) found.set(key, value as StoredItem)
      }
      // A sent item is no longer stored, and stays on screen until the view shows it.
      for (const item of stored.values()) if (item.state === 'sent') found.set(item.localId, item)
      stored = found
      show()
    },
    save: (item: StoredItem): boolean => {
      const isStored = item.state === 'sent' || storage.write(item.localId, item)
      if (item.state === 'sent') storage.remove(item.localId)
      stored.set(item.localId, item)
      show()
      return isStored
    },
    forget,
    drop: (localId: string): void => {
      storage.remove(localId)
      forget(localId)
    },
  }
}

type ItemStore = ReturnType<typeof createItemStore>

/** Send one item and save the result. out: may the next one be sent? */
async function sendOne(parts: OutboxParts, { save, forget }: ItemStore, item: StoredItem): Promise<boolean> {
  // Taken back in another tab meanwhile.
  if (parts.storage.read(item.localId) === null) {
    forget(item.localId)
    return true
  }
  const fail = (fault: CallRefused): true => {
    save({ ...item, head: null, tries: item.tries + 1, state: 'failed', fault })
    return true
  }
  if (item.head !== null && parts.now() > item.head.until + REMEMBERED_MS) return fail(noAnswer(''))
  const head = item.head ?? { id: headId(item), until: parts.until() }
  save({ ...item, state: 'sending', head, fault: null })
  const answer = await parts.post({ ...item.wish, ...head })
  if (answer.ok) {
    save({ ...item, head, state: 'sent', fault: null, seq: answer.value.seq })
    return true
  }
  const { fault } = answer
  if (fault.error === 'EXPIRED') {
    // Never done under that id, so a new command is sent at once. If a new one expired, this page's clock is behind: retry
    // after a pause, when the server may have sent its time.
    save({ ...item, state: 'waiting', head: null, tries: item.tries + 1, fault: null })
    return item.head !== null
  }
  if (!RETRYABLE.includes(fault.error)) return fail(fault)
  save({ ...item, state: 'waiting', head, fault })
  return false
}

export function createOutbox(parts: OutboxParts) {
  const store = createItemStore(parts.storage)
  const { items, inOrder, get, reload, save, drop } = store
  let pumping: Promise<void> | null = null
  let isPumpWanted = false

  const nextWaiting = (): StoredItem | undefined =>
    inOrder().find(({ state }) => state === 'waiting' || state === 'sending')

  async function pumpAll(): Promise<void> {
    reload()
    for (let item = nextWaiting(); item; item = nextWaiting()) {
      // The next connection pumps again.
      if (!parts.isConnected()) return
      if (!(await sendOne(parts, store, item))) {
        parts.later(() => void pump(), RETRY_MS)
        return
      }
    }
  }

  function pump(): Promise<void> {
    isPumpWanted = true
    pumping ??= (async () => {
      while (isPumpWanted) {
        isPumpWanted = false
        await parts.withTabLock(pumpAll)
      }
    })().finally(() => {
      pumping = null
    })
    return pumping
  }

  reload()
  return {
    items,
    /** Store it, then send it. out: its local id; null when it could not be stored (the browser's storage is full). */
    send: (message: MessageInput): string | null => {
      const createdAt = parts.now()
      const localId = parts.newId()
      const order = Math.max((inOrder().at(-1)?.order ?? 0) + 1, createdAt)
      const unsent = { state: 'waiting', fault: null, seq: null, head: null, tries: 0 } as const
      if (!save({ localId, wish: message, createdAt, order, ...unsent })) {
        drop(localId)
        return null
      }
      void pump()
      return localId
    },
    /** Cancel one that is not sent yet. out: its content, for the composer; null when it is too late. */
    takeBack: (localId: string): MessageInput | null => {
      // Another tab may be sending it.
      reload()
      const item = get(localId)
      // The server may have what was put to it: only a refused item can be taken back then.
      const isUnsent = item?.state === 'failed' || (item?.state === 'waiting' && item.head === null)
      if (!isUnsent) return null
      drop(localId)
      return item.wish
    },
    retry: (localId: string): void => {
      const item = get(localId)
      if (item?.state !== 'failed') return
      save({ ...item, state: 'waiting', head: null, fault: null })
      void pump()
    },
    /** The task's view holds entries up to `have` now: items that it shows are dropped. */
    dropShown: (task: string, have: number): void => {
      for (const { localId, state, wish, seq } of inOrder()) {
        if (state === 'sent' && wish.task === task && seq !== null && seq <= have) drop(localId)
      }
    },
    pump,
  }
}

export type Outbox = ReturnType<typeof createOutbox>

/** Equal for two tabs that send the same item, where the browser has no locks. */
const headId = ({ localId, tries }: StoredItem): string => makeIds(`${localId} ${tries}`)<string>()
