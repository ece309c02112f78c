/**
 * What a composer holds beside its text: receivers, type, stage, what it replies to. Kept per task while the page lives.
 *
 * Owns: the store, its changes. Not here: the text (a draft of client/), sending (Composer.tsx).
 */
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { MessageId, RequestId } from '@/lib/mas/ids'
import type { MessageKind } from './fns/lines'

export type ComposerState = {
  /** Ids of members and role groups, in the order they were chosen; none: everyone. */
  chosen: readonly string[]
  type: MessageKind
  /** undefined: the stage that runs. */
  stage: string | null | undefined
  replyTo: MessageId | null
  /** The request picked of several; null: the oldest. */
  request: RequestId | null
  /** The chip was taken away: a plain message, the asker goes on waiting. */
  isAnswerOff: boolean
}

export const EMPTY: ComposerState = {
  chosen: [],
  type: 'fyi',
  stage: undefined,
  replyTo: null,
  request: null,
  isAnswerOff: false,
}

const composers = createStore<Record<string, ComposerState>>()(() => ({}))

export const useComposerState = (task: string): ComposerState => useStore(composers, (all) => all[task] ?? EMPTY)

export const changeComposer = (task: string, change: Partial<ComposerState>): void =>
  composers.setState((all) => ({ [task]: { ...(all[task] ?? EMPTY), ...change } }))

/** Sent: who was addressed stays out of the next message, so that nobody gets one by habit. */
export const resetComposer = (task: string): void => composers.setState({ [task]: EMPTY })
