/**
 * The server as the page sees it, for tests of components: answers to calls, and the rows of views.
 *
 *   client/api.ts ── fetch ──► answers by method and path         client/pageClient.ts ── socket ──► rows by view
 *
 * Both are given by the test, from the fixtures of the gallery. A command without an answer of its own is accepted.
 */
import { Fault, type FaultBody, type FaultCode, faultBody } from '@/lib/faults'
import type { AnyRow, RowId } from '@/lib/wire/rows'
import { type Ephemeral, type SubId, type View, WIRE_VERSION } from '@/lib/wire/views'
import { ME, NOW } from '@/test/gallery/fixtures/people'

export type Call = { method: string; path: string; body: Record<string, unknown> }

/** Thrown or returned by an answer: the call is refused. */
class Refused extends Error {
  constructor(readonly body: FaultBody) {
    super(body.message)
  }
}

export const refused = <Code extends FaultCode>(...fault: ConstructorParameters<typeof Fault<Code>>): Refused =>
  new Refused(faultBody(new Fault(...fault)))

type Answer = unknown | ((call: Call) => unknown)
type Subscribed = { view: View; asked: number }

const HEAD = { gen: 'fixtures', cursor: 'fixtures' }
const HTTP_OK = 200
/** A page that hears nothing for some seconds connects again. */
const BEAT_MS = 1_000

function createPageServer() {
  const calls: Call[] = []
  const answers = new Map<string, Answer>()
  const rows = new Map<View, readonly AnyRow[]>()
  const subscribed = new Map<SubId, Subscribed>()
  const sent: { event: string; message: unknown }[] = []
  const heard = new Map<string, (message: unknown) => void>()
  const drafts = new Map<string, unknown>()
  let heart: ReturnType<typeof setInterval> | undefined
  let isUp = true
  let seq = 1

  const tell = (event: string, message: unknown): void => heard.get(event)?.(message)

  const beat = (): void =>
    tell('beat', {
      at: NOW,
      head: seq,
      node: 'fixtures',
      wire: WIRE_VERSION,
      subs: Object.fromEntries(
        [...subscribed].flatMap(([sub, { view, asked }]) => (rows.has(view) ? [[sub, [asked, HEAD.gen, seq]]] : [])),
      ),
    })

  function sendWhole(view: View): void {
    for (const [sub, one] of subscribed)
      if (one.view === view && rows.has(view))
        tell('reset', { ...HEAD, sub, asked: one.asked, n: seq, to: seq, rows: rows.get(view) })
    beat()
  }

  function emit(event: string, message: unknown): void {
    sent.push({ event, message })
    if (event === 'unsubscribe') subscribed.delete((message as { sub: SubId }).sub)
    if (event !== 'subscribe') return
    const { sub, asked, view } = message as { sub: SubId; asked: number; view: View }
    subscribed.set(sub, { view, asked })
    queueMicrotask(() => sendWhole(view))
  }

  async function answerTo(call: Call): Promise<Response> {
    if (!isUp) throw new TypeError('Failed to fetch')
    calls.push(call)
    const { method, path } = call
    const key = `${method} ${path}`
    const answer = answers.get(key) ?? answers.get(`${method} ${path.split('?')[0]}`) ?? unasked(call)
    try {
      const value = await (typeof answer === 'function' ? answer(call) : answer)
      if (value instanceof Refused) throw value
      return new Response(JSON.stringify(value), { status: HTTP_OK })
    } catch (failure) {
      if (!(failure instanceof Refused)) throw failure
      return new Response(JSON.stringify(failure.body), { status: failure.body.status_code })
    }
  }

  function unasked({ method, path, body }: Call): unknown {
    if (path.startsWith('/api/drafts/')) {
      if (method === 'PUT') drafts.set(path, { other: null, ...body, version: seq++, at: NOW })
      return drafts.get(path) ?? { text: '', other: null, version: null, at: 0 }
    }
    if (path === '/api/me/settings') return body
    return method === 'GET' ? refused('NOT_FOUND', { what: 'fixture', id: path }) : { seq: seq++, reply: {} }
  }

  return {
    /** Calls of the page, oldest first; without reads of drafts and of who is signed in. */
    calls,
    /** What the page put to the socket. */
    sent,
    /** Calls by method and path, with what they carry. */
    called: (method: string, path: string): Call['body'][] =>
      calls.filter((call) => call.method === method && call.path === path).map(({ body }) => body),
    /** Answer calls of this method and path; a function is called each time. */
    answer: (key: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`, answer: Answer): void =>
      void answers.set(key, answer),
    /** The rows of a view from now on, as the server would send them. */
    show: (view: View, of: readonly AnyRow[]): void => {
      rows.set(view, of)
      seq += 1
      sendWhole(view)
    },
    /** One row of a view changes, comes or (null) leaves. */
    change: (view: View, id: RowId, row: AnyRow | null): void => {
      const others = (rows.get(view) ?? []).filter((one) => one.id !== id)
      rows.set(view, row === null ? others : [...others, row])
      seq += 1
      sendWhole(view)
    },
    note: (note: Ephemeral): void => tell('ephemeral', note),
    /** false: calls get no answer, and the socket is closed. */
    setUp: (next: boolean): void => {
      isUp = next
      if (!next) tell('disconnect', 'transport close')
      else {
        tell('connect', undefined)
        beat()
      }
    },
    fetch: (path: string, { method = 'GET', body }: RequestInit = {}): Promise<Response> =>
      answerTo({ method, path, body: typeof body === 'string' ? JSON.parse(body) : {} }),
    openSocket: () => ({
      on: (event: string, hear: (message: unknown) => void) => void heard.set(event, hear),
      emit,
      connect: () => {
        clearInterval(heart)
        heart = setInterval(() => isUp && beat(), BEAT_MS)
        queueMicrotask(() => {
          if (!isUp) return
          tell('connect', undefined)
          beat()
        })
      },
      disconnect: () => {
        clearInterval(heart)
        subscribed.clear()
      },
    }),
  }
}

export type PageServer = ReturnType<typeof createPageServer>

let current = createPageServer()

/** The server of the running test. */
export const pageServer = (): PageServer => current

/** A new one, with Ana of the gallery signed in. */
export function startPageServer(): PageServer {
  current = createPageServer()
  current.answer('GET /api/me', ME)
  current.answer('GET /api/drafts', { drafts: [] })
  return current
}
