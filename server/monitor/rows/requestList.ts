/** The requests that one person may read, for callers without a socket. */

import { isVisibleRequest, threadsOf } from '@/lib/mas/access/visibility'
import { isNumbered } from '@/lib/mas/asks/requests'
import type { AgentId } from '@/lib/mas/ids'
import type { NumberedRequest, RequestRecord, World } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'
import type { RequestRow } from '@/lib/wire/rows'
import { accessLevelOf, hasAccess, seesThreadsOnly } from '../scopes'
import { groupOfRequest } from './openItems'
import { requestRowOf } from './requestRow'
import { padded } from './source'

/**
 * Those that `isWanted` takes, oldest first. Rights are those of the views: all for operators and developers; for a
 * participant the requests of their tasks, and of the base task those of their threads and those put to them.
 *
 * out     the records in their order, and how one of them is drawn for this person
 */
export function requestsFor(
  world: World,
  person: AgentId,
  isWanted: (request: RequestRecord) => boolean,
): { requests: NumberedRequest[]; rowOf: (request: NumberedRequest) => RequestRow } {
  const level = accessLevelOf(world, person)
  const tasks = level === null ? [] : Object.values(world.tasks).filter(({ id }) => hasAccess(world, level, person, id))
  const requests = tasks.flatMap(({ id }) => {
    const own = Object.values<RequestRecord>(world.requests[id] ?? {}).filter(isNumbered)
    const threads = level !== null && seesThreadsOnly(world, level, id) ? threadsOf(world, id, person) : null
    return own.filter(
      (request) => (threads === null || isVisibleRequest(request, threads, person)) && isWanted(request),
    )
  })
  const reader = { reach: level ?? ('own' as const), person, tasks: tasks.map(({ id }) => id) }
  return {
    requests: requests.sort((a, b) => a.openedSeq - b.openedSeq || (a.id < b.id ? -1 : 1)),
    rowOf: (request) => {
      const group = isOpen(request) ? groupOfRequest(request) : 'done'
      return requestRowOf(world, reader, request, group, padded(request.openedSeq))
    },
  }
}
