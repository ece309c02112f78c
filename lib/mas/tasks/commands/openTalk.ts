/** A private conversation of two begins. */

import { Fault } from '@/lib/faults'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { presentAgent } from '../../commands/visible'
import type { AgentId, TaskId } from '../../ids'
import type { Json } from '../../records'
import { selectTalk, selectTalkable } from '../talks'

/** out: the task, which may have been there before. Throws RECEIVER_UNKNOWN, RECEIVER_GONE. */
export function openTalk(context: DecisionContext, person: AgentId, { with: other }: CommandOf<'openTalk'>): Json {
  const known = selectTalk(context.world, person, other)
  if (known !== null) return { task: known.id, made: false }
  const member = presentAgent(context, other)
  const asker = context.world.agents[person]
  if (asker === undefined || !selectTalkable(context.world, asker).includes(member)) {
    throw new Fault('RECEIVER_UNKNOWN', { id: other })
  }
  const task = context.id<TaskId>()
  context.emit('task.added', {
    task,
    name: context.names([person, other]),
    intention: '',
    manager: null,
    group: [person, other],
    base: false,
    requestedBy: null,
    requestedIn: null,
    madeFor: person,
    talk: true,
  })
  context.emit('task.started', { task })
  return { task, made: true }
}
