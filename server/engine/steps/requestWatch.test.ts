/** A running step waits for its own request, until that is settled or the step ends. */
import { describe, expect, it } from 'vitest'
import type { Entry, MasEvent } from '@/lib/mas/events'
import { asId, type RequestId, type TaskId } from '@/lib/mas/ids'
import { emptyWorld, type RequestRecord, type World } from '@/lib/mas/records'
import { openRequestWatch } from './requestWatch'

const TASK = asId<TaskId>('t1')
const [FIRST, SECOND] = [asId<RequestId>('r1'), asId<RequestId>('r2')]

function worldOf(states: Record<string, RequestRecord['state']>): World {
  const requests = Object.entries(states).map(([id, state]) => [id, { id, task: TASK, state }])
  // Only what the watch reads of a request is made here.
  return Object.assign({}, emptyWorld, { requests: { [TASK]: Object.fromEntries(requests) } })
}
const about = (request: RequestId, task: TaskId = TASK): Entry => {
  const event: MasEvent = {
    type: 'request.ended',
    v: 1,
    task,
    request,
    state: 'expired',
    by: null,
    reason: null,
  }
  return { seq: 1, at: 1, by: 'system:timer', cause: 'c1', event }
}

/** A watch on two open requests; `ends` is filled as the waiting ends. */
function watching() {
  let world = worldOf({ r1: 'open', r2: 'open' })
  const watch = openRequestWatch(() => world)
  const ends: (string | null)[] = []
  return {
    ends,
    async wait(request: RequestId, signal = new AbortController().signal, task = TASK): Promise<void> {
      void watch.settled(task, request, signal).then((record) => ends.push(record && `${record.id} ${record.state}`))
      await Promise.resolve()
    },
    async happens(states: Record<string, RequestRecord['state']>, ...entries: Entry[]): Promise<void> {
      world = worldOf(states)
      watch.onEntries(entries, world)
      await Promise.resolve()
    },
  }
}

describe('a step that waits for its request', () => {
  it('has it once it is settled, and not when another one is', async () => {
    const { wait, happens, ends } = watching()
    await wait(FIRST)
    await wait(SECOND)
    await happens({ r1: 'open', r2: 'answered' }, about(SECOND))
    expect(ends).toEqual(['r2 answered'])
    await happens({ r1: 'expired', r2: 'answered' }, about(FIRST), about(SECOND))
    expect(ends).toEqual(['r2 answered', 'r1 expired'])
  })

  it('waits on while the request is open, whatever is said of it, and where it is named without its task', async () => {
    const { wait, happens, ends } = watching()
    await wait(FIRST)
    await happens({ r1: 'open', r2: 'open' }, about(FIRST))
    await happens({ r1: 'answered' }, about(FIRST, asId<TaskId>('another')))
    expect(ends).toEqual([])
    await happens({ r1: 'answered' }, about(FIRST))
    expect(ends).toEqual(['r1 answered'])
  })

  it('has at once what was settled before it began to wait', async () => {
    const { wait, happens, ends } = watching()
    await happens({ r1: 'answered', r2: 'open' })
    await wait(FIRST)
    await wait(SECOND)
    expect(ends).toEqual(['r1 answered'])
  })

  it('has nothing once it is stopped: before, or while it waits', async () => {
    const { wait, happens, ends } = watching()
    await wait(FIRST, AbortSignal.abort())
    expect(ends).toEqual([null])
    const control = new AbortController()
    await wait(SECOND, control.signal)
    expect(ends).toEqual([null])
    control.abort()
    await Promise.resolve()
    expect(ends).toEqual([null, null])
    await happens({ r1: 'answered', r2: 'answered' }, about(FIRST), about(SECOND))
    expect(ends).toEqual([null, null])
  })

  it('that was stopped has nothing of a request that was settled before', async () => {
    const { wait, happens, ends } = watching()
    await happens({ r1: 'answered' })
    await wait(FIRST, AbortSignal.abort())
    expect(ends).toEqual([null])
  })
})
