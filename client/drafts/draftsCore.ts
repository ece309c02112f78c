/**
 * Unsent texts, synchronised over all devices and tabs of a person.
 *
 * When two devices wrote without seeing each other's text, each page keeps its own text in the box and offers the other
 * one. When a device saw the other text and continued it, there is no conflict: every page shows the newest text. The
 * draft itself records which text it set aside (`other`), so each page can tell the two cases apart.
 */

import * as z from 'zod/mini'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ApiResult } from '@/client/api'
import type { NamespacedStorage } from '@/client/storage'
import type { FaultBody } from '@/lib/faults'
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

/** `other`: a conflicting text of another device or tab; null: none. */
export type DraftState = WrittenText & {
  other: string | null
  /** Why the server did not save it; it is kept in this browser. Absent: it did, or has not answered yet. */
  refused?: FaultBody | undefined
}

/** `sent`: texts put to the server without an answer yet. The server may have them, so they are no conflict when they come back. */
type StoredDraft = WrittenText & {
  version: number | null
  isDirty: boolean
  at: number
  other: WrittenText | null
  sent: readonly WrittenText[]
}

/** Another page of this person saved a draft. version null: it was deleted. */
type DraftNote = { key: string; version: number | null; isWritten: boolean }

type DraftsParts = {
  storage: NamespacedStorage
  get: (key: string) => Promise<ApiResult<DraftAnswer>>
  put: (key: string, body: PutDraft) => Promise<ApiResult<DraftAnswer>>
  list: () => Promise<ApiResult<{ drafts: { key: string; isWritten: boolean }[] }>>
  later: (run: () => void, ms: number) => () => void
  now: () => number
}

export type DraftHandle = {
  state: StoreApi<DraftState>
  setText: (text: string) => void
  /** Change what is attached to the text; null removes a name. */
  setMore: (change: AttachedDraft) => void
  put: (written: WrittenText) => void
  /** Sent or thrown away. */
  clear: () => void
  restoreOther: () => void
  dropOther: () => void
}

/** Delay from the last change until the save. */
const SAVE_AFTER_MS = 300
const MOST_TRIES = 5
/** Of more unanswered texts the first ones and the last are kept: one of them reached the server before connection or tab died. */
const MOST_SENT = 4

const attachedShape = z.record(z.string(), z.unknown())
const writtenShape = z.object({ text: z.string(), more: attachedShape })
const storedShape = z.object({
  text: z.string(),
  more: attachedShape,
  version: z.nullable(z.int()),
  isDirty: z.boolean(),
  at: z.number(),
  other: z.nullable(writtenShape),
  sent: z.array(writtenShape),
})
const EMPTY_DRAFT: StoredDraft = { ...NOTHING_WRITTEN, version: null, isDirty: false, at: 0, other: null, sent: [] }

function readStoredDraft(value: unknown): StoredDraft {
  const read = storedShape.safeParse(value)
  return read.success ? read.data : EMPTY_DRAFT
}

const writtenOf = (draft: DraftAnswer): WrittenText => ({ text: draft.text, more: draft.more ?? {} })
const otherOf = (draft: DraftAnswer): WrittenText | null =>
  draft.other === null ? null : { text: draft.other, more: draft.otherMore ?? {} }
const isSetAside = (mine: WrittenText, other: WrittenText | null): boolean =>
  other !== null && isWritten(mine) && isSameWritten(other, mine)
const includesWritten = (all: readonly WrittenText[], one: WrittenText): boolean =>
  all.some((each) => isSameWritten(each, one))

type Mark = (key: string, isWritten: boolean) => void

function createLocalDraft(key: string, storage: NamespacedStorage, mark: Mark) {
  let draft = readStoredDraft(storage.read(key))
  /** The stored text that this page saw last; other tabs write to the same key. */
  let lastStored = JSON.stringify(storage.read(key))
  let refused: FaultBody | undefined
  const stateOf = ({ text, more, other }: StoredDraft): DraftState => ({
    text,
    more,
    other: other?.text ?? null,
    refused,
  })
  const state = createStore<DraftState>()(() => stateOf(draft))

  function show(next: StoredDraft): void {
    const before = draft
    draft = next
    mark(key, isWritten(draft))
    const isSame = isSameWritten(before, draft) && before.other === draft.other
    if (!isSame) state.setState(stateOf(draft), true)
  }

  return {
    state,
    current: () => draft,
    show,
    set: (change: Partial<StoredDraft>): void => {
      const next = { ...draft, ...change }
      if (isBlank(next) && next.version === null && next.other === null && !next.isDirty) storage.remove(key)
      else storage.write(key, next)
      lastStored = JSON.stringify(storage.read(key))
      show(next)
    },
    /** The last answer to a save; undefined: it was saved. */
    refuse: (fault: FaultBody | undefined): void => {
      if (fault?.message === refused?.message) return
      refused = fault
      state.setState(stateOf(draft), true)
    },
    /** What another tab stored since the last look; null: nothing. */
    changeOfOtherTab: (): StoredDraft | null => {
      const stored = storage.read(key)
      const text = JSON.stringify(stored)
      if (text === lastStored) return null
      lastStored = text
      return readStoredDraft(stored)
    },
  }
}

/** `mine` after another device or tab wrote `theirs`. My text stays in the box if they set it aside. */
function mergeRemote(mine: StoredDraft, theirs: Omit<StoredDraft, 'at' | 'sent'>): StoredDraft {
  const { text, more, other, version, isDirty } = theirs
  if (!isSameWritten(theirs, mine) && isSetAside(mine, other))
    return { ...mine, version, isDirty: false, other: isWritten(theirs) ? { text, more } : null }
  return { ...mine, text, more, version, isDirty, other }
}

/** What changes in `mine` when the server has this version; null: nothing. */
function mergeServer(mine: StoredDraft, server: DraftAnswer): Partial<StoredDraft> | null {
  const { at, version } = server
  const theirs = writtenOf(server)
  if (!mine.isDirty) {
    const merged = mergeRemote(mine, { ...theirs, other: otherOf(server), version, isDirty: false })
    return { ...merged, at: Math.max(mine.at, at) }
  }
  if (includesWritten(mine.sent, theirs)) return { version, sent: [] }
  if (version === mine.version || !isWritten(theirs) || isSameWritten(theirs, mine)) return null
  // Written here while offline, and on another device too: the newer text stays in the box.
  if (at <= mine.at) return { other: theirs, version }
  return { ...theirs, other: isWritten(mine) ? { text: mine.text, more: mine.more } : null, version }
}

function openDraft(key: string, parts: DraftsParts, mark: Mark) {
  const local = createLocalDraft(key, parts.storage, mark)
  const { current, set } = local
  let stopTimer: (() => void) | null = null
  let saving: Promise<void> | null = null

  async function saveOnce(): Promise<void> {
    for (let tries = 0; current().isDirty && tries < MOST_TRIES; tries++) {
      const mine = current()
      const { text, more, other, sent } = mine
      // Stored before it is sent, so that a reloaded page does not take its own text for a conflict.
      set({ sent: [...sent.slice(0, MOST_SENT - 1), { text, more }] })
      const answer = await parts.put(key, { text, more, version: mine.version, other })
      if (!answer.ok) {
        if (answer.fault.error !== 'NO_ANSWER' && answer.fault.status_code < 500) local.refuse(answer.fault)
        return
      }
      local.refuse(undefined)
      const theirs = writtenOf(answer.value)
      set({ version: answer.value.version, sent: [] })
      // What was written since it was sent is still to be saved.
      if (isSameWritten(theirs, mine))
        set({ isDirty: !isSameWritten(current(), mine) || current().other !== mine.other })
      // Another device saved first: the text here is newer and stays, theirs is offered. An earlier text of this page, whose
      // answer was lost, is no conflict.
      else if (isWritten(theirs) && !includesWritten(sent, theirs)) set({ other: theirs })
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
      void save().then(() => (current().isDirty ? save() : undefined))
    }, SAVE_AFTER_MS)
  }

  function write(written: WrittenText): void {
    // A text that another tab stored and this one never showed must not be overwritten: it is set aside.
    const theirs = local.changeOfOtherTab()
    const isUnseen = theirs !== null && isWritten(theirs) && !isSameWritten(theirs, current())
    const aside = isUnseen && !isSameWritten(theirs, written) ? { other: { text: theirs.text, more: theirs.more } } : {}
    // Stored at once, since the page may be closed before the save.
    set({ ...written, ...aside, isDirty: true, at: parts.now() })
    saveSoon()
  }

  async function refresh(): Promise<void> {
    const answer = await parts.get(key)
    if (!answer.ok) return
    const change = mergeServer(current(), answer.value)
    if (change) set(change)
    if (current().isDirty) await save()
  }
  void refresh()

  const handle: DraftHandle = {
    state: local.state,
    setText: (text) => write({ text, more: current().more }),
    setMore: (change) => write({ text: current().text, more: besideWith(current().more, change) }),
    put: write,
    clear: () => {
      if (!isBlank(current())) write(NOTHING_WRITTEN)
    },
    restoreOther: () => {
      const { other, text, more } = current()
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
    isDirty: () => current().isDirty,
    version: () => current().version,
    isBusy: () => saving !== null || stopTimer !== null,
    /** Show what another tab stored. That tab saves it, so it is neither stored nor saved again here. */
    readOtherTabs: () => {
      const theirs = local.changeOfOtherTab()
      if (theirs) local.show(mergeRemote(current(), theirs))
    },
  }
}

export function createDrafts(parts: DraftsParts) {
  const open = new Map<string, ReturnType<typeof openDraft>>()
  let hasFlushed = false
  const stored = (key: string): StoredDraft => readStoredDraft(parts.storage.read(key))
  /** The places where this person has an unsent text; lists mark them with “Draft”. */
  const places = createStore<Readonly<Record<string, true>>>()(() => {
    const written = parts.storage.keys().filter((key) => isWritten(stored(key)))
    return Object.fromEntries(written.map((key) => [key, true]))
  })
  let isWatched = false

  const mark: Mark = (key, isMarked) => {
    const { [key]: before, ...rest } = places.getState()
    if (isMarked !== (before === true)) places.setState(isMarked ? { ...rest, [key]: true } : rest, true)
  }
  async function refreshMarks(): Promise<void> {
    if (!isWatched) return
    const answer = await parts.list()
    if (!answer.ok) return
    const there = new Set(answer.value.drafts.filter((one) => one.isWritten).map(({ key }) => key))
    for (const key of [...there, ...Object.keys(places.getState())]) {
      // The copy of this page or browser is newer than the server's.
      const isKnownHere = open.has(key) || stored(key).isDirty
      if (!isKnownHere) mark(key, there.has(key))
    }
  }
  return {
    open: (key: string): DraftHandle => {
      const draft = open.get(key) ?? openDraft(key, parts, mark)
      open.set(key, draft)
      return draft.handle
    },
    /** The connection is back: save unsaved drafts, fetch the others again. */
    flush: (): void => {
      for (const draft of open.values()) {
        draft.readOtherTabs()
        if (draft.isDirty()) void draft.save()
        // Notes of other devices were missed while offline.
        else if (hasFlushed) void draft.refresh()
      }
      hasFlushed = true
      void refreshMarks()
    },
    receiveNote: ({ key, version, isWritten: isMarked }: DraftNote): void => {
      const draft = open.get(key)
      if (draft === undefined) mark(key, isMarked)
      // This page's own saves are noted too; one that is being saved learns the version from its answer.
      else if (!draft.isBusy() && !draft.isDirty() && draft.version() !== version) void draft.refresh()
    },
    /** Another tab of this browser changed the stored draft. */
    storageChanged: (key: string): void => {
      const draft = open.get(key)
      if (draft) draft.readOtherTabs()
      else mark(key, isWritten(stored(key)))
    },
    marks: {
      places,
      /** A list is shown: ask the server for drafts of other devices, now and after each reconnect. */
      watch: (): void => {
        if (isWatched) return
        isWatched = true
        void refreshMarks()
      },
    },
  }
}

export type Drafts = ReturnType<typeof createDrafts>
