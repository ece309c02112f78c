/** Which rows of "Needs me" are open; the others are one line. */
import { useState } from 'react'
import { opensByItself } from './MessageItem'
import { itemOf, type OpenRow } from './rows'

type First = { request: string | null; message: string | null }

/**
 * The first request opens automatically, and the first message with more than a line that is not long. They stay open when
 * a row is added above them. When one leaves, the next one opens, unless the reader opened one of that kind.
 *
 * in      rows in the order of the list; item: the address names it, so it is open
 */
export function useOpenRows(rows: readonly OpenRow[], item: string | null) {
  const [turned, setTurned] = useState<Readonly<Record<string, boolean>>>({})
  const [first, setFirst] = useState<First>({ request: null, message: null })
  const next = nextFirst(rows, first, turned)
  if (next.request !== first.request || next.message !== first.message) setFirst(next)
  return {
    isOpen: (row: OpenRow): boolean => {
      const id = itemOf(row)
      return turned[id] ?? (id === item || id === next.request || id === next.message)
    },
    /** By the reader; it stays so until its row leaves. */
    turn: (id: string, isOpen: boolean): void => setTurned((old) => ({ ...old, [id]: isOpen })),
  }
}

/** in: first: those that opened by themselves before; turned: what the reader opened (true) and closed */
export function nextFirst(rows: readonly OpenRow[], first: First, turned: Readonly<Record<string, boolean>>): First {
  const pick = (kind: OpenRow['kind']): string | null => {
    const all = rows.filter((row) => row.kind === kind && (row.kind === 'request' || opensByItself(row))).map(itemOf)
    const before = first[kind]
    if (before !== null && all.includes(before)) return before
    return all.some((id) => turned[id]) ? null : (all.find((id) => turned[id] === undefined) ?? null)
  }
  return { request: pick('request'), message: pick('message') }
}
