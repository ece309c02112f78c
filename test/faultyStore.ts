/** A store whose appends go wrong as a script says: for tests of what the engine does then. */
import {
  type AppendAnswer,
  type Journal,
  type Store,
  StoreBrokenError,
  type StoreState,
  StoreUnansweredError,
} from '@/server/store'

/**
 * What becomes of one append:
 *   pass         nothing special
 *   refuse       StoreBrokenError, nothing written, and nothing is written until comeBack(), as with a full disk
 *   refuseAfter  written, then as refuse (a flush that failed and landed nevertheless)
 *   lostBefore   StoreUnansweredError, nothing written (the connection died on the way there)
 *   lostAfter    written, then StoreUnansweredError (it died on the way back)
 *   hang         no answer until release(); only then does it reach the store, however late that is
 *   hangAfter    written, no answer until release()
 */
export type AppendFate = 'pass' | 'refuse' | 'refuseAfter' | 'lostBefore' | 'lostAfter' | 'hang' | 'hangAfter'

export type FaultyStore = Store & {
  /** Fates of the next appends, in order; after them they pass. Adds to what is still scripted. */
  script(...fates: AppendFate[]): void
  /** There is room again. */
  comeBack(): void
  /** The store will not come back. */
  lose(reason: string): void
  /** How many appends hang now. */
  hanging(): number
  /** Resolves when that many hang: a condition to wait on. */
  untilHanging(count?: number): Promise<void>
  /** Let all that hang go on, in the order they came. Their answers arrive at their callers. */
  release(): void
  /** Every append that was called, with its fate and, once there, its answer. */
  readonly appends: { fate: AppendFate; epoch: number; expectedHead: number; ids: string[]; answer?: AppendAnswer }[]
}

export function faultyStore(inner: Store, ...fates: AppendFate[]): FaultyStore {
  const scripted = [...fates]
  const appends: FaultyStore['appends'] = []
  let held: (() => void)[] = []
  let watchers: { count: number; resolve: () => void }[] = []
  let broken: StoreBrokenError | null = null
  let state: StoreState = { is: 'ok' }
  const listeners = new Set<(state: StoreState) => void>()
  const become = (next: StoreState): void => {
    state = next
    for (const listener of listeners) listener(next)
  }
  const breakDown = (): StoreBrokenError => {
    const full = Object.assign(new Error('disk full, says the script'), { code: 'ENOSPC' })
    broken = new StoreBrokenError('append', full)
    become({ is: 'refusing', reason: broken.message })
    return broken
  }

  const hold = () =>
    new Promise<void>((resolve) => {
      held.push(resolve)
      for (const watcher of watchers) if (held.length >= watcher.count) watcher.resolve()
      watchers = watchers.filter((watcher) => held.length < watcher.count)
    })
  const ensureUsable = () => {
    if (broken) throw broken
  }

  const append: Journal['append'] = async (epoch, expectedHead, batch) => {
    ensureUsable()
    const fate = scripted.shift() ?? 'pass'
    const record: FaultyStore['appends'][number] = { fate, epoch, expectedHead, ids: batch.map((item) => item.id) }
    appends.push(record)
    const write = async () => {
      record.answer = await inner.journal.append(epoch, expectedHead, batch)
      return record.answer
    }
    switch (fate) {
      case 'pass':
        return write()
      case 'refuse':
        throw breakDown()
      case 'refuseAfter':
        await write()
        throw breakDown()
      case 'lostBefore':
        throw new StoreUnansweredError('append')
      case 'lostAfter':
        await write()
        throw new StoreUnansweredError('append')
      case 'hang':
        await hold()
        return write()
      case 'hangAfter': {
        const answer = await write()
        await hold()
        return answer
      }
    }
  }

  return {
    ...inner,
    state: () => state,
    onState(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    comeBack() {
      broken = null
      become({ is: 'ok' })
    },
    lose: (reason) => become({ is: 'lost', reason }),
    journal: {
      id: inner.journal.id,
      append,
      async take(node) {
        ensureUsable()
        return inner.journal.take(node)
      },
      async read(after, limit, upTo) {
        return inner.journal.read(after, limit, upTo)
      },
      async outcome(id, by) {
        return inner.journal.outcome(id, by)
      },
      async head() {
        return inner.journal.head()
      },
      async hashAt(seq) {
        return inner.journal.hashAt(seq)
      },
      async erase(erased) {
        ensureUsable()
        return inner.journal.erase(erased)
      },
      async forgetOutcomes(now) {
        ensureUsable()
        return inner.journal.forgetOutcomes(now)
      },
    },
    script(...more) {
      scripted.push(...more)
    },
    hanging: () => held.length,
    untilHanging: (count = 1) =>
      new Promise((resolve) => {
        if (held.length >= count) resolve()
        else watchers.push({ count, resolve })
      }),
    release() {
      const going = held
      held = []
      for (const go of going) go()
    },
    appends,
  }
}
