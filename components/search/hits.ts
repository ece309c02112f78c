import { pathTo } from '@/client/nav'
import type { SearchHit } from '@/lib/wire'
import { SEARCH_KINDS, type SearchKind } from '@/lib/wire/search'

/** in: `?kind=` of the address. out: null: all kinds */
export const searchKindOf = (name: string | null): SearchKind | null =>
  SEARCH_KINDS.find((kind) => kind === name) ?? null

/** out: null when the hit is in no task */
export function hrefOf({ kind, id, task }: Pick<SearchHit, 'kind' | 'id' | 'task'>): string | null {
  if (kind === 'agent') return pathTo('agent', { agentId: id })
  if (kind === 'request') return pathTo('request', { requestId: id })
  if (task === null) return null
  switch (kind) {
    case 'task':
      return pathTo('task', { taskId: task })
    case 'stage':
      return pathTo('stage', { taskId: task, stageId: id })
    case 'message':
      return pathTo('message', { taskId: task, messageId: id })
    case 'step':
      return pathTo('step', { taskId: task, stepId: id })
  }
}

export const searchHref = (query: string, kind: SearchKind | null = null): string =>
  `${pathTo('search')}?${new URLSearchParams({ q: query, ...(kind === null ? {} : { kind }) })}`

/** The hits by kind, in the order of SEARCH_KINDS; empty kinds are left out. */
export const hitGroupsOf = (hits: readonly SearchHit[]): { kind: SearchKind; hits: SearchHit[] }[] =>
  SEARCH_KINDS.map((kind) => ({ kind, hits: hits.filter((hit) => hit.kind === kind) })).filter(
    ({ hits: inGroup }) => inGroup.length > 0,
  )
