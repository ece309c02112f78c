/** An agent of the team, which a model drives. */

import { isAgentStopped, isShareStopped, isStopped } from '../limits/limits'
import { isStepOver } from '../statuses'
import { stepsIn } from '../steps/ownSteps'
import { isMember, selectStep } from '../team/agents'
import { selectCircleReplyStep } from '../waits/circleReply'
import { selectPlanRequest } from '../waits/planRequest'
import { selectReply } from '../waits/reply'
import { waitsForAnswer } from '../waits/waitsForAnswer'
import type { Member } from './member'

export const agentMember: Member = {
  whyNoAnswer(world, { id, paused, model }, asked) {
    if (asked.kind === 'message' && !isMember(world, asked.task, id)) return 'notInTask'
    const reply = selectReply(world, id, asked.id)
    // A running step ends even if its agent is paused meanwhile.
    if (reply?.state === 'running') return null
    if (paused) return 'paused'
    if (world.tasks[asked.task]?.paused) return 'taskPaused'
    if (!reply) return 'noReply'
    return world.team.models.includes(model) ? null : 'noModel'
  },

  whyNoJudge: (world, { model }) => (world.team.models.includes(model) ? null : 'noModel'),

  partMoves: (world, agent, { task, id: stage }) =>
    (world.work[agent]?.locks.length ?? 0) > 0 ||
    isShareStopped(world, { task, stage, thread: null, agent }) ||
    stepsIn(world.steps[task]?.[agent]).some((step) => step.stage === stage && !isStepOver(step)),

  /**
   * A waiting agent runs only a reply that bypasses its lock; a paused one only a prioritized step. Steps of a paused task, those at
   * a limit, and those that wait for an answer to their own question or for a decision about a plan are skipped; the order
   * within a task holds.
   */
  nextStep(world, { id, paused }, { locks, todo }) {
    if (isAgentStopped(world, id)) return null
    if (locks.length > 0) {
      const reply = paused ? null : selectCircleReplyStep(world, id)
      return reply === null || isStopped(world, reply) ? null : reply
    }
    for (const { task, step } of todo) {
      const owner = world.tasks[task]
      if (!owner || owner.paused) continue
      const next = selectStep(world, task, id, step)
      if (paused && !next?.prioritized) continue
      if (next && (isStopped(world, next) || selectPlanRequest(world, next) || waitsForAnswer(world, next))) continue
      return next
    }
    return null
  },
}
