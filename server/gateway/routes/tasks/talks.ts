/** Private conversations of two members. */
import * as schemas from '@/lib/wire/http'
import { resolveKnownAgent } from '../../records/resolve'
import type { Routes } from '../../route'

export function addTalkRoutes({ addCommand }: Routes): void {
  addCommand({
    path: '/api/talks',
    scope: 'ask',
    summary:
      'The private conversation of the caller with a member: a task of the two, which nobody else reads. The one there is, or a new one.',
    body: schemas.postTalk,
    command: ({ world, body }) => ({ type: 'openTalk', with: resolveKnownAgent(world, body.with).id }),
  })
}
