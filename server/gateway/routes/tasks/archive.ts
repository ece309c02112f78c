import { taskAccessOf } from '@/lib/mas/access/access'
import { asId, type TaskId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/team/agents'
import type { ArchivedTask } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { withRestoredTask } from '@/server/engine/snapshots/restoredTasks'
import { notACursor } from '../../records/resolve'
import type { Routes } from '../../route'

/** Tasks that are restored for one page at most. A page may be short; its cursor then leads further. */
const MOST_READ = 200

export function addArchiveRoutes({ add, gateway }: Routes): void {
  const { engine, past } = gateway

  async function shownTo(person: AgentRecord, id: TaskId, archivedAt: number): Promise<ArchivedTask | null> {
    const found = await past.task(id)
    if (!found) return null
    const world = withRestoredTask(engine.world(), found)
    const task = world.tasks[id]
    if (!task || taskAccessOf(world, person, id) === null) return null
    const asker = task.requestedBy === null ? null : selectName(world, task.requestedBy)
    const { name, state, summary, endedAt } = task
    return { task: id, name, state, summary, endedAt, archivedAt, asker, members: task.group.length }
  }

  add('GET /api/tasks/archived', {
    scope: 'read',
    isCostly: true,
    summary: 'Archived tasks that the caller may read, newest first, by page.',
    query: schemas.archivedQuery,
    answers: schemas.archivedPage,
    async handle({ person, query }) {
      const all = await past.archived()
      const from =
        query.after === undefined ? 0 : all.findIndex(({ task }) => task === asId<TaskId>(query.after ?? '')) + 1
      if (query.after !== undefined && from === 0) throw notACursor()
      const tasks: ArchivedTask[] = []
      let at = from
      for (; at < all.length && tasks.length < query.limit && at - from < MOST_READ; at += 1) {
        const one = all[at]
        const row = one === undefined ? null : await shownTo(person, one.task, one.at)
        if (row) tasks.push(row)
      }
      return { tasks, next: at < all.length ? (all[at - 1]?.task ?? null) : null }
    },
  })
}
