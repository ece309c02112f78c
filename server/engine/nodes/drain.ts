/** Stopping one of several nodes: another one decides at once, and running steps may finish. */
import type { Nodes } from '../../nodes'
import { type Schedule, within } from '../../shared/later'
import type { Committer } from '../commands/committer'
import type { Saying } from '../dispatch/workers'
import type { Runner } from '../steps/runner'

/** Time for running calls of models and tools, ms. */
export const DRAIN_MS = 5_000

type DrainParts = {
  nodes: Pick<Nodes, 'isAlone'>
  work: Saying
  runner: Pick<Runner, 'drain'>
  committer: Pick<Committer, 'stepDown' | 'state'>
  schedule: Schedule
}

/** Resolves when no step runs here any more, or after DRAIN_MS. A single node does nothing. */
export async function drain({ nodes, work, runner, committer, schedule }: DrainParts): Promise<void> {
  // Without the store no outcome can be recorded.
  if (nodes.isAlone() || committer.state().is === 'lost') return
  const ended = runner.drain()
  // Before the next node decides, so that it does not recover the reported attempts.
  work.leave()
  committer.stepDown()
  await within(DRAIN_MS, schedule, ended)
}
