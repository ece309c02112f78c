/** Rows in a tool's result: a list of flat objects is drawn as a table. Pure. */
import { isJsonObject } from '@/lib/json'
import type { Json } from '@/lib/mas/records'

export type Rows = { columns: string[]; cells: Json[][] }

/** More columns than this are not drawn as a table. */
const MOST_COLUMNS = 20

const isFlat = (value: Json): boolean => typeof value !== 'object' || value === null

/** The rows of a list of flat objects, or of the only such list in an object; null: there are none. */
export function rowsIn(value: Json): Rows | null {
  if (Array.isArray(value)) return rowsOf(value)
  if (!isJsonObject(value)) return null
  const lists = Object.values(value).filter((inner): inner is Json[] => Array.isArray(inner))
  const [only] = lists
  const isRest = Object.values(value).every((inner) => Array.isArray(inner) || isFlat(inner))
  return lists.length === 1 && only !== undefined && isRest ? rowsOf(only) : null
}

function rowsOf(list: readonly Json[]): Rows | null {
  if (list.length === 0) return null
  const columns = new Set<string>()
  for (const one of list) {
    if (!isJsonObject(one) || !Object.values(one).every(isFlat)) return null
    for (const name of Object.keys(one)) columns.add(name)
  }
  if (columns.size === 0 || columns.size > MOST_COLUMNS) return null
  const names = [...columns]
  return {
    columns: names,
    cells: list.map((one) => names.map((name) => (isJsonObject(one) ? (one[name] ?? null) : null))),
  }
}
