/** Ephemeral state: what running steps do and stream, who drafts, who is present. The last value wins; a restart loses it by design. */
import { createStore } from 'zustand/vanilla'
import { pageClock } from '@/client/clock'
import type { AgentId } from '@/lib/mas/ids'
import type { DoingNow, Ephemeral, PresenceState, Quiet, SendToServer } from '@/lib/wire/views'

/** at: epoch ms, when the newest piece came. */
export type StepText = { attempt: number; text: string; at: number }
export type StepDoes = DoingNow & { attempt: number }
export type Drafter = { person: AgentId; name: string }

type LiveParts = {
  send: SendToServer
  /** Run at the next animation frame. */
  schedule: (show: () => void) => void
  /** Another page of this person saved a draft. */
  onDraft?: (note: Extract<Ephemeral, { kind: 'draft' }>) => void
  /** A page of this person changed their settings. */
  onSettings?: () => void
}

/** Resolution of `textAt`: its readers only ask whether a step is stale. */
const TEXT_TIME_STEP_MS = 5_000
/** The server refuses a longer list. */
const MOST_FOLLOWED = 100
const RESEND_MS = 3_000
/** A drafting note that is not repeated expires. */
const DRAFTING_TTL_MS = 6_000

const without = <T>(all: Record<string, T>, key: string): Record<string, T> => {
  const { [key]: _, ...rest } = all
  return rest
}

function createStepNotes({ send, schedule }: LiveParts) {
  const texts = createStore<Record<string, StepText>>()(() => ({}))
  const doings = createStore<Record<string, StepDoes>>()(() => ({}))
  const textAt = createStore<Record<string, number>>()(() => ({}))
  const followed = new Map<string, number>()
  const arriving = { texts: new Map<string, StepText>(), doings: new Map<string, StepDoes>() }
  let isShowScheduled = false
  let isFollowScheduled = false

  /** The newest first: they are on screen, and the server cuts the list. */
  const sendFollowed = (): void => {
    isFollowScheduled = false
    send('follow', { steps: [...followed.keys()].reverse().slice(0, MOST_FOLLOWED) })
  }
  /** Many rows begin to follow at one tick of the clock: that is sent once. */
  const sendFollowedSoon = (): void => {
    if (isFollowScheduled) return
    isFollowScheduled = true
    setTimeout(() => isFollowScheduled && sendFollowed(), 0)
  }

  function noteText(step: string): void {
    const [at, before] = [pageClock.now(), textAt.getState()[step]]
    if (before === undefined || at - before >= TEXT_TIME_STEP_MS) textAt.setState({ [step]: at })
  }

  const show = (): void => {
    isShowScheduled = false
    if (arriving.texts.size > 0) texts.setState(Object.fromEntries(arriving.texts))
    if (arriving.doings.size > 0) doings.setState(Object.fromEntries(arriving.doings))
    arriving.texts.clear()
    arriving.doings.clear()
  }

  const showSoon = (): void => {
    if (isShowScheduled) return
    isShowScheduled = true
    schedule(show)
  }

  function receiveDoing(note: Extract<Ephemeral, { kind: 'doing' }>): void {
    if (!followed.has(note.step)) return
    const have = arriving.doings.get(note.step) ?? doings.getState()[note.step]
    if (have && note.attempt < have.attempt) return
    const { kind: _kind, task: _task, agent: _agent, step, ...doing } = note
    arriving.doings.set(step, doing)
    showSoon()
  }

  function receiveText(note: Extract<Ephemeral, { kind: 'text' }>): void {
    if (!followed.has(note.step)) return
    const have = arriving.texts.get(note.step) ?? texts.getState()[note.step]
    if (have && note.attempt < have.attempt) return
    const old = have?.attempt === note.attempt ? have.text : ''
    // A piece was lost: the server sends the whole text again to a page that renews its list.
    if (note.at > old.length) {
      sendFollowed()
      return
    }
    const text = old.slice(0, note.at) + note.text
    // A whole text sent again is not new, and neither is an empty first one.
    const isNew = text !== old || (have !== undefined && have.attempt !== note.attempt)
    if (isNew) noteText(note.step)
    arriving.texts.set(note.step, {
      attempt: note.attempt,
      text,
      at: isNew || have === undefined ? pageClock.now() : have.at,
    })
    showSoon()
  }

  function unfollow(step: string): void {
    const left = (followed.get(step) ?? 1) - 1
    if (left > 0) {
      followed.set(step, left)
      return
    }
    followed.delete(step)
    arriving.texts.delete(step)
    arriving.doings.delete(step)
    texts.setState(without(texts.getState(), step), true)
    doings.setState(without(doings.getState(), step), true)
    textAt.setState(without(textAt.getState(), step), true)
    sendFollowedSoon()
  }

  return {
    texts,
    textAt,
    doings,
    receiveText,
    receiveDoing,
    follow: (step: string) => {
      followed.set(step, (followed.get(step) ?? 0) + 1)
      if (followed.get(step) === 1) sendFollowedSoon()
      let isFollowing = true
      return () => {
        if (isFollowing) unfollow(step)
        isFollowing = false
      }
    },
    connected: () => {
      if (followed.size > 0) sendFollowed()
    },
  }
}

function createDraftingNotes({ send }: LiveParts) {
  const drafting = createStore<Record<string, readonly Drafter[]>>()(() => ({}))
  const receivedAt = new Map<string, number>()
  const sentAt = new Map<string, number>()

  function receive({ request, person, name, on }: Omit<Extract<Ephemeral, { kind: 'drafting' }>, 'kind'>): void {
    const key = `${request} ${person}`
    const others = (drafting.getState()[request] ?? []).filter((other) => other.person !== person)
    drafting.setState({ [request]: on ? [...others, { person, name }] : others })
    if (!on) return
    const at = pageClock.now()
    receivedAt.set(key, at)
    setTimeout(() => {
      if (receivedAt.get(key) === at) receive({ request, person, name, on: false })
    }, DRAFTING_TTL_MS)
  }

  return {
    drafting,
    receive,
    sendDrafting: (request: string, on: boolean) => {
      const last = sentAt.get(request)
      if (on ? last !== undefined && pageClock.now() - last < RESEND_MS : last === undefined) return
      if (on) sentAt.set(request, pageClock.now())
      else sentAt.delete(request)
      send('drafting', { request, on })
    },
  }
}

export function createLive(parts: LiveParts) {
  const steps = createStepNotes(parts)
  const notes = createDraftingNotes(parts)
  const presence = createStore<Record<string, PresenceState>>()(() => ({}))
  const reads = createStore<Record<string, number>>()(() => ({}))
  let sentPresence: { isActive: boolean; quiet: Quiet | null } | null = null
  return {
    texts: steps.texts,
    /** When a followed step last streamed new text, epoch ms, updated every few seconds. */
    textAt: steps.textAt,
    /** What followed steps do. */
    doings: steps.doings,
    drafting: notes.drafting,
    /** Of everyone who is present or has do-not-disturb on; anyone missing is offline. */
    presence,
    /** Read cursors of this person by place, as far as they changed since the page loaded. */
    reads,
    follow: steps.follow,
    /** I write an answer, or stopped. Repeated at most every three seconds. */
    sendDrafting: notes.sendDrafting,
    /** Whether this page is in use, and do-not-disturb; sent only when it changed. */
    sendPresence: (isActive: boolean, quiet: Quiet | null): void => {
      const before = sentPresence
      const isSame = before?.isActive === isActive && (before.quiet?.until ?? -1) === (quiet?.until ?? -1)
      if (isSame && (before?.quiet === null) === (quiet === null)) return
      sentPresence = { isActive, quiet }
      parts.send('presence', sentPresence)
    },
    receive: (note: Ephemeral) => {
      switch (note.kind) {
        case 'text':
          return steps.receiveText(note)
        case 'doing':
          return steps.receiveDoing(note)
        case 'drafting':
          return notes.receive(note)
        case 'presence':
          return presence.setState({ [note.person]: note.presence })
        case 'read':
          return reads.setState({ [note.place]: note.seq })
        case 'draft':
          return parts.onDraft?.(note)
        case 'settings':
          return parts.onSettings?.()
      }
    },
    /** A new connection: send again what is followed. */
    connected: (): void => {
      // The server sends all presences again and no longer has this page's.
      presence.setState({}, true)
      if (sentPresence) parts.send('presence', sentPresence)
      steps.connected()
    },
  }
}

export type Live = ReturnType<typeof createLive>
