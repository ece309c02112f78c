/** When each of the newest entries was confirmed: frames of a bench say it, and beats when they were sent. */
import { type Beat, CATCH_UP, type ViewFrame } from '@/lib/wire/views'
import type { Engine } from '@/server/engine/port'
import type { Monitor, MonitorConnection } from '@/server/monitor'

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
      times.delete(`${seq - CATCH_UP.scan}`)
    }
  })
  /** Of each entry of a log frame, of the last one of a row frame; those that are too old are left out. */
  const marksOf = (frame: ViewFrame): Record<string, number> =>
    Object.fromEntries(
      (frame.kind === 'log' ? frame.entries.map(({ seq }) => `${seq}`) : [`${frame.to}`]).flatMap((seq) => {
        const at = times.get(seq)
        return at === undefined ? [] : [[seq, at]]
      }),
    )

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
