/** docs/operate/metrics.md and the dashboard name the metrics that are there, no more and no fewer. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { openMetrics } from '@/server/metrics'

const page = readFileSync('docs/operate/metrics.md', 'utf8')
const dashboard: unknown = JSON.parse(readFileSync('docs/operate/grafana-dashboard.json', 'utf8'))

/** out: the labels of each metric */
function registered(): Map<string, string[]> {
  const metrics = openMetrics({ version: '0', clock: () => 0 })
  try {
    return new Map(metrics.registry.getMetricsAsArray().map((metric) => [metric.name, labelsOf(metric)]))
  } finally {
    metrics.close()
  }
}

/** The library keeps them and leaves them out of its types. */
const labelsOf = (metric: object): string[] =>
  'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : []

it('[R70] metrics.md has one row for each metric, with its labels, and none for another', async () => {
  const labels = registered()
  const rows = [...page.matchAll(/^\| `(convene_\w+)` \|([^|]*)\|([^|]+)\|/gm)].map(
    ([, name = '', said = '', what = '']) => {
      expect(what.trim(), name).not.toBe('')
      return [name, said.trim() === '' ? [] : said.trim().split(', ')] as const
    },
  )
  expect(new Set(rows.map(([name]) => name)).size).toBe(rows.length)
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(labels))
})

it('[R70] each alert in metrics.md asks for metrics and labels that are there', async () => {
  const labels = registered()
  const asked = [...page.matchAll(/expr: '([^']+)'/g)].map(([, expression = '']) => expression)
  expect(asked.length).toBeGreaterThan(5)
  for (const expression of asked) checkExpression(expression, labels)
})

const Dashboard = z.object({
  panels: z.array(
    z.object({
      id: z.number(),
      type: z.string(),
      title: z.string().min(1),
      gridPos: z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() }),
      targets: z.array(z.object({ expr: z.string(), refId: z.string() })).optional(),
    }),
  ),
})

it('[R70] the dashboard has its five rows, and asks for every metric and for none that is not there', async () => {
  const labels = registered()
  const { panels } = Dashboard.parse(dashboard)
  expect(panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
    'Work',
    'People',
    'Models',
    'Tools',
    'Process',
  ])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const found = new Set(asked.flatMap((expression) => checkExpression(expression, labels)))
  expect([...found].sort()).toEqual([...labels.keys()].sort())
})

/** out: the metrics that it names; a histogram is asked for by its buckets */
function checkExpression(expression: string, labels: Map<string, string[]>): string[] {
  const named = [...expression.matchAll(/convene_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
  for (const name of named) {
    expect([...labels.keys()], expression).toContain(name)
    const known = [...(labels.get(name) ?? []), 'le', 'job', 'instance']
    const matched = [...expression.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label)
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/))
    for (const label of [...matched, ...grouped]) expect(known, expression).toContain(label)
  }
  return named
}
