/** The numbers of the team. A participant's are those of their own tasks. */
import { Fault } from '@/lib/faults'
import { isTimeZone } from '@/lib/format/timeZones'
import { canSeeAll, taskAccessOf } from '@/lib/mas/access/access'
import { HOUR_MS } from '@/lib/mas/limits/counters'
import type { AgentRecord, TaskRecord, World } from '@/lib/mas/records'
import * as schemas from '@/lib/wire/http'
import { withRestoredTask } from '@/server/engine/snapshots/restoredTasks'
import { numbersOf, recentActivity } from '@/server/numbers'
import { resolveKnownAgent } from '../../records/resolve'
import type { Routes } from '../../route'

const DAY_MS = 24 * 3_600_000
const MOST_DAYS = 366
const ACTIVITY_DAYS = 15
/** Tasks of a participant that left the world, at most: each is restored for its rights. */
const MOST_PAST = 200

export function addNumbersRoutes({ add, gateway }: Routes): void {
  const { engine, store, past, now } = gateway

  /**
   * Tasks of which the person may read all, so that no sum says more than they could add up; null: all tasks.
   *
   * in      since: the first moment that counts, epoch ms
   */
  async function tasksOf(person: AgentRecord, since: number): Promise<string[] | null> {
    if (canSeeAll(person)) return null
    const world = engine.world()
    const isWhole = (from: World, { id, base }: TaskRecord): boolean =>
      !base && taskAccessOf(from, person, id)?.upTo === Number.POSITIVE_INFINITY
    const live = Object.values<TaskRecord>(world.tasks)
    const mine = live.filter((task) => isWhole(world, task)).map(({ id }): string => id)
    const isLive = new Set<string>(live.map(({ id }) => id))
    const was = (await store.search.tasksOf(person.id)).filter((id) => !isLive.has(id))
    const hours = { from: Math.floor(since / HOUR_MS), to: Number.MAX_SAFE_INTEGER }
    const counted = await store.counters.sum(['task'], { ...hours, tasks: was })
    for (const { task: id = '' } of counted.slice(0, MOST_PAST)) {
      const found = await past.task(id)
      const task = found?.piece.tasks
      if (found && task && isWhole(withRestoredTask(world, found), task)) mine.push(id)
    }
    return mine
  }

  const pastName = async (id: string): Promise<string | null> => (await past.task(id))?.piece.tasks?.name ?? null

  add('GET /api/numbers', {
    scope: 'read',
    isCostly: true,
    summary: 'What was done, used and waited for, by day, member, model and task. Participants: of their own tasks.',
    query: schemas.numbersQuery,
    answers: schemas.numbersAnswer,
    async handle({ person, world, query }) {
      const { from, to, zone, agent, ...rest } = query
      if (!isTimeZone(zone)) throw new Fault('BAD_INPUT', { why: `There is no time zone ${zone}.` })
      const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
      if (days < 1) throw new Fault('BAD_INPUT', { why: 'The last day is before the first.' })
      if (days > MOST_DAYS) throw new Fault('BAD_INPUT', { why: `At most ${MOST_DAYS} days can be asked for at once.` })
      const wish = {
        from,
        to,
        zone,
        ...rest,
        ...(agent === undefined ? {} : { agent: resolveKnownAgent(world, agent).id }),
        tasks: await tasksOf(person, Date.parse(from) - DAY_MS),
      }
      return numbersOf({ store, world, pastName, now: now() }, wish)
    },
  })

  add('GET /api/numbers/activity', {
    scope: 'read',
    summary:
      'How many steps ended in each of the last hours (tasks) or days (members). Participants: of their own tasks.',
    query: schemas.activityQuery,
    answers: schemas.activityAnswer,
    async handle({ person, query }) {
      const of = query.of === 'tasks' ? 'task' : 'agent'
      return recentActivity(store, { of, tasks: await tasksOf(person, now() - ACTIVITY_DAYS * DAY_MS), now: now() })
    },
  })
}
