/** People rate the result of a task. */
import { Fault } from '@/lib/faults'
import { oneLine } from '@/lib/format/plainText'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { mustFit } from '../../commands/texts'
import { seenTask } from '../../commands/visible'
import type { AgentId } from '../../ids'
import type { Json } from '../../records'
import { isTaskOver } from '../../statuses'
import { mayRate } from '../ratings'

export const RATING_CHARACTERS = 500

/** Throws NOT_FOUND, BAD_INPUT for a task that has not ended, NOT_ALLOWED, TOO_LARGE, ALREADY_SO. */
export function rateTask(context: DecisionContext, person: AgentId, input: CommandOf<'rateTask'>): Json {
  const task = seenTask(context, person, input.task)
  if (!isTaskOver(task)) throw new Fault('BAD_INPUT', { why: context.say('rateEnded') })
  if (!mayRate(context.world, person, task.id)) throw new Fault('NOT_ALLOWED', { what: `rate the task ${task.name}` })
  const { rating } = input
  const sentence = oneLine(input.sentence)
  mustFit('The sentence', sentence.length, RATING_CHARACTERS)
  const before = task.ratings?.find(({ by }) => by === person)
  if (before?.rating === rating && before.sentence === sentence)
    throw new Fault('ALREADY_SO', { what: context.say('ratedSo') })
  context.emit('task.rated', { task: task.id, agent: person, rating, sentence })
  return { task: task.id, rating, sentence }
}
