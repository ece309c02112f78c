/**
 * What is written and not sent, the same on all of a member's devices and tabs.
 *
 * Of two that were written apart each page keeps its own in the box and offers the other. Whoever saw the one and wrote
 * on has no other: then every page shows what was written last. Who saw what stands in the draft itself: it names what
 * it set aside.
 */

import * as z from 'zod/mini'
import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  type AttachedDraft,
  besideWith,
  isBlank,
  isSameWritten,
  isWritten,
  NOTHING_WRITTEN,
  type WrittenText,
} from '@/lib/wire/drafts'
import type { DraftAnswer, PutDraft } from '@/lib/wire/http'
import type { CallResult } from './api'
import { createDraftMarks, type DraftMarks } from './draftMarks'
import type { NamespacedStorage } from './storage'

/** `other`: written elsewhere meanwhile; null when there is none. */
export type DraftState = WrittenText & { other: string | null; isSaved: boolean }

/** `sent`: given to the server and not answered: it may have them, and they are no other's. */
type Kept = WrittenText & {
  version: number | null
  isDirty: boolean
  at: number
  other: WrittenText | null
  sent: readonly WrittenText[]
}

/** Another page of this member saved a draft. version null: none is left. */
export type DraftNote = { key: string; version: number | null; isWritten: boolean }

export type DraftsParts = {
  keep: NamespacedStorage
  get: (key: string) => Promise<CallResult<DraftAnswer>>
  put: (key: string, body: PutDraft) => Promise<CallResult<DraftAnswer>>
  list: () => Promise<CallResult<{ drafts: { key: string; isWritten: boolean }[] }>>
  /** Call after that many ms. out: do not. */
  later: (run: () => void, ms: number) => () => void
  now: () => number
}

export type DraftHandle = {
  state: StoreApi<DraftState>
  setText: (text: string) => void
  /** What was chosen beside the text; null takes a name away. */
  setMore: (change: AttachedDraft) => void
  /** Both at once, in place of what is there. */
  put: (written: WrittenText) => void
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
  /** The server's word that another page saved one. */
  heard: (note: DraftNote) => void
  /** Another tab of this browser kept one. */
  keptElsewhere: (key: string) => void
  /** Where something is written and not sent. */
  marks: DraftMarks
}

/** Saved this long after the last key press. */
export const SAVE_AFTER_MS = 300
const MOST_TRIES = 5
/** Of more that were not answered the first ones are known and the last: one of those arrived before the line or the tab was gone. */
const MOST_SENT = 4

const beside = z.record(z.string(), z.unknown())
const writtenShape = z.object({ text: z.string(), more: beside })
const storedShape = z.object({
  text: z.string(),
  // Kept by an earlier version: a text alone.
  more: z.optional(beside),
  version: z.nullable(z.int()),
  isDirty: z.boolean(),
  at: z.number(),
  other: z.nullable(z.union([z.string(), writtenShape])),
  sent: z.optional(z.array(writtenShape)),
})
const NONE: Kept = { ...NOTHING_WRITTEN, version: null, isDirty: false, at: 0, other: null, sent: [] }

function readKept(value: unknown): Kept {
  const read = storedShape.safeParse(value)
  if (!read.success) return NONE
  const { other, ...rest } = read.data
  return { ...NONE, ...rest, other: typeof other === 'string' ? { ...NOTHING_WRITTEN, text: other } : other }
}

const ofServer = (draft: DraftAnswer): WrittenText => ({ text: draft.text, more: draft.more ?? {} })
const otherOfServer = (draft: DraftAnswer): WrittenText | null =>
  draft.other === null ? null : { text: draft.other, more: draft.otherMore ?? {} }
const isAside = (mine: WrittenText, other: WrittenText | null): boolean =>
  other !== null && isWritten(mine) && isSameWritten(other, mine)
const isOneOf = (all: readonly WrittenText[], one: WrittenText): boolean => all.some((each) => isSameWritten(each, one))

type Open = {
  handle: DraftHandle
  save: () => Promise<void>
  isDirty: () => boolean
  /** Look what the server has. */
  refresh: () => Promise<void>
  lookAround: () => void
  version: () => number | null
  isBusy: () => boolean
}

export function createDrafts(parts: DraftsParts): Drafts {
  const open = new Map<string, Open>()
  let wasFlushed = false
  const marks = createDraftMarks({
    list: parts.list,
    keptHere: () => parts.keep.keys().filter((key) => isWritten(readKept(parts.keep.read(key)))),
    isOurs: (key) => open.has(key) || readKept(parts.keep.read(key)).isDirty,
  })

  function make(key: string): Open {
    let kept = readKept(parts.keep.read(key))
    /** What this page last saw kept in this browser; other tabs keep theirs in the same place. */
    let seen = JSON.stringify(parts.keep.read(key))
    let stopTimer: (() => void) | null = null
    let saving: Promise<void> | null = null
    const stateOf = ({ text, more, other, isDirty }: Kept): DraftState => ({
      text,
      more,
      other: other?.text ?? null,
      isSaved: !isDirty,
    })
    const state = createStore<DraftState>()(() => stateOf(kept))

    function show(next: Kept): void {
      const before = kept
      kept = next
      marks.tell(key, isWritten(kept))
      const isOld = isSameWritten(before, kept) && before.other === kept.other && before.isDirty === kept.isDirty
      if (!isOld) state.setState(stateOf(kept), true)
    }

    function set(change: Partial<Kept>): void {
      const next = { ...kept, ...change }
      if (isBlank(next) && next.version === null && next.other === null && !next.isDirty) parts.keep.remove(key)
      else parts.keep.write(key, next)
      seen = JSON.stringify(parts.keep.read(key))
      show(next)
    }

    /** What another tab has kept since this one last looked; null: nothing. */
    function ofOtherTab(): Kept | null {
      const now = parts.keep.read(key)
      const raw = JSON.stringify(now)
      if (raw === seen) return null
      seen = raw
      return readKept(now)
    }

    /** Somebody (I, elsewhere) wrote `theirs`. Mine stays in its box if they set it aside. */
    function meet(theirs: Omit<Kept, 'at' | 'sent'>): Kept {
      const { text, more, other, version, isDirty } = theirs
      if (!isSameWritten(theirs, kept) && isAside(kept, other))
        return { ...kept, version, isDirty: false, other: isWritten(theirs) ? { text, more } : null }
      return { ...kept, text, more, version, isDirty, other }
    }

    async function saveOnce(): Promise<void> {
      for (let tries = 0; kept.isDirty && tries < MOST_TRIES; tries++) {
        const mine = kept
        const { text, more, other, sent } = mine
        // Kept before it goes: whoever opens the page anew knows it from what somebody else wrote.
        set({ sent: [...sent.slice(0, MOST_SENT - 1), { text, more }] })
        const answer = await parts.put(key, { text, more, version: mine.version, other })
        if (!answer.ok) return
        const theirs = ofServer(answer.value)
        set({ version: answer.value.version, sent: [] })
        if (isSameWritten(theirs, mine)) {
          // Written on since it was sent: still to be saved.
          set({ isDirty: !isSameWritten(kept, mine) || kept.other !== mine.other })
        }
        // I wrote elsewhere meanwhile: what is written here is newer and goes over it, that is offered. So not an earlier one of
        // this page, whose answer never came.
        else if (isWritten(theirs) && !isOneOf(sent, theirs)) set({ other: theirs })
      }
    }

    const save = (): Promise<void> => {
      saving ??= saveOnce().finally(() => {
        saving = null
      })
      return saving
    }

    function saveSoon(): void {
      stopTimer?.()
      stopTimer = parts.later(() => {
        stopTimer = null
        void save().then(() => (kept.isDirty ? save() : undefined))
      }, SAVE_AFTER_MS)
    }

    function write(written: WrittenText): void {
      // Kept by another tab and never seen in this one: it must not be lost under what is written here.
      const theirs = ofOtherTab()
      const isUnseen = theirs !== null && isWritten(theirs) && !isSameWritten(theirs, kept)
      const aside =
        isUnseen && !isSameWritten(theirs, written) ? { other: { text: theirs.text, more: theirs.more } } : {}
      // The page may be closed within the 300 ms; what is on screen is kept at once, only the server waits.
      set({ ...written, ...aside, isDirty: true, at: parts.now() })
      saveSoon()
    }

    async function refresh(): Promise<void> {
      const answer = await parts.get(key)
      if (!answer.ok) return
      const draft = answer.value
      const theirs = ofServer(draft)
      if (!kept.isDirty) {
        const met = meet({ ...theirs, other: otherOfServer(draft), version: draft.version, isDirty: false })
        set({ ...met, at: Math.max(kept.at, draft.at) })
      } else if (isOneOf(kept.sent, theirs)) set({ version: draft.version, sent: [] })
      else if (draft.version !== kept.version && isWritten(theirs) && !isSameWritten(theirs, kept)) {
        // Written here without a line, and elsewhere too: the newer one stays in the box.
        const mine = { text: kept.text, more: kept.more }
        if (draft.at > kept.at) set({ ...theirs, other: isWritten(mine) ? mine : null, version: draft.version })
        else set({ other: theirs, version: draft.version })
      }
      if (kept.isDirty) await save()
    }
    void refresh()

    const handle: DraftHandle = {
      state,
      setText: (text) => write({ text, more: kept.more }),
      setMore: (change) => write({ text: kept.text, more: besideWith(kept.more, change) }),
      put: write,
      clear: () => {
        if (!isBlank(kept)) write(NOTHING_WRITTEN)
      },
      restoreOther: () => {
        const { other, text, more } = kept
        if (other === null) return
        set({ other: isWritten({ text, more }) ? { text, more } : null })
        write(other)
      },
      dropOther: () => {
        set({ other: null, isDirty: true })
        saveSoon()
      },
    }
    return {
      handle,
      save,
      refresh,
      isDirty: () => kept.isDirty,
      version: () => kept.version,
      isBusy: () => saving !== null || stopTimer !== null,
      lookAround: () => {
        const theirs = ofOtherTab()
        // Not kept again, and saved here only if the other tab cannot: it has kept and saves it.
        if (theirs) show(meet(theirs))
      },
    }
  }

  return {
    open: (key) => {
      const known = open.get(key) ?? make(key)
      open.set(key, known)
      return known.handle
    },
    flush: () => {
      for (const { save, isDirty, lookAround, refresh } of open.values()) {
        lookAround()
        if (isDirty()) void save()
        // What other devices saved while there was no line was not heard here.
        else if (wasFlushed) void refresh()
      }
      wasFlushed = true
      marks.ask()
    },
    heard: (note) => {
      const known = open.get(note.key)
      if (known === undefined) marks.tell(note.key, note.isWritten)
      // My own word comes back too; what is on its way finds out by itself.
      else if (!known.isBusy() && !known.isDirty() && known.version() !== note.version) void known.refresh()
    },
    keptElsewhere: (key) => {
      const known = open.get(key)
      if (known) known.lookAround()
      else marks.tell(key, isWritten(readKept(parts.keep.read(key))))
    },
    marks,
  }
}
