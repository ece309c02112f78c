/** The files of docs/operate/cluster/ fit together and name what is there; nothing is started. */
import { existsSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import * as z from 'zod'

const FOLDER = 'docs/operate/cluster'
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')
const documentsOf = (name: string): unknown[] =>
  parseAllDocuments(read(name), { merge: true }).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([])
    return document.toJS()
  })
/** The variables that docs/operate tells of, and those of the configuration of the example. */
const isKnown = (name: string): boolean =>
  readFileSync('docs/operate/README.md', 'utf8').includes(`\`${name}\``) ||
  readFileSync('config/convene.yaml', 'utf8').includes(name)

const READY = "fetch('http://127.0.0.1:3000/api/ready')"

describe('the compose file of two nodes', () => {
  const Service = z.object({
    image: z.string().optional(),
    volumes: z.array(z.string()).default([]),
    environment: z.record(z.string(), z.string()).default({}),
    ports: z.array(z.string()).default([]),
    healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  })
  const Compose = z.object({
    services: z.record(z.string(), Service),
    volumes: z.record(z.string(), z.unknown()),
    secrets: z.record(z.string(), z.object({ environment: z.string() })),
  })
  const { services, volumes, secrets } = Compose.parse(documentsOf('compose.yaml')[0])
  const nodes = ['convene-a', 'convene-b'].map((name) => ({ name, ...Service.parse(services[name]) }))

  it('gives each node a name, an address and a data folder of its own, and all of them one database, key and workspace', () => {
    for (const { name, environment, volumes: mounted } of nodes) {
      expect(environment.CONVENE_NODE_ADDRESS).toBe(`${name}:3900`)
      expect(name).toBe(`convene-${environment.CONVENE_NODE}`)
      expect(mounted).toContain(`data-${environment.CONVENE_NODE}:/data`)
      expect(mounted).toContain('workspace:/workspace')
      for (const key of Object.keys(environment)) expect(isKnown(key), key).toBe(true)
    }
    for (const key of ['DATABASE_URL', 'CONVENE_SECRET_KEY', 'PUBLIC_URL', 'CONVENE_CONFIG'])
      expect(new Set(nodes.map(({ environment }) => environment[key])).size, key).toBe(1)
  })

  it('mounts files that are there and volumes that it names, and publishes ports on this machine only', () => {
    for (const [name, { volumes: mounted, ports }] of Object.entries(services)) {
      for (const [from = ''] of mounted.map((one) => one.split(':')))
        expect(
          from.startsWith('.') ? existsSync(normalize(join(FOLDER, from))) : from in volumes,
          `${name} ${from}`,
        ).toBe(true)
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
    }
    expect(secrets.metrics_token?.environment).toBe('METRICS_TOKEN')
  })

  it('asks each node whether it is ready', () => {
    for (const { healthcheck } of nodes) expect(healthcheck?.test.join(' ')).toContain(READY)
  })

  it('puts each node behind the proxy and into what Prometheus reads, with no page bound to one of them', () => {
    const proxy = read('nginx.conf')
    const Scrape = z.object({
      scrape_configs: z.tuple([z.object({ static_configs: z.tuple([z.object({ targets: z.array(z.string()) })]) })]),
    })
    const targets = Scrape.parse(documentsOf('prometheus.yaml')[0]).scrape_configs[0].static_configs[0].targets
    expect(targets).toEqual(nodes.map(({ name }) => `${name}:3000`))
    for (const { name } of nodes) expect(proxy).toContain(`server ${name}:3000 `)
    expect(proxy).not.toMatch(/ip_hash|sticky|hash \$/)
    for (const header of ['Upgrade $http_upgrade', 'Connection $connection_upgrade', 'X-Forwarded-For'])
      expect(proxy).toContain(`proxy_set_header ${header}`)
    expect(proxy).toContain('location /metrics { return 404; }')
    for (const name of ['grafana.yaml', 'grafana-dashboards.yaml']) expect(documentsOf(name)).toHaveLength(1)
  })
})

describe('the manifests of Kubernetes', () => {
  const Named = z.looseObject({ kind: z.string(), metadata: z.object({ name: z.string() }) })
  const all = documentsOf('kubernetes.yaml').map((one) => Named.parse(one))
  const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) })
  const Container = z.object({
    env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })),
    ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
    volumeMounts: z.array(z.looseObject({ name: z.string(), mountPath: z.string() })),
    livenessProbe: Probe,
    readinessProbe: Probe,
    startupProbe: Probe,
  })
  const Nodes = z.object({
    spec: z.object({
      serviceName: z.string(),
      replicas: z.number(),
      template: z.object({
        metadata: z.object({ labels: z.record(z.string(), z.string()) }),
        spec: z.object({
          terminationGracePeriodSeconds: z.number(),
          containers: z.tuple([Container]),
          volumes: z.array(z.looseObject({ name: z.string() })),
        }),
      }),
      volumeClaimTemplates: z.array(z.object({ metadata: z.object({ name: z.string() }) })),
    }),
  })
  const { spec } = Nodes.parse(all.find(({ kind }) => kind === 'StatefulSet'))
  const { containers, volumes, terminationGracePeriodSeconds } = spec.template.spec
  const [container] = containers

  it('run two nodes that find each other by the names of a service, and give each variables that it reads', () => {
    expect(spec.replicas).toBe(2)
    const address = container.env.find(({ name }) => name === 'CONVENE_NODE_ADDRESS')?.value
    expect(address).toBe(`$(CONVENE_NODE).${spec.serviceName}:3900`)
    expect(all.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name)).toContain(
      spec.serviceName,
    )
    for (const { name } of container.env) expect(isKnown(name), name).toBe(true)
  })

  it('ask /api/health whether a node lives and /api/ready whether it gets requests, and wait longer than it takes to stop', () => {
    expect(container.livenessProbe.httpGet).toEqual({ path: '/api/health', port: 'http' })
    expect(container.startupProbe.httpGet).toEqual({ path: '/api/health', port: 'http' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/api/ready', port: 'http' })
    expect(terminationGracePeriodSeconds).toBeGreaterThan(10)
  })

  it('keep one node running while machines are emptied, and bind no browser to a node', () => {
    const budget = z.object({ spec: z.object({ minAvailable: z.number() }) })
    expect(budget.parse(all.find(({ kind }) => kind === 'PodDisruptionBudget')).spec.minAvailable).toBe(1)
    expect(read('kubernetes.yaml')).not.toContain('sessionAffinity')
  })

  it('mount only volumes that are there, and select the labels that the nodes have', () => {
    const named = [...volumes, ...spec.volumeClaimTemplates.map(({ metadata }) => metadata)].map(({ name }) => name)
    for (const { name } of container.volumeMounts) expect(named, name).toContain(name)
    expect(spec.template.metadata.labels).toEqual({ app: 'convene' })
  })
})
