/** Notification attempts without a recorded result. Read once, at a start. */
import type { AgentId, AttemptId, TaskId } from '../../ids'
import type { AttemptAbout, AttemptRecord, DeliveryRecord, RequestRecord, World } from '../../records'

/** One try may be about several things. */
export type UnfinishedAttempt = { attempt: AttemptRecord; items: { task: TaskId; about: AttemptAbout }[] }

export function selectUnfinishedAttempts(world: World): UnfinishedAttempt[] {
  const found = new Map<AttemptId, UnfinishedAttempt>()
  const add = (task: TaskId, about: AttemptAbout, attempts: readonly AttemptRecord[] | undefined): void => {
    for (const attempt of attempts ?? []) {
      if (attempt.outcome !== 'began') continue
      const begun = found.get(attempt.id) ?? { attempt, items: [] }
      begun.items.push({ task, about })
      found.set(attempt.id, begun)
    }
  }
  for (const requests of Object.values(world.requests)) {
    for (const { task, id, attempts } of Object.values<RequestRecord>(requests)) add(task, { request: id }, attempts)
  }
  for (const byPerson of Object.values(world.deliveries)) {
    for (const [receiver, deliveries] of Object.entries(byPerson) as [AgentId, Record<string, DeliveryRecord>][]) {
      if (world.agents[receiver]?.kind !== 'human') continue
      for (const { task, message, attempts } of Object.values(deliveries)) add(task, { message, receiver }, attempts)
    }
  }
  return [...found.values()]
}
