/** Reads the text format of Prometheus line by line and refuses what is not it; for tests. */

export type Metric = {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  series: Map<string, number>
}

const NAME = /^[a-z_][a-z0-9_]*$/
const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /^([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/

/**
 * Parse a whole page.
 *
 * out     metrics by name; a series is keyed `name{a="b"}` with its labels in order
 * faults  an error with the line: no HELP and TYPE before a sample, a name twice, a series twice, a value that is no number,
 *         a counter without _total, a negative counter, buckets that shrink or end otherwise than the count
 */
export function parsePromText(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>()
  let current: Metric | null = null
  let help: { name: string; text: string } | null = null
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  for (const [index, line] of text.slice(0, -1).split('\n').entries()) {
    const fail = (why: string): never => {
      throw new Error(`line ${index + 1}: ${why}: ${line}`)
    }
    if (line === '') continue
    const said = /^# HELP (\S+) (.+)$/.exec(line)
    if (said) {
      help = { name: said[1] ?? '', text: said[2] ?? '' }
      continue
    }
    const typed = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)
    if (typed) {
      const [, name = '', type = ''] = typed
      if (!NAME.test(name)) fail('no name of a metric')
      if (help?.name !== name) fail('TYPE without the HELP of the same metric before it')
      if (metrics.has(name)) fail('the same metric twice')
      if ((type === 'counter') !== name.endsWith('_total')) fail('counters and only they end with _total')
      current = { name, type: type as Metric['type'], help: help?.text ?? '', series: new Map() }
      metrics.set(name, current)
      continue
    }
    const sample = SAMPLE.exec(line)
    if (!sample || current === null) return fail('no sample of a metric')
    const [, name = '', labels, number = ''] = sample
    const allowed =
      current.type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => current?.name + end) : [current.name]
    if (!allowed.includes(name)) fail(`it does not belong to ${current.name}`)
    const key = `${name}${labels === undefined ? '' : `{${inOrder(labels, fail)}}`}`
    if (current.series.has(key)) fail('the same series twice')
    const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number)
    if (Number.isNaN(value)) fail('no number')
    if (current.type !== 'gauge' && value < 0) fail('a count below 0')
    current.series.set(key, value)
  }
  for (const metric of metrics.values()) if (metric.type === 'histogram') checkBuckets(metric)
  return metrics
}

function inOrder(labels: string, fail: (why: string) => never): string {
  const found: string[] = []
  let rest = labels
  while (rest !== '') {
    const label = LABEL.exec(rest)
    if (!label) return fail('labels that cannot be read')
    found.push(`${label[1]}="${label[2]}"`)
    rest = rest.slice(label[0].length)
  }
  return found.sort().join(',')
}

function checkBuckets({ name, series }: Metric): void {
  const last = new Map<string, number>()
  for (const [key, value] of series) {
    const bucket = /^(.*)_bucket\{(.*)\}$/.exec(key)
    if (!bucket) continue
    const others = (bucket[2] ?? '').split(',').filter((label) => !label.startsWith('le='))
    const of = others.join(',')
    if (value < (last.get(of) ?? 0)) throw new Error(`${key} is below the bucket before it`)
    last.set(of, value)
  }
  for (const [of, value] of last) {
    const count = series.get(of === '' ? `${name}_count` : `${name}_count{${of}}`)
    if (count !== value) throw new Error(`${name}{${of}}: the last bucket holds ${value} of ${count}`)
  }
}
