/** An agent of another system: its steps run there. */

import { selectAskedOutside } from '../outside/outside'
import { isMember } from '../team/agents'
import type { Member } from './member'

export const outsideMember: Member = {
  whyNoAnswer(world, { id, paused }, asked) {
    if (asked.kind === 'message' && !isMember(world, asked.task, id)) return 'notInTask'
    return paused === null ? null : 'paused'
  },

  whyNoJudge: () => 'gone',

  partMoves: (world, agent, { task, id }) =>
    selectAskedOutside(world, task, agent).some((message) => message.stage === id),

  nextStep: () => null,
}
