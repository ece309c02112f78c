/**
 * Messages on their way: kept over reloads, sent in order, each exactly once.
 *
 * A repeat carries the same id and `until`: the server knows the id, or refuses it as EXPIRED and then never did it.
 */

import * as z from 'zod/mini'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { makeIds } from '@/lib/mas/ids'
import type { CommandAnswer, CommandHead, PostMessage } from '@/lib/wire/http'
import type { CallRefused, CallResult } from './api'
import type { NamespacedStorage } from './storage'

/** What is to be sent. */
export type MessageInput = Omit<PostMessage, keyof CommandHead>

/**
 * waiting   for its turn, or for the connection
 * sending   asked, no answer yet
 * sent      the server has it; it stands in the journal as `seq`
 * failed    refused: `fault` says why. "Try again" and "Edit" are the person's
 */
export type OutboxState = 'waiting' | 'sending' | 'sent' | 'failed'
export type OutboxItem = {
  /** Made by the page; stays the same however often it is sent. */
  localId: string
  wish: MessageInput
  createdAt: number
  state: OutboxState
  fault: CallRefused | null
  seq: number | null
  dispatch: string | null
  /** Under which it was asked; null: it never was, so it can be taken back. */
  head: CommandHead | null
}
type Kept = OutboxItem & { order: number; tries: number }

export type OutboxParts = {
  keep: NamespacedStorage
  post: (body: PostMessage) => Promise<CallResult<CommandAnswer>>
  newId: () => string
  /** Until when a command that is sent now counts; server time, epoch ms. */
  until: () => number
  now: () => number
  /** The line stands. While it does not, nothing is tried: what waits can be taken back. */
  isUp: () => boolean
  /** One page at a time sends, so that two tabs keep the order. */
  alone: (run: () => Promise<void>) => Promise<void>
  later: (run: () => void, ms: number) => void
}

export type Outbox = {
  items: StoreApi<readonly OutboxItem[]>
  /** Kept first, then sent. out: its local id; null when it could not be kept (the browser's storage is full). */
  send: (wish: MessageInput) => string | null
  /** Not sent yet: take it back. out: what it was, for the composer; null when it is too late. */
  takeBack: (localId: string) => MessageInput | null
  /** Send a failed one again, as a new act. */
  retry: (localId: string) => void
  /** It is on the screen by way of the view now. */
  arrived: (task: string, have: number) => void
  /** Try to send what waits. */
  pump: () => Promise<void>
}

const RETRY_MS = 3_000
/**
 * The server remembers what became of a command for a day after its `until`. What was asked longer ago and never answered may be
 * there or not, and nobody can tell: it is not sent again by itself.
 */
const REMEMBERED_MS = 23 * 60 * 60_000
const NOBODY_KNOWS: CallRefused = { error: 'NO_ANSWER', message: '', status_code: 0 }
/** These say that the server cannot now, not that it will not. */
const PASSING: readonly string[] = ['NO_ANSWER', 'NOT_SIGNED_IN', 'TOO_MANY', 'STORE_BROKEN', 'STOPPING', 'INTERNAL']

const stored = z.looseObject({
  localId: z.string(),
  order: z.number(),
  tries: z.int(),
  createdAt: z.number(),
  state: z.enum(['waiting', 'sending', 'sent', 'failed']),
  wish: z.looseObject({ task: z.string(), text: z.string(), type: z.enum(['fyi', 'action', 'urgent']) }),
  head: z.nullable(z.object({ id: z.string(), until: z.number() })),
})

export function createOutbox(parts: OutboxParts): Outbox {
  let kept = new Map<string, Kept>()
  let pumping: Promise<void> | null = null
  let isPumpWanted = false
  const items = createStore<readonly OutboxItem[]>()(() => [])

  const inOrder = (): Kept[] => [...kept.values()].sort((a, b) => a.order - b.order || (a.localId < b.localId ? -1 : 1))
  const show = (): void => items.setState(inOrder(), true)

  /** Read anew what is kept, by other tabs too. */
  function reload(): void {
    const found = new Map<string, Kept>()
    for (const key of parts.keep.keys()) {
      const value = parts.keep.read(key)
      // Its shape was checked as far as sending goes; the rest the server checks.
      if (stored.safeParse(value).success) found.set(key, value as Kept)
    }
    // What this page saw sent is no longer kept, and stays on screen until the view brings it.
    for (const item of kept.values()) if (item.state === 'sent') found.set(item.localId, item)
    kept = found
    show()
  }

  function put(item: Kept): boolean {
    const isKept = item.state === 'sent' || parts.keep.write(item.localId, item)
    if (item.state === 'sent') parts.keep.remove(item.localId)
    kept.set(item.localId, item)
    show()
    return isKept
  }

  function drop(localId: string): void {
    parts.keep.remove(localId)
    kept.delete(localId)
    show()
  }

  const nextWaiting = (): Kept | undefined => inOrder().find(({ state }) => state === 'waiting' || state === 'sending')

  /** out: may the next one be sent? */
  async function sendOne(item: Kept): Promise<boolean> {
    // Taken back in another tab meanwhile.
    if (parts.keep.read(item.localId) === null) {
      kept.delete(item.localId)
      show()
      return true
    }
    if (item.head !== null && parts.now() > item.head.until + REMEMBERED_MS) {
      put({ ...item, head: null, tries: item.tries + 1, state: 'failed', fault: NOBODY_KNOWS })
      return true
    }
    const head = item.head ?? { id: headId(item), until: parts.until() }
    put({ ...item, state: 'sending', head, fault: null })
    const answer = await parts.post({ ...item.wish, ...head })
    if (answer.ok) {
      put({
        ...item,
        head,
        state: 'sent',
        fault: null,
        seq: answer.value.seq,
        dispatch: dispatchOf(answer.value.reply),
      })
      return true
    }
    const { fault } = answer
    if (fault.error === 'EXPIRED') {
      // It was never done under that id, and never will be: another act, at once. Was it refused as soon as it was made, then
      // our clock is behind, and would be again: after a pause the server may have told us its time.
      put({ ...item, state: 'waiting', head: null, tries: item.tries + 1, fault: null })
      return item.head !== null
    }
    if (PASSING.includes(fault.error)) {
      put({ ...item, state: 'waiting', head, fault })
      return false
    }
    put({ ...item, head: null, tries: item.tries + 1, state: 'failed', fault })
    return true
  }

  async function pumpAll(): Promise<void> {
    reload()
    for (let item = nextWaiting(); item; item = nextWaiting()) {
      // Whoever opens the line pumps.
      if (!parts.isUp()) return
      if (!(await sendOne(item))) {
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
        await parts.alone(pumpAll)
      }
    })().finally(() => {
      pumping = null
    })
    return pumping
  }

  reload()
  return {
    items,
    send: (wish) => {
      const last = inOrder().at(-1)?.order ?? 0
      const createdAt = parts.now()
      const item: Kept = {
        localId: parts.newId(),
        wish,
        createdAt,
        state: 'waiting',
        fault: null,
        seq: null,
        dispatch: null,
        order: Math.max(last + 1, createdAt),
        head: null,
        tries: 0,
      }
      if (!put(item)) {
        drop(item.localId)
        return null
      }
      void pump()
      return item.localId
    },
    takeBack: (localId) => {
      // As it is now: another tab may be sending it.
      reload()
      const item = kept.get(localId)
      // Once asked, the server may have it: only a refusal gives it back.
      if (
        !item ||
        item.state === 'sent' ||
        item.state === 'sending' ||
        (item.state === 'waiting' && item.head !== null)
      )
        return null
      drop(localId)
      return item.wish
    },
    retry: (localId) => {
      const item = kept.get(localId)
      if (item?.state !== 'failed') return
      put({ ...item, state: 'waiting', head: null, fault: null })
      void pump()
    },
    arrived: (task, have) => {
      for (const item of [...kept.values()]) {
        if (item.state === 'sent' && item.wish.task === task && item.seq !== null && item.seq <= have)
          drop(item.localId)
      }
    },
    pump,
  }
}

/** The same for two tabs that send the same item, where the browser cannot keep them apart. */
const headId = ({ localId, tries }: Kept): string => makeIds(`${localId} ${tries}`)<string>()

const dispatchOf = (reply: unknown): string | null =>
  typeof reply === 'object' && reply !== null && 'dispatch' in reply && typeof reply.dispatch === 'string'
    ? reply.dispatch
    : null
