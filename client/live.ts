/** The ephemeral: text that steps stream, who is drafting, who is there. Last value wins; lost on restart by design. */

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AgentId } from '@/lib/mas/ids'
import type { Ephemeral, PresenceState, Quiet, SendToServer } from '@/lib/wire/views'

export type StepText = { attempt: number; text: string }
export type Drafter = { person: AgentId; name: string }

export type LiveParts = {
  send: SendToServer
  now: () => number
  later: (run: () => void, ms: number) => void
  /** Another page of this member saved a draft. */
  onDraft?: (note: Extract<Ephemeral, { kind: 'draft' }>) => void
}

export type Live = {
  texts: StoreApi<Record<string, StepText>>
  /** When a followed step last said something new, epoch ms, to within a few seconds. */
  heard: StoreApi<Record<string, number>>
  drafting: StoreApi<Record<string, readonly Drafter[]>>
  /** Of those who are there, or rest; whoever is not named is not there. */
  presence: StoreApi<Record<string, PresenceState>>
  /** How far this person has read, by place, as far as it was told since this page came. */
  reads: StoreApi<Record<string, number>>
  /** Follow a step's text until the returned function is called; counted. */
  follow: (step: string) => () => void
  /** I write an answer, or stopped. Said again at most every three seconds while it goes on. */
  sayDrafting: (request: string, on: boolean) => void
  /** Somebody is at this page or not, and rests or not: said when it is another than before. */
  sayPresence: (isActive: boolean, quiet: Quiet | null) => void
  receive: (note: Ephemeral) => void
  /** A new connection: say again what is followed. */
  connected: () => void
}

const SHOW_EVERY_MS = 100
/** Whoever only asks whether a step still speaks is not told of every piece. */
const HEARD_EVERY_MS = 5_000
/** The server refuses a longer list. */
const FOLLOWS_SAID = 100
const SAY_AGAIN_MS = 3_000
/** A drafting note that is not repeated is over. */
export const DRAFTING_LASTS_MS = 6_000

export function createLive(parts: LiveParts): Live {
  const texts = createStore<Record<string, StepText>>()(() => ({}))
  const heard = createStore<Record<string, number>>()(() => ({}))
  const drafting = createStore<Record<string, readonly Drafter[]>>()(() => ({}))
  const presence = createStore<Record<string, PresenceState>>()(() => ({}))
  const reads = createStore<Record<string, number>>()(() => ({}))
  let saidPresence: { isActive: boolean; quiet: Quiet | null } | null = null
  const followed = new Map<string, number>()
  const arriving = new Map<string, StepText>()
  const heardDrafting = new Map<string, number>()
  const saidDrafting = new Map<string, number>()
  let isShowing = false
  let isToSay = false

  /** The newest first: the server takes so many, and what was opened last is looked at. */
  const sayFollowed = (): void => {
    isToSay = false
    parts.send('follow', { steps: [...followed.keys()].reverse().slice(0, FOLLOWS_SAID) })
  }
  /** Many rows come to follow at one tick of the clock: that is said once. */
  const sayFollowedSoon = (): void => {
    if (isToSay) return
    isToSay = true
    parts.later(() => isToSay && sayFollowed(), 0)
  }

  function hear(step: string): void {
    const [at, before] = [parts.now(), heard.getState()[step]]
    if (before === undefined || at - before >= HEARD_EVERY_MS) heard.setState({ [step]: at })
  }

  const show = (): void => {
    isShowing = false
    texts.setState({ ...texts.getState(), ...Object.fromEntries(arriving) }, true)
    arriving.clear()
  }

  function takeText(note: Extract<Ephemeral, { kind: 'text' }>): void {
    if (!followed.has(note.step)) return
    const have = arriving.get(note.step) ?? texts.getState()[note.step]
    if (have && note.attempt < have.attempt) return
    const old = have?.attempt === note.attempt ? have.text : ''
    // Something before it got lost: the server sends the whole again to who says what they follow.
    if (note.at > old.length) {
      sayFollowed()
      return
    }
    const text = old.slice(0, note.at) + note.text
    // The whole is sent again to whoever says anew what they follow: that is no news, and neither is that there is nothing yet.
    if (text !== old || (have !== undefined && have.attempt !== note.attempt)) hear(note.step)
    arriving.set(note.step, { attempt: note.attempt, text })
    if (isShowing) return
    isShowing = true
    parts.later(show, SHOW_EVERY_MS)
  }

  function takeDrafting({ request, person, name, on }: Extract<Ephemeral, { kind: 'drafting' }>): void {
    const key = `${request} ${person}`
    const others = (drafting.getState()[request] ?? []).filter((other) => other.person !== person)
    drafting.setState({ [request]: on ? [...others, { person, name }] : others })
    if (!on) return
    const at = parts.now()
    heardDrafting.set(key, at)
    parts.later(() => {
      if (heardDrafting.get(key) === at) takeDrafting({ kind: 'drafting', request, person, name, on: false })
    }, DRAFTING_LASTS_MS)
  }

  return {
    texts,
    heard,
    drafting,
    presence,
    reads,
    follow: (step) => {
      followed.set(step, (followed.get(step) ?? 0) + 1)
      if (followed.get(step) === 1) sayFollowedSoon()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (followed.get(step) ?? 1) - 1
        if (left > 0) {
          followed.set(step, left)
          return
        }
        followed.delete(step)
        arriving.delete(step)
        const { [step]: _, ...rest } = texts.getState()
        texts.setState(rest, true)
        const { [step]: __, ...others } = heard.getState()
        heard.setState(others, true)
        sayFollowedSoon()
      }
    },
    sayDrafting: (request, on) => {
      const now = parts.now()
      const last = saidDrafting.get(request)
      if (on && last !== undefined && now - last < SAY_AGAIN_MS) return
      if (!on && last === undefined) return
      if (on) saidDrafting.set(request, now)
      else saidDrafting.delete(request)
      parts.send('drafting', { request, on })
    },
    sayPresence: (isActive, quiet) => {
      const before = saidPresence
      const isSame = before?.isActive === isActive && (before.quiet?.until ?? -1) === (quiet?.until ?? -1)
      if (isSame && (before?.quiet === null) === (quiet === null)) return
      saidPresence = { isActive, quiet }
      parts.send('presence', saidPresence)
    },
    receive: (note) => {
      switch (note.kind) {
        case 'text':
          takeText(note)
          break
        case 'drafting':
          takeDrafting(note)
          break
        case 'presence':
          presence.setState({ [note.person]: note.presence })
          break
        case 'read':
          reads.setState({ [note.place]: note.seq })
          break
        case 'draft':
          parts.onDraft?.(note)
          break
      }
    },
    connected: () => {
      // The server tells anew who is there, and forgot what this page said.
      presence.setState({}, true)
      if (saidPresence) parts.send('presence', saidPresence)
      if (followed.size > 0) sayFollowed()
    },
  }
}
