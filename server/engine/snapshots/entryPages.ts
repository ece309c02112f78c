/** Reads entries page by page. */
import { decodeEntry } from '@/lib/mas/decode'
import type { Entry } from '@/lib/mas/events'
import type { StoredEntry } from '../../store'

/** in: read: entries after that number, in order, at most `limit`. out: their pages, decoded; the last one may be empty */
export async function* entryPages(
  read: (after: number, limit: number) => Promise<StoredEntry[]>,
  from: number,
  limit: number,
): AsyncGenerator<Entry[]> {
  for (let after = from; ; ) {
    const page = (await read(after, limit)).map(decodeEntry)
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return
    after = last.seq
  }
}
