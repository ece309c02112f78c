/**
 * A client of one installation, for programs of a person: the HTTP API with its types, and live views.
 *
 * The types in `schema.d.ts` are made of the program's own OpenAPI document.
 */
import { randomUUID } from 'node:crypto'
import createClient, { type Client } from 'openapi-fetch'
import { io } from 'socket.io-client'
import type { ConnectionState } from '@/client/connection'
import { createSocket } from '@/client/connection/socket'
import type { RowsOf } from '@/client/hooks'
import { createViews } from '@/client/views'
import { createLive } from '@/client/views/live'
import type { ViewState } from '@/client/views/viewState'
import type { ClosedReason, RowView, SendToServer } from '@/lib/wire/views'
import type { components, paths } from './schema'

type Refusal = components['schemas']['Refusal']

/** A refusal of the server. code: of the fault; message: its sentence */
export class ConveneRefused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** open: its rows in their order; closed: why nothing may be shown */
export type ShownRows<V extends RowView> =
  | { status: 'open'; rows: readonly RowsOf<V>[] }
  | { status: 'closed'; reason: ClosedReason }

export type ConveneClient = {
  /** Every route, as `GET`, `POST`, …: `api.GET('/api/requests')`. */
  api: Client<paths>
  /** Of a command: an id of its own, and until when the server may do it. Sent again with the same head, it is done once. */
  head(): { id: string; until: number }
  /**
   * Calls `show` with the whole view now and at every change, also after the connection was lost; a token needs `read`.
   *
   * out     ends it
   */
  watch<V extends RowView>(view: V, show: (shown: ShownRows<V>) => void): () => void
  /** Of the socket that `watch` opens; null before it. signed-out: the token is not valid (any more) */
  connection(): ConnectionState['word'] | null
  /** Ends all connections. */
  close(): void
}

const nothing = (): void => undefined
/** What the head of a command allows for the way to the server. */
const COMMAND_MS = 30_000

/** in: url: of the installation, as `https://convene.example`; token: a personal access token */
export function openClient({ url, token }: { url: string; token: string }): ConveneClient {
  const headers = { authorization: `Bearer ${token}` }
  const api = createClient<paths>({ baseUrl: url, headers })
  /** How far the server's clock is ahead of ours, as its last answer said. */
  let aheadMs = 0
  const noteTime = (at: number): void => {
    aheadMs = at - Date.now()
  }
  api.use({
    onResponse({ response }) {
      const at = Date.parse(response.headers.get('date') ?? '')
      if (!Number.isNaN(at)) noteTime(at)
    },
  })
  let live: ReturnType<typeof openLive> | null = null
  return {
    api,
    head: () => ({ id: randomUUID(), until: Date.now() + aheadMs + COMMAND_MS }),
    watch: (view, show) => {
      live ??= openLive({ url, headers, onTime: noteTime })
      return live.watch(view, show)
    },
    connection: () => live?.connection.getState().word ?? null,
    close: () => live?.close(),
  }
}

/** The content of an answer. Throws ConveneRefused. */
export function contentOf<T>({ data, error, response }: { data?: T; error?: Refusal; response: Response }): T {
  if (error) throw new ConveneRefused(response.status, error.error, error.message)
  if (data === undefined)
    throw new ConveneRefused(response.status, 'INTERNAL', `The server answered ${response.status}.`)
  return data
}

/** The socket and the views of the console (docs/socket.md), without a page around them. */
function openLive({
  url,
  headers,
  onTime,
}: {
  url: string
  headers: Record<string, string>
  onTime: (at: number) => void
}) {
  const send: SendToServer = (event, message) => socket.send(event, message)
  const schedule = (flush: () => void): void => void setImmediate(flush)
  const views = createViews({ send, schedule, later: (release) => release() })
  const socket = createSocket({
    views,
    live: createLive({ send, schedule, onDraft: nothing, onSettings: nothing }),
    syncServerTime: onTime,
    onOpen: nothing,
    onSignedOut: nothing,
    open: () => io(url, { path: '/socket.io', transports: ['websocket'], extraHeaders: headers, autoConnect: false }),
    onNetwork: () => nothing,
    isNetworkUp: () => true,
  })
  const leave = socket.connect()
  return {
    watch<V extends RowView>(view: V, show: (shown: ShownRows<V>) => void): () => void {
      const store = views.store(view)
      const tell = ({ status, reason, content }: ViewState): void => {
        if (status === 'closed') show({ status, reason: reason ?? 'bad-view' })
        else if (status === 'open') show({ status, rows: (content?.list ?? []) as readonly RowsOf<V>[] })
      }
      const stop = store.subscribe(tell)
      const leaveView = views.open(view)
      tell(store.getState())
      return () => {
        stop()
        leaveView()
      }
    },
    connection: socket.connection,
    close: leave,
  }
}
