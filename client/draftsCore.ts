/**
 * Texts that are written and not sent, the same on all of a member's devices.
 *
 * Owns: keeping a text here and at the server, and what becomes of two that were written apart: the newest wins, the other
 * is offered.
 * Not here: the page's own drafts and their hook (drafts.ts).
 */

import * as z from 'zod/mini'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Draft, PutDraft } from '@/lib/wire/http'
import type { Answer } from './api'
import type { Keep } from './keep'

/** `other`: written elsewhere meanwhile; null when there is none. */
export type DraftState = { text: string; other: string | null; isSaved: boolean }

type Kept = { text: string; version: number | null; isDirty: boolean; at: number; other: string | null }

export type DraftsParts = {
  keep: Keep
  get: (key: string) => Promise<Answer<Draft>>
  put: (key: string, body: PutDraft) => Promise<Answer<Draft>>
  dropOther: (key: string) => Promise<Answer<Draft>>
  /** Call after that many ms. out: do not. */
  later: (run: () => void, ms: number) => () => void
  now: () => number
}

export type DraftHandle = {
  state: StoreApi<DraftState>
  setText: (text: string) => void
  /** Sent or thrown away. */
  clear: () => void
  /** Take the other text; mine becomes the other. */
  restoreOther: () => void
  dropOther: () => void
}

export type Drafts = {
  open: (key: string) => DraftHandle
  /** Save what is not saved: the line is back. */
  flush: () => void
}

/** Saved this long after the last key press. */
export const SAVE_AFTER_MS = 300

const storedShape = z.object({
  text: z.string(),
  version: z.nullable(z.int()),
  isDirty: z.boolean(),
  at: z.number(),
  other: z.nullable(z.string()),
})
const NONE: Kept = { text: '', version: null, isDirty: false, at: 0, other: null }

export function createDrafts(parts: DraftsParts): Drafts {
  const open = new Map<string, { handle: DraftHandle; save: () => Promise<void>; isDirty: () => boolean }>()

  function make(key: string) {
    const read = storedShape.safeParse(parts.keep.read(key))
    let kept: Kept = read.success ? read.data : NONE
    let stopTimer: (() => void) | null = null
    let saving: Promise<void> | null = null
    const stateOf = ({ text, other, isDirty }: Kept): DraftState => ({ text, other, isSaved: !isDirty })
    const state = createStore<DraftState>()(() => stateOf(kept))

    function set(change: Partial<Kept>): void {
      kept = { ...kept, ...change }
      if (kept.text === '' && kept.version === null && kept.other === null && !kept.isDirty) parts.keep.remove(key)
      else parts.keep.write(key, kept)
      const next = stateOf(kept)
      const old = state.getState()
      if (old.text !== next.text || old.other !== next.other || old.isSaved !== next.isSaved) state.setState(next, true)
    }

    /** What the server has, when there was nothing of mine to save or it is what I sent. */
    function take(draft: Draft, mine: string | null): void {
      const other =
        draft.other !== null && draft.other !== draft.text && draft.other !== kept.text ? draft.other : kept.other
      if (mine === null) set({ text: draft.text, version: draft.version, isDirty: false, at: draft.at, other })
      // Written on since it was sent: still to be saved.
      else set({ version: draft.version, isDirty: kept.text !== mine, other })
    }

    async function saveOnce(): Promise<void> {
      for (let tries = 0; kept.isDirty && tries < 5; tries++) {
        const mine = kept.text
        const answer = await parts.put(key, { text: mine, version: kept.version })
        if (!answer.ok) return
        const draft = answer.value
        if (draft.text === mine) take(draft, mine)
        // Somebody (I, elsewhere) wrote meanwhile: mine is newer and goes over it, theirs is offered.
        else set({ version: draft.version, other: draft.text === '' ? kept.other : draft.text })
      }
    }

    const save = (): Promise<void> => {
      saving ??= saveOnce().finally(() => {
        saving = null
      })
      return saving
    }

    function write(text: string): void {
      // The page may be closed within the 300 ms; what is on screen is kept at once, only the server waits.
      set({ text, isDirty: true, at: parts.now() })
      stopTimer?.()
      stopTimer = parts.later(() => {
        stopTimer = null
        void save().then(() => (kept.isDirty ? save() : undefined))
      }, SAVE_AFTER_MS)
    }

    void parts.get(key).then((answer) => {
      if (!answer.ok) return
      const draft = answer.value
      if (!kept.isDirty) take(draft, null)
      else if (draft.version !== kept.version && draft.text !== '' && draft.text !== kept.text) {
        // Written here without a line, and elsewhere too: the newer one stays in the box.
        if (draft.at > kept.at) set({ text: draft.text, other: kept.text, version: draft.version, isDirty: false })
        else set({ other: draft.text, version: draft.version })
      }
      if (kept.isDirty) void save()
    })

    const handle: DraftHandle = {
      state,
      setText: write,
      clear: () => write(''),
      restoreOther: () => {
        const { other, text } = kept
        if (other === null) return
        set({ other: text === '' ? null : text })
        write(other)
      },
      dropOther: () => {
        set({ other: null })
        void parts.dropOther(key)
      },
    }
    return { handle, save, isDirty: () => kept.isDirty }
  }

  return {
    open: (key) => {
      const known = open.get(key) ?? make(key)
      open.set(key, known)
      return known.handle
    },
    flush: () => {
      for (const { save, isDirty } of open.values()) if (isDirty()) void save()
    },
  }
}
