/**
 * The tools that this member may run by hand, by server.
 *
 * No view carries tools, so they are fetched again when the page is opened after a while.
 */
import { useCallback, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useMe } from '@/client/account/session'
import { type CallRefused, call } from '@/client/api'
import type { ToolOffer, ToolServerAnswer, ToolServersAnswer } from '@/lib/wire'

/**
 * offers null: not fetched yet; unread: what of its lists could not be read, in sentences; fault: why they could not be fetched;
 * error: why Convene cannot reach the server.
 */
export type ListedToolServer = Pick<ToolServersAnswer['servers'][number], 'name' | 'guide' | 'state' | 'error'> & {
  offers: readonly ToolOffer[] | null
  unread: readonly string[]
  fault: CallRefused | null
}
/** The server cannot be reached. */
export const isAway = ({ state, offers }: ListedToolServer): boolean => offers?.length === 0 && state !== 'connected'
type ToolCatalogue = {
  isLoading: boolean
  /** Of the last request for the list. */
  fault: CallRefused | null
  servers: readonly ListedToolServer[]
}

const NONE: ToolCatalogue = { isLoading: true, fault: null, servers: [] }
const held = createStore<ToolCatalogue & { of: string | null; at: number }>()(() => ({ ...NONE, of: null, at: 0 }))

/** Age after which the list is fetched again when the page is opened. */
const FRESH_MS = 15_000

/**
 * Fetch the servers, and the tools of each.
 *
 * in      isEager: also connects to servers that are not connected
 */
async function load(person: string, isEager: boolean): Promise<void> {
  const before = held.getState()
  held.setState(before.of === person ? { at: Date.now() } : { ...NONE, of: person, at: Date.now() })
  const answer = await call<ToolServersAnswer>('GET', '/api/tools')
  if (held.getState().of !== person) return
  if (!answer.ok) {
    held.setState({ isLoading: false, fault: answer.fault })
    return
  }
  const known = held.getState().servers
  const mine = answer.value.servers.filter(({ mayRun }) => mayRun)
  held.setState({
    isLoading: false,
    fault: null,
    servers: mine.map(({ name, guide, state, error }) => {
      const before = known.find((one) => one.name === name)
      return {
        offers: null,
        unread: [],
        fault: null,
        ...before,
        name,
        guide,
        state,
        error: error ?? before?.error ?? null,
      }
    }),
  })
  const asked = mine.filter(({ state }) => isEager || state === 'connected')
  await Promise.all(asked.map(({ name }) => loadServer(person, name)))
}

async function loadServer(person: string, name: string): Promise<void> {
  const answer = await call<ToolServerAnswer>('GET', `/api/tools/${encodeURIComponent(name)}`)
  if (held.getState().of !== person) return
  held.setState(({ servers }) => ({
    servers: servers.map((server) => {
      if (server.name !== name) return server
      if (!answer.ok) return { ...server, state: 'failed', fault: answer.fault, offers: server.offers ?? [] }
      const { state, error, tools, unread } = answer.value
      return { ...server, state, error, offers: tools, unread, fault: null }
    }),
  }))
}

/** in: isEager as above */
export function useTools(isEager: boolean): ToolCatalogue & { reload: () => void } {
  const person = useMe()?.person.agent_id ?? null
  const reload = useCallback(() => {
    if (person !== null) void load(person, isEager)
  }, [person, isEager])
  useEffect(() => {
    // Joins the server: fetched while the page is open, unless the cache is fresh.
    const { of, at, servers } = held.getState()
    const isWhole = !isEager || servers.every(({ offers }) => offers !== null)
    if (of !== person || Date.now() - at > FRESH_MS || !isWhole) reload()
  }, [person, isEager, reload])
  const { isLoading, fault, servers, of } = useStore(held)
  return of === person ? { isLoading, fault, servers, reload } : { ...NONE, reload }
}
