import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Metrics of one registry. A gauge is read when the metrics are requested. */
export function metricsOf(registry: Registry) {
  const registers = [registry]
  return {
    counter: <Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Counter<Label> =>
      new Counter({ name, help, labelNames, registers }),
    /** in: buckets: upper bounds, seconds */
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labelNames: Label[] = [],
    ): Histogram<Label> => new Histogram({ name, help, buckets, labelNames, registers }),
    /** in: read: null: unknown, and left out */
    gauge(name: string, help: string, read: () => number | null | Promise<number | null>): void {
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          const value = await read()
          if (value === null) this.remove()
          else this.set(value)
        },
      })
    },
    /** A counter that something else counts. */
    counted<Label extends string = never>(
      name: string,
      help: string,
      read: () => readonly { value: number; labels: Record<Label, string> }[],
      labelNames: Label[] = [],
    ): void {
      new Counter({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset()
          for (const { value, labels } of read()) this.inc(labels, value)
        },
      })
    },
    /** One value for each value of a label. */
    gaugeBy<Label extends string>(name: string, help: string, label: Label, read: () => Record<string, number>): void {
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        collect() {
          for (const [value, count] of Object.entries(read()))
            this.set({ [label]: value } as Record<Label, string>, count)
        },
      })
    },
  }
}
