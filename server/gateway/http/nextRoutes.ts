/**
 * Pages and routes of app/ beside the console. Next answers them in a process of its own, which the first request for one starts:
 * without such routes there is none, and its end costs the console nothing.
 *
 *   request ──► isOther(path) ──► child (scripts/nextRoutes.mjs) ──► its answer with our policy
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { pagePolicy, scriptHashes } from './csp'

/** Pages that the gateway has itself: the console, sign-in, icon, errors. */
const OURS: ReadonlySet<string> = new Set(['/[[...path]]', '/login', '/icon.svg', '/_not-found', '/_global-error'])
const route = z.object({ page: z.string(), regex: z.string() })
const manifestSchema = z.object({ staticRoutes: z.array(route), dynamicRoutes: z.array(route) })

/** out: patterns of the paths of other routes, as Next wrote them in its build; none where it wrote none */
export async function builtRoutes(folder: string): Promise<readonly string[]> {
  const text = await readFile(join(folder, '.next', 'routes-manifest.json'), 'utf8').catch(() => null)
  if (text === null) return []
  const { staticRoutes, dynamicRoutes } = manifestSchema.parse(JSON.parse(text))
  return [...staticRoutes, ...dynamicRoutes].filter(({ page }) => !OURS.has(page)).map(({ regex }) => regex)
}

/** The same from the sources, in development. */
export async function sourceRoutes(folder: string): Promise<readonly string[]> {
  const app = join(folder, 'app')
  const files = await readdir(app, { recursive: true }).catch(() => [])
  return files.flatMap((file) => {
    const [, path] = /^(.*?)[\\/]?(?:page|route)\.(?:tsx?|jsx?)$/.exec(file) ?? []
    const parts = path?.split(/[\\/]/).filter((part) => part !== '' && !/^\(.*\)$/.test(part)) ?? []
    const page = `/${parts.join('/')}`
    if (path === undefined || OURS.has(page) || parts.some((part) => part.startsWith('_'))) return []
    return [`^${parts.map(patternOf).join('')}/?$`]
  })
}

const patternOf = (part: string): string =>
  part.startsWith('[[...')
    ? '(?:/.+)?'
    : part.startsWith('[...')
      ? '/.+'
      : part.startsWith('[')
        ? '/[^/]+'
        : `/${part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`

export const isOtherRoute = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => new RegExp(pattern).test(path))

export type NextChild = {
  /** Throws where it cannot be started. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  close(): Promise<void>
}

/** Longer than Next takes on a busy machine. */
const START_LIMIT_MS = 30_000
/** Of one hop: they are not passed on. */
const HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'accept-encoding', 'content-security-policy']

/** in: program: a script that listens on a port of its own and sends it to its parent; folder: the project's */
export function openNextChild({ folder, program }: { folder: string; program: string }): NextChild {
  let running: { child: ChildProcess; port: Promise<number> } | null = null

  const started = (): Promise<number> => {
    if (running) return running.port
    const child = spawn(process.execPath, [program, folder], {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const port = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS)
      child.once('message', (message) => {
        clearTimeout(timer)
        resolve(z.number().parse(message))
      })
      child.once('error', reject)
      child.once('exit', (code) => {
        clearTimeout(timer)
        if (running?.child === child) running = null
        reject(new Error(`Next ended with ${code} before it answered`))
      })
    })
    running = { child, port }
    return port
  }

  return {
    async handle(request, response) {
      const port = await started()
      const nonce = randomBytes(16).toString('base64')
      const headers = { ...request.headers }
      for (const name of HOP_HEADERS) delete headers[name]
      // Next puts the nonce of this header on its scripts.
      const asked = httpRequest({
        host: '127.0.0.1',
        port,
        method: request.method,
        path: request.url,
        headers: { ...headers, 'content-security-policy': pagePolicy([], nonce) },
      })
      request.pipe(asked)
      const [answer]: IncomingMessage[] = await once(asked, 'response')
      if (answer !== undefined) await pass(answer, response, nonce)
    },
    async close() {
      const child = running?.child
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** A page that was made at the build has no nonce: the policy names its scripts. */
async function pass(answer: IncomingMessage, response: ServerResponse, nonce: string): Promise<void> {
  const headers = { ...answer.headers }
  for (const name of HOP_HEADERS) delete headers[name]
  const isPage = /^text\/html/.test(headers['content-type'] ?? '')
  if (!isPage || headers['x-nextjs-prerender'] === undefined) {
    response.writeHead(answer.statusCode ?? 502, { ...headers, 'Content-Security-Policy': pagePolicy([], nonce) })
    await pipeline(answer, response)
    return
  }
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(Buffer.from(piece))
  const html = Buffer.concat(pieces)
  const policy = pagePolicy(scriptHashes(html.toString('utf8')))
  response.writeHead(answer.statusCode ?? 502, { ...headers, 'Content-Security-Policy': policy })
  response.end(html)
}
