/** A request as a card shows it, made from a task's log. Pure; rows of the inbox hold the same. */

import { aboutOfRequest } from '@/lib/mas/asks/requestAbout'
import { selectAwaitingAsker } from '@/lib/mas/asks/requests'
import type { AgentId, SenderId } from '@/lib/mas/ids'
import type { RequestRecord, World } from '@/lib/mas/records'
import { type RequestShown, requestFacts } from '@/lib/wire/requestFacts'
import type { Who } from '@/lib/wire/rows'
import { whoOf } from '@/lib/wire/who'

/** An agent or person for a chip or avatar. */
export const whoInWorld = (world: Pick<World, 'agents'>, id: SenderId): Who =>
  whoOf(world, id, { name: id.slice(0, 8), kind: 'llm' })

export function shownFromWorld(world: World, request: RequestRecord, me: AgentId): RequestShown {
  const asker = selectAwaitingAsker(request)
  const held = asker === null ? [] : [asker]
  return requestFacts(world, request, me, {
    whoOf: whoInWorld,
    held,
    about: aboutOfRequest(world, request),
    isKnown: () => true,
  })
}
