/** When each of the newest entries was confirmed: frames of a bench say it, and beats when they were sent. */
import type { Beat, ViewFrame } from '@/lib/wire/views'
import type { Engine } from '@/server/engine/port'
import type { Monitor, MonitorConnection } from '@/server/monitor'

/** Entries of which the time is kept. */
const KEPT = 5_000

/** in: mono: monotonic ms. out: the same monitor; its frames have `marks`, its beats `mono` */
export function timedMonitor(
  monitor: Monitor,
  { onDecision }: Pick<Engine, 'onDecision'>,
  mono: () => number,
): Monitor {
  const times = new Map<string, number>()
  onDecision((entries) => {
    const now = mono()
    for (const { seq } of entries) {
      times.set(`${seq}`, now)
      times.delete(`${seq - KEPT}`)
    }
  })
  /** Of the last entry of a frame, unless it is too old. */
  function marksOf({ to }: ViewFrame): Record<string, number> {
    const at = times.get(`${to}`)
    return at === undefined ? {} : { [to]: at }
  }

  const known = new WeakMap<MonitorConnection, MonitorConnection>()
  function timed(connection: MonitorConnection): MonitorConnection {
    const made: MonitorConnection = known.get(connection) ?? {
      person: connection.person,
      send(event, message, view, shared) {
        if (event === 'frame') Object.assign(message, { marks: marksOf(message as ViewFrame) })
        if (event === 'beat') Object.assign(message, { mono: mono() } satisfies Partial<Beat>)
        connection.send(event, message, view, shared)
      },
    }
    known.set(connection, made)
    return made
  }

  return {
    ...monitor,
    join: (connection) => monitor.join(timed(connection)),
    attach: (connection, ask) => monitor.attach(timed(connection), ask),
    detach: (connection, sub) => monitor.detach(timed(connection), sub),
    leave: (connection) => monitor.leave(timed(connection)),
  }
}
