/** One stream for all viewers with the same view; it ends with the last of them. */
import { makeIds } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { REDUCER_VERSION } from '@/lib/mas/reduce'
import { isRecordView, type ParsedView, type View, WIRE_VERSION } from '@/lib/wire/views'
import { recordSource } from './records/changes'
import { rowSourceOf } from './rows'
import { recordStream, rowStream, type Stream } from './streams'
import type { Sub } from './subs'

export type SharedStream = { stream: Stream; subs: Set<Sub> }

/** The same for the same journal, view and class, on every node and after every restart. */
export const recordGen = (journal: string, key: string): string =>
  makeIds(`${journal} ${WIRE_VERSION} ${REDUCER_VERSION} ${key}`)<string>()

/** in: journal: its id; run: names this run of this process */
export function openSharedStreams({ journal, run }: { journal: string; run: string }) {
  const streams = new Map<string, SharedStream>()
  let rowGens = 0

  function make(parsed: ParsedView, scopeKey: string, key: string, world: World): Stream {
    if (isRecordView(parsed))
      return recordStream(recordSource(parsed, scopeKey), scopeKey, recordGen(journal, key), world)
    rowGens += 1
    return rowStream(rowSourceOf(parsed, scopeKey), scopeKey, `${run}.${rowGens}`, world)
  }

  return {
    all: (): Iterable<SharedStream> => streams.values(),
    size: (): number => streams.size,
    /** The stream of that view for that class; made now unless it is there. */
    of(view: View, parsed: ParsedView, scopeKey: string, world: World): SharedStream {
      const key = `${view} ${scopeKey}`
      const known = streams.get(key)
      if (known) return known
      const made = { stream: make(parsed, scopeKey, key, world), subs: new Set<Sub>() }
      streams.set(key, made)
      return made
    },
    /** That subscription does not show its stream any more. */
    leave(sub: Sub): void {
      if (sub.stream === null) return
      const key = `${sub.view} ${sub.stream.scopeKey}`
      const shared = streams.get(key)
      shared?.subs.delete(sub)
      if (shared?.subs.size === 0) streams.delete(key)
      sub.stream = null
    },
    clear: (): void => streams.clear(),
  }
}

export type SharedStreams = ReturnType<typeof openSharedStreams>
