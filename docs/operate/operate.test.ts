/** The files of docs/operate/ are of their formats and say what the pages say; nothing is started. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { ROOT, SERVER_BUNDLE, SERVER_ENVIRONMENT } from '../../scripts/lib/paths.mjs'

const FOLDER = 'docs/operate'
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')
const SCRIPTS = Object.keys(
  z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(readFileSync('package.json', 'utf8')))
    .scripts,
)
const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))

describe('compose.yaml', () => {
  const Compose = z.object({
    services: z.object({
      convene: z.object({
        build: z.object({ context: z.string(), dockerfile: z.string() }),
        ports: z.array(z.string()),
        volumes: z.array(z.string()),
        environment: z.record(z.string(), z.string()),
        healthcheck: z.object({ test: z.array(z.string()), interval: z.string(), timeout: z.string() }),
        stop_grace_period: z.string(),
        read_only: z.literal(true),
        cap_drop: z.tuple([z.literal('ALL')]),
      }),
    }),
    volumes: z.record(z.string(), z.unknown()),
  })
  const [document] = parseAllDocuments(read('compose.yaml'))
  const { services, volumes } = Compose.parse(document?.toJS())
  const { convene } = services

  it('is valid YAML with a service whose files are there', () => {
    expect(document?.errors).toEqual([])
    expect(document?.warnings).toEqual([])
    const context = normalize(join(FOLDER, convene.build.context))
    expect(context).toBe('.')
    expect(existsSync(join(context, convene.build.dockerfile))).toBe(true)
    expect(existsSync(join(context, `${convene.build.dockerfile}.dockerignore`))).toBe(true)
  })

  it('publishes the port on this machine only, and keeps data and workspace in volumes', () => {
    expect(convene.ports).toEqual(['127.0.0.1:3000:3000'])
    for (const name of ['data', 'workspace']) {
      expect(convene.volumes).toContain(`${name}:/${name}`)
      expect(Object.keys(volumes)).toContain(name)
    }
    expect(convene.volumes.find((one) => one.endsWith(':/config:ro'))).toBeDefined()
  })

  it('mounts the folder of a configuration that is there, and gives the program variables that it reads', () => {
    const mount = convene.volumes.find((one) => one.endsWith(':/config:ro')) ?? ''
    const folder = normalize(join(FOLDER, mount.split(':')[0] ?? ''))
    const file = convene.environment.CONVENE_CONFIG?.replace('/config', folder) ?? ''
    expect(existsSync(file), file).toBe(true)
    const named = readFileSync(file, 'utf8')
    for (const name of Object.keys(convene.environment))
      expect(read('README.md').includes(`\`${name}\``) || named.includes(name), name).toBe(true)
  })

  it('asks /api/ready for its health, as the image does, and waits longer than the program takes to stop', () => {
    const [, ...asked] = convene.healthcheck.test
    expect(asked.join(' ')).toContain('http://127.0.0.1:3000/api/ready')
    expect(read('Containerfile')).toContain(`CMD ${JSON.stringify(asked).replaceAll('","', '", "')}`)
    expect(secondsOf(convene.stop_grace_period)).toBeGreaterThan(10)
  })
})

describe('Containerfile', () => {
  const steps = read('Containerfile')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, word = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
      return { word, rest }
    })
  const last = (word: string): string => steps.findLast((step) => step.word === word)?.rest ?? ''

  it('holds known instructions only and begins from Node 20', () => {
    const known = [
      'FROM',
      'WORKDIR',
      'COPY',
      'RUN',
      'ENV',
      'USER',
      'VOLUME',
      'EXPOSE',
      'STOPSIGNAL',
      'HEALTHCHECK',
      'CMD',
    ]
    expect(steps.filter(({ word }) => !known.includes(word))).toEqual([])
    for (const { rest } of steps.filter(({ word }) => word === 'FROM'))
      expect(rest).toMatch(/\/node:20-[\w-]+( AS build)?$/)
  })

  it('copies files that are there, makes what it starts, and leaves out of the image what is made or private', () => {
    const [first = '', ...rest] = steps.filter(({ word }) => word === 'COPY').map(({ rest }) => rest)
    for (const name of first.split(' ').slice(0, -1)) expect(existsSync(name), name).toBe(true)
    expect(rest).toEqual(['packages ./packages', '. .', '--from=build --chown=root:root /app /app'])
    for (const { rest: run } of steps.filter(({ word }) => word === 'RUN'))
      for (const [, script = ''] of run.matchAll(/npm run (\S+)/g)) expect(SCRIPTS, script).toContain(script)
    expect(last('CMD')).toContain(relative(ROOT, SERVER_BUNDLE))
    const ignored = read('Containerfile.dockerignore').split('\n')
    for (const name of ['.git', '.convene', '.next', 'dist', 'node_modules', 'workspace', '.env*'])
      expect(ignored, name).toContain(name)
  })

  it('runs the built server as a user without rights, with its volumes, port and health', () => {
    expect(last('USER')).toBe('node')
    expect(z.array(z.string()).parse(JSON.parse(last('VOLUME')))).toEqual(['/data', '/workspace'])
    expect(last('EXPOSE')).toBe('3000')
    expect(last('HEALTHCHECK')).toContain('/api/ready')
    expect(z.array(z.string()).parse(JSON.parse(last('CMD')))).toEqual([
      'node',
      '--enable-source-maps',
      'dist/server.cjs',
    ])
    const environment = last('ENV')
    for (const setting of ['HOST=0.0.0.0', 'PORT=3000', 'CONVENE_DATA=/data', 'CONVENE_WORKSPACE=/workspace'])
      expect(environment).toContain(setting)
    for (const [name, value] of Object.entries(SERVER_ENVIRONMENT)) expect(environment).toContain(`${name}=${value}`)
  })
})

describe('convene.service', () => {
  const sections = new Map<string, Map<string, string[]>>()
  let current = new Map<string, string[]>()
  for (const line of read('convene.service').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const heading = /^\[(\w+)\]$/.exec(line)?.[1]
    if (heading !== undefined) {
      current = new Map()
      sections.set(heading, current)
      continue
    }
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) throw new Error(`no setting of a unit: ${line}`)
    current.set(key, [...(current.get(key) ?? []), value])
  }
  const service = sections.get('Service')
  const one = (key: string): string | undefined => service?.get(key)?.[0]

  it('starts the built server in a state folder of its own and again after a failure', () => {
    expect([...sections.keys()]).toEqual(['Unit', 'Service', 'Install'])
    expect(one('ExecStart')).toBe(`/usr/bin/node --enable-source-maps ${relative(ROOT, SERVER_BUNDLE)}`)
    expect(one('StateDirectory')).toBe('convene')
    expect(one('StateDirectoryMode')).toBe('0700')
    expect(service?.get('Environment')).toContain('CONVENE_DATA=/var/lib/convene/data')
    expect(one('Restart')).toBe('on-failure')
    for (const [name, value] of Object.entries(SERVER_ENVIRONMENT))
      expect(service?.get('Environment')).toContain(`${name}=${value}`)
  })

  it('gives the program longer to stop than it takes', () => {
    expect(Number(one('TimeoutStopSec'))).toBeGreaterThan(10)
  })

  it('runs as a user without rights who can write nowhere else', () => {
    expect(one('User')).toBe('convene')
    expect(one('CapabilityBoundingSet')).toBe('')
    expect(one('ProtectSystem')).toBe('strict')
    for (const key of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices', 'RestrictSUIDSGID'])
      expect(one(key), key).toBe('yes')
    // Node compiles at run time.
    expect(service?.has('MemoryDenyWriteExecute')).toBe(false)
  })
})

describe('the pages', () => {
  it('are all listed in README.md, and every link leads to a file', () => {
    const index = read('README.md')
    for (const page of pages) if (page !== 'README.md') expect(index, page).toContain(`](${page})`)
    for (const page of pages) {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
        if (/^https?:/.test(target)) continue
        expect(existsSync(join(dirname(join(FOLDER, page)), target)), `${page}: ${target}`).toBe(true)
      }
    }
  })

  it('name scripts of npm that are there', () => {
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:-\S+ )*([\w-]+)/g)].map(([, name]) => name),
    )
    expect(named.length).toBeGreaterThan(10)
    for (const name of named) expect(SCRIPTS, name).toContain(name)
  })

  it('hold YAML that can be read', () => {
    for (const page of pages)
      for (const [, block = ''] of read(page).matchAll(/```yaml\n([\s\S]*?)```/g))
        expect(() => parse(block), `${page}: ${block}`).not.toThrow()
  })

  it('tells both proxies to pass upgrades, the host and the address on', () => {
    const page = read('tls.md')
    for (const header of ['Upgrade $http_upgrade', 'Connection $connection_upgrade', 'Host $host', 'X-Forwarded-For'])
      expect(page).toContain(`proxy_set_header ${header}`)
    expect(page).toContain('reverse_proxy 127.0.0.1:3000')
    expect(page).toContain('trusted_proxies')
    expect(page).toContain('PUBLIC_URL=https://')
  })

  it('cites rules that are there and tests that are there in the threat model', () => {
    const page = read('threat-model.md')
    const rules = readdirSync('docs/rules')
      .map((name) => readFileSync(join('docs/rules', name), 'utf8'))
      .join('\n')
    const cited = [...page.matchAll(/\bR\d+\b/g)].map(([id]) => id)
    expect(cited.length).toBeGreaterThan(10)
    for (const id of cited) expect(rules, id).toContain(`| ${id} |`)
    const tests = [...page.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`/g)].map(([, path = '']) => path)
    expect(tests.length).toBeGreaterThan(20)
    for (const path of tests) expect(existsSync(path), path).toBe(true)
  })
})

const secondsOf = (text: string): number => Number(/^(\d+)s$/.exec(text)?.[1])
