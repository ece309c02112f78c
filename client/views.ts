/** The views that a page looks at: one store per view, one place on the wire while somebody looks. */

import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Beat, Reset, SendToServer, SubId, View, ViewFrame } from '@/lib/wire/views'
import { loadingView, takeClosed, takeFrame, takeReset, type ViewState } from './viewState'
import type { ViewMessage } from './wireShapes'

/** What a page's views need from the world; tests bring their own. */
export type ViewsParts = {
  /** May be lost; beats and connected() repair that. */
  send: SendToServer
  /** Run once at the next frame. */
  schedule: (flush: () => void) => void
  /** Let go of a view some time after the last look, so that going back shows it at once. */
  later: (release: () => void) => void
  /** A step was taken: what looks at the view draws it now. */
  onTaken?: (view: View, frame: ViewFrame) => void
  /** Something could not be applied; the view is asked for anew. */
  onTrouble?: (view: View, trouble: unknown) => void
}

export type Views = {
  /** The state of a view, whether or not anybody looks. */
  store: (view: View) => StoreApi<ViewState>
  /** Look at a view until the returned function is called; counted. */
  open: (view: View) => () => void
  receive: (message: ViewMessage) => void
  /** A new connection stands: ask for all that is looked at. */
  connected: () => void
  disconnected: () => void
  /** The last entry that is held of whatever was asked for and has not come, the oldest of these; null: all has come. */
  heldTo: () => number | null
  /** What is held of every view that is remembered. */
  states: () => readonly ViewState[]
  /** Show what was kept of a view from before, unless there is more: the server is asked for what came since. */
  recall: (view: View, whole: Reset) => void
  /** Apply what has come, now. */
  flush: () => void
  /** Forget everything: somebody else signed in. */
  clear: () => void
}

/** Views that nobody looks at any more are remembered up to this number, to be shown at once and caught up by cursor. */
const REMEMBERED = 60
/** A view that cannot be applied this many times in a row is given up. */
const TRIES = 3

type Place = {
  view: View
  sub: SubId
  store: StoreApi<ViewState>
  looking: number
  /** Numbered asks: an answer to an older one is dropped. */
  asked: number
  /** Asked since the last beat: the beat may not know of it yet. */
  isFresh: boolean
  /** An ask is under way and nothing has answered it. */
  isAsking: boolean
  /** Newest reset or close taken on this connection. */
  n: number
  /** Times in a row that a message could not be applied. */
  troubles: number
  /** On the wire, as far as we know. */
  isPlaced: boolean
}

export function createViews(parts: ViewsParts): Views {
  const places = new Map<View, Place>()
  const bySub = new Map<SubId, Place>()
  let count = 0
  let isConnected = false
  let isScheduled = false
  let queue: ViewMessage[] = []

  function placeOf(view: View): Place {
    const known = places.get(view)
    if (known) return known
    count += 1
    const place: Place = {
      view,
      sub: `p${count}`,
      store: createStore<ViewState>()(() => loadingView(view)),
      looking: 0,
      asked: 0,
      isFresh: false,
      isAsking: false,
      n: 0,
      troubles: 0,
      isPlaced: false,
    }
    places.set(view, place)
    bySub.set(place.sub, place)
    return place
  }

  function ask(place: Place): void {
    if (!isConnected) return
    place.asked += 1
    place.isFresh = true
    place.isAsking = true
    place.isPlaced = true
    const { cursor } = place.store.getState()
    parts.send('subscribe', {
      sub: place.sub,
      asked: place.asked,
      view: place.view,
      ...(cursor === null ? {} : { cursor }),
    })
  }

  function take(message: ViewMessage): void {
    if (message.event === 'beat') {
      hear(message.message)
      return
    }
    const place = bySub.get(message.message.sub)
    if (place === undefined || !place.isPlaced) return
    try {
      apply(place, message)
    } catch (trouble) {
      parts.onTrouble?.(place.view, trouble)
      place.troubles += 1
      const isOver = place.troubles >= TRIES
      place.store.setState({ ...loadingView(place.view), ...(isOver ? { status: 'closed', reason: 'bad-view' } : {}) })
      if (!isOver) ask(place)
    }
  }

  function apply(place: Place, message: Exclude<ViewMessage, { event: 'beat' }>): void {
    const state = place.store.getState()
    if (message.event === 'frame') {
      const next = takeFrame(state, message.message)
      if (message.message.asked === place.asked && message.message.gen === state.gen) place.isAsking = false
      // While an answer is under way it will bring what is missing; the next beat asks again if it does not.
      if (next === 'ask' && !place.isAsking) ask(place)
      if (next === 'ask' || next === 'drop') return
      // Only a step that could be taken says that the view can be followed; a whole that fits says little.
      place.troubles = 0
      place.store.setState(next, true)
      parts.onTaken?.(place.view, message.message)
      return
    }
    const { asked, n } = message.message
    if (asked !== place.asked || n <= place.n) return
    place.n = n
    place.isAsking = false
    const next = message.event === 'reset' ? takeReset(state, message.message) : takeClosed(state, message.message)
    place.store.setState(next, true)
  }

  /** The beat names what the server sends to each place: whatever got lost on the way shows here. */
  function hear(beat: Beat): void {
    for (const sub of Object.keys(beat.subs)) if (!bySub.get(sub)?.isPlaced) parts.send('unsubscribe', { sub })
    for (const place of places.values()) {
      if (!place.isPlaced) continue
      const wasFresh = place.isFresh
      place.isFresh = false
      const told = Object.hasOwn(beat.subs, place.sub) ? beat.subs[place.sub] : undefined
      const state = place.store.getState()
      const [asked, gen, to] = told ?? [0, '', 0]
      const isKnown = told !== undefined && asked === place.asked
      if (isKnown && gen === state.gen && to <= state.have) {
        place.isAsking = false
        continue
      }
      // Given up: another page load may bring a page that can read it.
      if (place.troubles >= TRIES) continue
      if (!wasFresh) ask(place)
    }
  }

  function leave(place: Place): void {
    if (place.looking > 0 || places.get(place.view) !== place) return
    if (place.isPlaced && isConnected) parts.send('unsubscribe', { sub: place.sub })
    place.isPlaced = false
    const idle = [...places.values()].filter((other) => other.looking === 0 && !other.isPlaced)
    for (const other of idle.slice(0, Math.max(0, idle.length - REMEMBERED))) {
      places.delete(other.view)
      bySub.delete(other.sub)
    }
  }

  function flush(): void {
    isScheduled = false
    const messages = queue
    queue = []
    for (const message of messages) take(message)
  }

  return {
    store: (view) => placeOf(view).store,
    open: (view) => {
      const place = placeOf(view)
      place.looking += 1
      // The newest look is last in the map, so the oldest are forgotten first.
      places.delete(view)
      places.set(view, place)
      if (!place.isPlaced) ask(place)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        place.looking -= 1
        if (place.looking === 0) parts.later(() => leave(place))
      }
    },
    receive: (message) => {
      queue.push(message)
      if (isScheduled) return
      isScheduled = true
      parts.schedule(flush)
    },
    connected: () => {
      isConnected = true
      for (const place of places.values()) {
        place.n = 0
        place.isAsking = false
        place.isPlaced = false
        if (place.looking > 0) ask(place)
      }
    },
    disconnected: () => {
      isConnected = false
      queue = []
    },
    heldTo: () => {
      const behind = [...places.values()].filter((place) => place.isPlaced && place.isAsking)
      return behind.length === 0 ? null : Math.min(...behind.map(({ store }) => store.getState().have))
    },
    states: () => [...places.values()].map(({ store }) => store.getState()),
    recall: (view, whole) => {
      const { store } = placeOf(view)
      if (store.getState().status === 'loading') store.setState(takeReset(loadingView(view), whole), true)
    },
    flush,
    clear: () => {
      queue = []
      for (const place of places.values()) {
        place.troubles = 0
        place.store.setState(loadingView(place.view), true)
        if (place.looking > 0) ask(place)
      }
    },
  }
}
