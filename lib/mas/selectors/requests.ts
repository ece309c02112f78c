/** Questions about requests: what one is about, and whether that is still so. */

import type { RequestRecord, World } from '../records'
import { isOpen } from '../reduce/request'

type About = Pick<RequestRecord, 'task' | 'stage' | 'call'>

/** What a request is about, as it is now: the digest of the call, or the state of its stage. */
export const fingerprintOf = (world: Pick<World, 'stages'>, { task, stage, call }: About): string =>
  call?.digest ?? (stage === null ? '' : (world.stages[task]?.[stage]?.state ?? ''))

/** It is open, and what it is about is not what it was when it was asked. */
export const hasChanged = (world: Pick<World, 'stages'>, request: RequestRecord): boolean =>
  isOpen(request) && fingerprintOf(world, request) !== request.fingerprint
