/** A person of the team, who answers in a browser. */

import { mayBeAskedIn } from '../access/visibility'
import { isOpen } from '../statuses'
import { selectStep } from '../team/agents'
import type { Member } from './member'

export const personMember: Member = {
  whyNoAnswer(world, { id, access, paused }, asked) {
    if (access === 'none') return 'noAccess'
    if (asked.kind === 'message' && !mayBeAskedIn(world, asked.task, id)) return 'notInTask'
    const request = asked.request === null ? undefined : world.requests[asked.task]?.[asked.request]
    if (!request || !isOpen(request)) return 'noReply'
    return paused === null ? null : 'paused'
  },

  whyNoJudge: (_, { access }) => (access === 'none' ? 'gone' : null),

  // It is over when they mark it as done.
  partMoves: () => true,

  /** Steps that they started by hand: one at a time, in their order, outside all limits. */
  nextStep(world, { id }, { todo }) {
    for (const { task, step } of todo) {
      const next = selectStep(world, task, id, step)
      if (next?.byHand && !world.tasks[task]?.paused) return next
    }
    return null
  },
}
