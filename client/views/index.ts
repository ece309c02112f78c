/** The views of a page: one store per view, one subscription while somebody shows it. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Beat, Reset, SendToServer, SubId, TaskMoment, View, ViewFrame } from '@/lib/wire/views'
import { loadingView, takeClosed, takeFrame, takeReset, type ViewState } from './viewState'
import type { ViewMessage } from './wireShapes'

type ViewsParts = {
  /** Messages may be lost; beats and connected() repair that. */
  send: SendToServer
  /** Run at the next animation frame. */
  schedule: (flush: () => void) => void
  /** Run some time after a view was closed, so that going back shows it at once. */
  later: (release: () => void) => void
  onApplied?: (view: View, frame: ViewFrame) => void
  /** Rows of a view that was shown came, changed or left. */
  onChanged?: (view: View) => void
  onFailure?: (view: View, trouble: unknown) => void
}

/** Unwatched views that are kept, to be shown at once and caught up by cursor. */
const MOST_REMEMBERED = 60
/** A view that fails this often in a row is closed. */
const MOST_FAILURES = 3

type Subscription = {
  key: string
  view: View
  /** It follows the moment that the page shows. */
  isThen: boolean
  sub: SubId
  store: StoreApi<ViewState>
  watchers: number
  /** The number of the last request: an answer to an older one is dropped. */
  asked: number
  /** Requested since the last beat, which may not include it yet. */
  isNew: boolean
  isAsking: boolean
  /** Newest reset or close applied on this connection. */
  n: number
  /** Messages in a row that could not be applied. */
  failures: number
  /** The server sends it, as far as this page knows. */
  isSubscribed: boolean
}

/** The subscriptions by view and by their name on the wire; the longest unwatched are forgotten first. */
function createSubscriptions() {
  const byKey = new Map<string, Subscription>()
  const bySub = new Map<SubId, Subscription>()
  let count = 0
  return {
    all: () => [...byKey.values()],
    has: (subscription: Subscription) => byKey.get(subscription.key) === subscription,
    bySub: (sub: SubId) => bySub.get(sub),
    of: (view: View, isThen = false): Subscription => {
      const key = isThen ? `${view} then` : view
      const existing = byKey.get(key)
      if (existing) return existing
      count += 1
      const subscription: Subscription = {
        ...{ key, view, isThen },
        sub: `p${count}`,
        store: createStore<ViewState>()(() => loadingView(view)),
        watchers: 0,
        asked: 0,
        isNew: false,
        isAsking: false,
        n: 0,
        failures: 0,
        isSubscribed: false,
      }
      byKey.set(key, subscription)
      bySub.set(subscription.sub, subscription)
      return subscription
    },
    /** It was watched last, so it is forgotten last. */
    touch: (subscription: Subscription): void => {
      byKey.delete(subscription.key)
      byKey.set(subscription.key, subscription)
    },
    forgetOldest: (): void => {
      const idle = [...byKey.values()].filter(({ watchers, isSubscribed }) => watchers === 0 && !isSubscribed)
      for (const { key, sub } of idle.slice(0, Math.max(0, idle.length - MOST_REMEMBERED))) {
        byKey.delete(key)
        bySub.delete(sub)
      }
    },
  }
}

/**
 * Applies messages to subscriptions.
 *
 * in      ask: requests a view; called when something before a message is missing
 */
function createReceiver(
  parts: ViewsParts,
  subscriptions: ReturnType<typeof createSubscriptions>,
  ask: (subscription: Subscription) => void,
) {
  function apply(subscription: Subscription, message: Exclude<ViewMessage, { event: 'beat' }>): void {
    const state = subscription.store.getState()
    if (message.event === 'frame') {
      const next = takeFrame(state, message.message)
      if (message.message.asked === subscription.asked && message.message.gen === state.gen)
        subscription.isAsking = false
      // An unanswered request brings what is missing; the next beat asks again if it does not.
      if (next === 'ask' && !subscription.isAsking) ask(subscription)
      if (next === 'ask' || next === 'drop') return
      // An applied frame proves that the view can be followed; a reset alone does not.
      subscription.failures = 0
      subscription.store.setState(next, true)
      parts.onApplied?.(subscription.view, message.message)
      const { set, patch, del } = message.message
      if (set.length + patch.length + del.length > 0) parts.onChanged?.(subscription.view)
      return
    }
    const { asked, n } = message.message
    if (asked !== subscription.asked || n <= subscription.n) return
    subscription.n = n
    subscription.isAsking = false
    const next = message.event === 'reset' ? takeReset(state, message.message) : takeClosed(state, message.message)
    subscription.store.setState(next, true)
    if (state.status === 'open') parts.onChanged?.(subscription.view)
  }

  /** The beat names the last entry that the server sent of each subscription, which shows what got lost. */
  function checkBeat(beat: Beat): void {
    for (const sub of Object.keys(beat.subs))
      if (!subscriptions.bySub(sub)?.isSubscribed) parts.send('unsubscribe', { sub })
    for (const subscription of subscriptions.all()) {
      if (!subscription.isSubscribed) continue
      const wasNew = subscription.isNew
      subscription.isNew = false
      const named = Object.hasOwn(beat.subs, subscription.sub) ? beat.subs[subscription.sub] : undefined
      const state = subscription.store.getState()
      const [asked, gen, to] = named ?? [0, '', 0]
      if (named !== undefined && asked === subscription.asked && gen === state.gen && to <= state.have) {
        subscription.isAsking = false
        continue
      }
      // A failed view stays closed until the page is reloaded.
      if (subscription.failures < MOST_FAILURES && !wasNew) ask(subscription)
    }
  }

  return (message: ViewMessage): void => {
    if (message.event === 'beat') {
      checkBeat(message.message)
      return
    }
    const subscription = subscriptions.bySub(message.message.sub)
    if (subscription === undefined || !subscription.isSubscribed) return
    try {
      apply(subscription, message)
    } catch (failure) {
      const { view, store } = subscription
      parts.onFailure?.(view, failure)
      subscription.failures += 1
      const isOver = subscription.failures >= MOST_FAILURES
      store.setState({ ...loadingView(view), ...(isOver ? { status: 'closed', reason: 'bad-view' } : {}) })
      if (!isOver) ask(subscription)
    }
  }
}

export function createViews(parts: ViewsParts) {
  const subscriptions = createSubscriptions()
  let isConnected = false
  let isScheduled = false
  let queue: ViewMessage[] = []
  let moment: TaskMoment | null = null

  function ask(subscription: Subscription): void {
    const { isThen } = subscription
    if (!isConnected || (isThen && moment === null)) return
    subscription.asked += 1
    subscription.isNew = true
    subscription.isAsking = true
    subscription.isSubscribed = true
    const { sub, asked, view, store } = subscription
    const { cursor } = store.getState()
    if (isThen && moment !== null) parts.send('subscribe', { sub, asked, view, at: moment })
    else parts.send('subscribe', { sub, asked, view, ...(cursor === null ? {} : { cursor }) })
  }
  const receive = createReceiver(parts, subscriptions, ask)

  function unsubscribe(subscription: Subscription): void {
    if (subscription.watchers > 0 || !subscriptions.has(subscription)) return
    if (subscription.isSubscribed && isConnected) parts.send('unsubscribe', { sub: subscription.sub })
    subscription.isSubscribed = false
    subscriptions.forgetOldest()
  }

  /** What is shown at a moment is of no use at none, nor at one of another task. */
  function forgetThen(): void {
    for (const subscription of subscriptions.all()) {
      if (!subscription.isThen) continue
      if (subscription.isSubscribed && isConnected) parts.send('unsubscribe', { sub: subscription.sub })
      subscription.isSubscribed = false
      subscription.store.setState(loadingView(subscription.view), true)
    }
  }

  const live = (): Subscription[] => subscriptions.all().filter(({ isThen }) => !isThen)

  function flush(): void {
    isScheduled = false
    const messages = queue
    queue = []
    for (const message of messages) receive(message)
  }

  return {
    /** in: isThen: as it was at the moment that the page shows */
    store: (view: View, isThen = false): StoreApi<ViewState> => subscriptions.of(view, isThen).store,
    /** Subscribe until the returned function is called; counted. */
    open: (view: View, isThen = false): (() => void) => {
      const subscription = subscriptions.of(view, isThen)
      subscription.watchers += 1
      subscriptions.touch(subscription)
      if (!subscription.isSubscribed) ask(subscription)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        subscription.watchers -= 1
        if (subscription.watchers === 0) parts.later(() => unsubscribe(subscription))
      }
    },
    /** Show this moment in all views that follow it; they keep what they show until the answer. null: none is shown */
    seek: (next: TaskMoment | null): void => {
      if (next?.task !== moment?.task) forgetThen()
      moment = next
      for (const subscription of subscriptions.all())
        if (subscription.isThen && subscription.watchers > 0) ask(subscription)
    },
    receive: (message: ViewMessage): void => {
      queue.push(message)
      if (isScheduled) return
      isScheduled = true
      parts.schedule(flush)
    },
    /** A new connection: request all watched views. */
    connected: (): void => {
      isConnected = true
      for (const subscription of subscriptions.all()) {
        subscription.n = 0
        subscription.isAsking = false
        subscription.isSubscribed = false
        if (subscription.watchers > 0) ask(subscription)
      }
    },
    disconnected: (): void => {
      isConnected = false
      queue = []
    },
    /** The last entry that every requested, unanswered view has; null: all are answered. */
    caughtUpTo: (): number | null => {
      const behind = live().filter(({ isSubscribed, isAsking }) => isSubscribed && isAsking)
      return behind.length === 0 ? null : Math.min(...behind.map(({ store }) => store.getState().have))
    },
    states: (): readonly ViewState[] => live().map(({ store }) => store.getState()),
    /** Show a cached view that is still loading; the server is asked for later changes. */
    restore: (view: View, whole: Reset): void => {
      const { store } = subscriptions.of(view)
      if (store.getState().status === 'loading') store.setState(takeReset(loadingView(view), whole), true)
    },
    flush,
    /** Drop all content: somebody else signed in. */
    clear: (): void => {
      queue = []
      for (const subscription of subscriptions.all()) {
        subscription.failures = 0
        subscription.store.setState(loadingView(subscription.view), true)
        if (subscription.watchers > 0) ask(subscription)
      }
    },
  }
}

export type Views = ReturnType<typeof createViews>
