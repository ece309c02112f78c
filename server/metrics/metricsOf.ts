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
    gauge(name: string, help: string, read: () => number): void {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read())
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
