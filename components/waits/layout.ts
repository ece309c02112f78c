/** Positions of members and waits in the graph: a waiting member is left of the one it waits for. Pure. */
import type { Identity } from '@/components/ui/marks/identity'
import { gather } from '@/lib/gather'
import type { WaitRow } from '@/lib/wire'
import { waiterOf } from './waitList'

export type GraphEdge = {
  id: string
  from: string
  to: string
  since: number
  /** It closes a circle, so it points back. */
  isBack: boolean
}
export type GraphNode = { id: string; who: Identity; column: number; line: number }
/** Members connected by waits. */
export type GraphGroup = {
  nodes: readonly GraphNode[]
  edges: readonly GraphEdge[]
  columns: number
  lines: number
  rows: readonly WaitRow[]
}

function edgesOf(rows: readonly WaitRow[]): GraphEdge[] {
  const edges = new Map<string, GraphEdge>()
  for (const row of rows) {
    const from = waiterOf(row).id
    for (const to of row.forWhom) {
      const id = `${from}>${to.id}`
      const known = edges.get(id)
      if (known && known.since <= row.since) continue
      edges.set(id, { id, from, to: to.id, since: row.since, isBack: false })
    }
  }
  return [...edges.values()]
}

/** Groups in the order of their first row, so that the worst is at the top. */
export function graphGroupsOf(rows: readonly WaitRow[]): GraphGroup[] {
  const group = new Map<string, string>()
  const top = (id: string): string => {
    let at = id
    for (let up = group.get(at); up !== undefined && up !== at; up = group.get(at)) at = up
    return at
  }
  for (const row of rows) {
    const asker = waiterOf(row).id
    if (!group.has(asker)) group.set(asker, asker)
    for (const who of row.forWhom) {
      if (!group.has(who.id)) group.set(who.id, who.id)
      group.set(top(who.id), top(asker))
    }
  }
  return [...gather(rows, (row) => [top(waiterOf(row).id)]).values()].map(groupOf)
}

function groupOf(rows: readonly WaitRow[]): GraphGroup {
  const people = new Map<string, Identity>()
  for (const row of rows) for (const who of [waiterOf(row), ...row.forWhom]) people.set(who.id, who)
  const edges = markBack(edgesOf(rows), [...people.keys()])
  const columns = columnsOf(edges, [...people.keys()])
  const nodes = linesOf(people, edges, columns)
  return {
    nodes,
    edges,
    columns: Math.max(0, ...nodes.map((node) => node.column)) + 1,
    lines: Math.max(0, ...nodes.map((node) => node.line)) + 1,
    rows,
  }
}

/** The edges that close a circle, found by a walk from members nobody waits for. */
function markBack(edges: readonly GraphEdge[], ids: readonly string[]): GraphEdge[] {
  const waitedFor = new Set(edges.map((edge) => edge.to))
  const state = new Map<string, 'open' | 'over'>()
  const back = new Set<string>()
  const visit = (id: string): void => {
    state.set(id, 'open')
    for (const edge of edges) {
      if (edge.from !== id) continue
      const there = state.get(edge.to)
      if (there === 'open') back.add(edge.id)
      else if (there === undefined) visit(edge.to)
    }
    state.set(id, 'over')
  }
  for (const id of [...ids].sort((a, b) => Number(waitedFor.has(a)) - Number(waitedFor.has(b))))
    if (!state.has(id)) visit(id)
  return edges.map((edge) => ({ ...edge, isBack: back.has(edge.id) }))
}

/** The longest path from the left; edges that point back do not count. */
function columnsOf(edges: readonly GraphEdge[], ids: readonly string[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>()
  const columnOf = (id: string): number => {
    const known = columns.get(id)
    if (known !== undefined) return known
    const before = edges.filter((edge) => edge.to === id && !edge.isBack)
    const column = Math.max(-1, ...before.map((edge) => columnOf(edge.from))) + 1
    columns.set(id, column)
    return column
  }
  for (const id of ids) columnOf(id)
  return columns
}

/** Beside the middle of those that wait for them, in a free cell. */
function linesOf(
  people: ReadonlyMap<string, Identity>,
  edges: readonly GraphEdge[],
  columns: ReadonlyMap<string, number>,
): GraphNode[] {
  const nodes: GraphNode[] = []
  const line = new Map<string, number>()
  const last = Math.max(0, ...columns.values())
  for (let column = 0; column <= last; column += 1) {
    const here = [...people.values()].filter((who) => columns.get(who.id) === column)
    const preferred = (who: Identity): number => {
      const before = edges.filter((edge) => edge.to === who.id && !edge.isBack).map((edge) => line.get(edge.from) ?? 0)
      return before.length === 0 ? 0 : before.reduce((sum, one) => sum + one, 0) / before.length
    }
    const placed = here.map((who) => ({ who, at: preferred(who) })).sort((a, b) => a.at - b.at)
    let free = 0
    for (const { who, at } of placed) {
      const place = Math.max(free, Math.floor(at))
      free = place + 1
      line.set(who.id, place)
      nodes.push({ id: who.id, who, column, line: place })
    }
  }
  return nodes
}

export type GraphStep = 'along' | 'against' | 'up' | 'down' | 'first' | 'last'

/** Where an arrow key leads: along a wait, against it, or to the neighbour above or below. */
export function neighbourOf(groups: readonly GraphGroup[], id: string, step: GraphStep): string | null {
  const all = groups.flatMap((group) => [...group.nodes])
  const group = groups.find((one) => one.nodes.some((node) => node.id === id))
  const at = all.findIndex((node) => node.id === id)
  switch (step) {
    case 'along':
      return group?.edges.find((edge) => edge.from === id)?.to ?? null
    case 'against':
      return group?.edges.find((edge) => edge.to === id)?.from ?? null
    case 'up':
      return all[at - 1]?.id ?? null
    case 'down':
      return all[at + 1]?.id ?? null
    case 'first':
      return all[0]?.id ?? null
    case 'last':
      return all.at(-1)?.id ?? null
  }
}
