/** One request as a row: of the inbox, or of a list. */

import { isVisibleMessage, threadsOf } from '@/lib/mas/access/visibility'
import { aboutOfRequest, type RequestAbout } from '@/lib/mas/asks/requestAbout'
import { selectAwaitingAsker } from '@/lib/mas/asks/requests'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { NumberedRequest, RequestRecord, World } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'
import { selectHeldUp } from '@/lib/mas/waits/waits'
import { requestFacts } from '@/lib/wire/requestFacts'
import type { RequestRow } from '@/lib/wire/rows'
import { whoOf } from '@/lib/wire/who'
import { type AccessLevel, seesThreadsOnly } from '../scopes'

/** tasks: those that they may read; people from other tasks are not named. */
export type Reader = { reach: AccessLevel; person: AgentId; tasks: readonly TaskId[] }

/** Who waits until this is answered: its asker first, then those who wait for them, and so on. */
export function heldBy(world: World, request: RequestRecord): readonly AgentId[] {
  const asker = selectAwaitingAsker(request)
  return asker === null ? [] : [asker, ...selectHeldUp(world, { agent: asker, lock: request }).agents]
}

/** Nothing of a thread that the reader was not in when they were asked. */
function aboutFor(world: World, reach: AccessLevel, person: AgentId, request: RequestRecord): RequestAbout | null {
  const about = aboutOfRequest(world, request)
  if (about?.kind !== 'message' || !seesThreadsOnly(world, reach, request.task)) return about
  const message = world.messages[request.task]?.[about.id]
  return message && isVisibleMessage(message, threadsOf(world, request.task, person), person) ? about : null
}

export function requestRowOf(
  world: World,
  { reach, person, tasks }: Reader,
  request: NumberedRequest,
  group: RequestRow['group'],
  sort: string,
): RequestRow {
  const isKnown = (id: AgentId): boolean => tasks.some((one) => world.tasks[one]?.group.includes(id))
  const held = isOpen(request) ? heldBy(world, request).filter(isKnown) : []
  const about = aboutFor(world, reach, person, request)
  return {
    id: request.id,
    sort,
    kind: 'request',
    group,
    ...requestFacts(world, request, person, { whoOf, held, about, isKnown }),
  }
}
