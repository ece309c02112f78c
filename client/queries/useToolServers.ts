/** The tool servers of which this member may run tools by hand, with those tools. No view carries them. */

import type { ToolOffer, ToolServerAnswer, ToolServersAnswer } from '@/lib/wire'
import type { CallRefused } from '../api'
import { invalidate, useApiQueries, useApiQuery } from '.'

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
  refetch: () => void
}

const TOOLS = '/api/tools'
/** Age after which they are fetched again when the page is opened. */
const FRESH_MS = 15_000

/** in: isEager: also connects to servers that are not connected */
export function useToolServers(isEager: boolean): ToolCatalogue {
  const { data, error } = useApiQuery<ToolServersAnswer>(TOOLS, { freshMs: FRESH_MS })
  const mine = data?.servers.filter(({ mayRun }) => mayRun) ?? []
  const offered = useApiQueries<ToolServerAnswer>(
    mine.map(({ name, state }) => ({
      path: `${TOOLS}/${encodeURIComponent(name)}`,
      isWanted: isEager || state === 'connected',
    })),
    FRESH_MS,
  )
  return {
    isLoading: data === undefined && error === null,
    fault: error,
    servers: mine.map(({ name, guide, state, error }, at) => {
      const { data: found, error: fault = null } = offered[at] ?? {}
      if (fault !== null) return { name, guide, state: 'failed', error, offers: [], unread: [], fault }
      if (found === undefined) return { name, guide, state, error, offers: null, unread: [], fault }
      return { name, guide, state: found.state, error: found.error, offers: found.tools, unread: found.unread, fault }
    }),
    refetch: () => invalidate(TOOLS),
  }
}
