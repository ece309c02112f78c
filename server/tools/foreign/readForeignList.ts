/** All pages of one list of a server. Every form of paging ends, and a page that fails loses only what follows it. */
import { takingTurns } from '@/server/shared/pieces'
import { timeInWords } from '../limits'
import { isMethodMissing, isTimeout } from './mcpErrors'
import { type ReadItem, readPage } from './readOffer'
import { type Unread, UnreadList } from './unread'

/** A list may be endless. */
const MOST_PAGES = 100

/** fault: why the first page did not come; the list is unknown then. */
export type ForeignList<Item> = { items: Item[]; unread: Unread[]; fault: unknown }

export type ListOptions<Item> = {
  /** Its name in the answer, as `tools`. */
  key: string
  read: ReadItem<Item>
  nameOf: (item: Item) => string
  /** One page, within this time. Rejects as the client does. */
  ask: (params: { cursor?: string }, timeLimitMs: number) => Promise<unknown>
  /** For all pages together, in ms. */
  timeLimitMs: number
  faultInWords: (fault: unknown) => string
}

/** Never rejects. A list that is announced but not implemented (method not found) is empty. */
export async function readForeignList<Item>(options: ListOptions<Item>): Promise<ForeignList<Item>> {
  const { key, ask, timeLimitMs } = options
  const endsAt = performance.now() + timeLimitMs
  const unread = new UnreadList()
  const items = new Map<string, Item>()
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    try {
      const answer = await ask(cursor === undefined ? {} : { cursor }, Math.max(1, endsAt - performance.now()))
      const { items: given, next } = readPage(answer, key, unread)
      await readItems(given, options, items, unread)
      cursor = cursorIn(next, key, unread)
    } catch (fault) {
      if (isMethodMissing(fault)) break
      if (page === 0) return { items: [], unread: unread.all(), fault }
      if (isTimeout(fault)) unread.add('silent', `${key}, page ${page + 1},`, timeInWords(timeLimitMs))
      else unread.add('failed', `${key}, page ${page + 1},`, options.faultInWords(fault))
      break
    }
    if (cursor === undefined) break
    if (seen.has(cursor)) {
      unread.add('circle', key, cursor)
      break
    }
    seen.add(cursor)
    if (page === MOST_PAGES - 1) unread.add('pages', key, String(MOST_PAGES))
  }
  return { items: [...items.values()], unread: unread.all(), fault: null }
}

/** Of items with one name the first counts. The same item again is nothing to tell. */
async function readItems<Item>(
  given: readonly unknown[],
  { key, read, nameOf }: ListOptions<Item>,
  items: Map<string, Item>,
  unread: UnreadList,
): Promise<void> {
  // Reading thousands takes longer than the event loop may stand.
  const turn = takingTurns()
  for (const [index, one] of given.entries()) {
    const at = `${key}[${index}]`
    const item = read(one, at, unread)
    if (item !== null) {
      const before = items.get(nameOf(item))
      if (before === undefined) items.set(nameOf(item), item)
      else if (JSON.stringify(before) !== JSON.stringify(item)) unread.add('twice', at, nameOf(item))
    }
    await turn()
  }
}

/** Where the next page begins; undefined: there is none. An empty text is a place like any other. */
function cursorIn(next: unknown, key: string, unread: UnreadList): string | undefined {
  if (typeof next === 'string') return next
  if (typeof next === 'number') return String(next)
  if (next !== false) unread.other(next, `${key}: nextCursor`)
  return undefined
}
