/** The budgets of the team, with their use and what has stopped at them. They are set by POST /api/setup. */

import { canSeeAll } from '@/lib/mas/access/access'
import { BUDGET_KINDS, BUDGETS, type BudgetKind } from '@/lib/mas/limits/budgets'
import { mostUsed, selectBudgetStops, selectBudgetUse } from '@/lib/mas/limits/budgetUse'
import { dayOf } from '@/lib/mas/limits/limits'
import type { AgentRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/team/agents'
import type { BudgetsAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import type { Routes } from '../../route'

export function addBudgetRoutes({ add, gateway }: Routes): void {
  add('GET /api/budgets', {
    scope: 'read',
    summary:
      'The limits of tokens and money: what is used of them today, by whom the most, and what has stopped at them. Participants see their own.',
    answers: schemas.budgetsAnswer,
    async handle({ person }) {
      const world = gateway.engine.world()
      const day = dayOf(gateway.now())
      const isOperator = person.access === 'operator'
      return {
        day,
        mayChange: isOperator && gateway.setup !== undefined,
        budgets: canSeeAll(person)
          ? BUDGET_KINDS.map((kind) => shownBudget(world, kind, day, isOperator))
          : [ownBudget(world, person, day)],
      }
    },
  })
}

type Shown = BudgetsAnswer['budgets'][number]

function shownBudget(world: World, kind: BudgetKind, day: string, isOperator: boolean): Shown {
  const { key, set } = BUDGETS[kind]
  const changes = world.setup.budget[key]?.changes ?? []
  const newest = isOperator ? changes.at(-1) : undefined
  const most = mostUsed(selectBudgetUse(world, kind, day))
  return {
    kind,
    key,
    limit: world.team.limits[set] ?? null,
    most: most && { name: most.name, used: most.used, limit: most.limit },
    stops: selectBudgetStops(world)[kind].map(({ name, request }) => ({ name, request: isOperator ? request : null })),
    seen: changes.at(-1)?.seq ?? 0,
    change: newest
      ? {
          at: newest.at,
          by: newest.by === null ? null : selectName(world, newest.by),
          before: newest.before?.limit ?? null,
        }
      : null,
  }
}

/** The budget of the work that this person asked for. */
function ownBudget(world: World, { id, name }: AgentRecord, day: string): Shown {
  const { key, set } = BUDGETS.personCost
  const limit = world.team.limits[set] ?? null
  const own = selectBudgetUse(world, 'personCost', day).find(({ of }) => of === id)
  return {
    kind: 'personCost',
    key,
    limit,
    most: { name, used: own?.used ?? 0, limit: own?.limit ?? limit },
    stops: selectBudgetStops(world).personCost.flatMap(({ of }) => (of === id ? [{ name, request: null }] : [])),
    seen: 0,
    change: null,
  }
}
