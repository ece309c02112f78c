/** The pages: the two built shells and their files, served from memory. Next answers other routes (nextRoutes.ts), and all pages in development. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { matchPath } from '@/lib/wire/addresses'
import { errorCode } from '../../shared/errors'
import { API_POLICY, pagePolicy, scriptHashes, WORKER_POLICY } from './csp'
import { builtRoutes, isOtherRoute, openNextChild, sourceRoutes } from './nextRoutes'

/** The part of Next that is used in development. */
export type NextPart = {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  close(): Promise<void>
}

/** folder: the project's, with .next, public and app in it. dev: Next builds pages on request. */
export type PagesOptions = { folder: string; dev: boolean }

export interface Pages {
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** Ends Next's process, if one runs. */
  close(): Promise<void>
}

/** The file of the built shell behind every console URL, as Next names it. */
const CONSOLE_FILES = ['index.html', '[[...path]].html']
const LOGIN_FILES = ['login.html']
/** The second is what browsers request by default, before they have read the page. */
const ICON_PATHS = ['/icon.svg', '/favicon.ico']
const ICON_FILES = ['app/icon.svg', 'public/icon.svg', '.next/server/app/icon.svg.body']
const YEAR_S = 31_536_000
const WORKER_PATH = '/service-worker.js'
/** Files of public/ that browsers must revalidate each time, so that no old version stays in use. */
const FRESH_FILES: Record<string, Record<string, string>> = {
  [WORKER_PATH]: { 'Content-Type': 'text/javascript; charset=utf-8', 'Content-Security-Policy': WORKER_POLICY },
  '/manifest.webmanifest': { 'Content-Type': 'application/manifest+json; charset=utf-8' },
}
const BUILT_PATH = '/_next/static'
/** Next's own paths in development: its scripts, its error overlay. */
const NEXTS_OWN = /^\/(_next\/|__nextjs)/
/** Media types by ending; a file with another one is bytes. */
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** A URL with such an ending names a file; without that file it is a 404, not the console. */
const FILE_ENDING = /\.(js|mjs|css|map|ico|png|jpg|jpeg|gif|svg|webp|txt|xml|json|woff2?|webmanifest|wasm|php|html?)$/i
/** The console's screen of one file of the workspace, whatever its ending. */
const FILE_SCREEN = /^\/files\//

/** zipped: null where compression saves nothing. */
type StaticFile = { plain: Buffer; zipped: Buffer | null; tag: string; headers: Record<string, string> }

export class PagesMissingError extends Error {
  override readonly name = 'PagesMissingError'
}

/** in: next: Next, once it is prepared; asked for in development only. Throws PagesMissingError without a build. */
export async function openPages({ folder, dev }: PagesOptions, next: () => Promise<NextPart> | null): Promise<Pages> {
  const built = join(folder, '.next', 'server', 'app')
  const shells = dev ? null : { console: await shell(built, CONSOLE_FILES), login: await shell(built, LOGIN_FILES) }
  const icon = await iconFile(folder)
  const fresh = await freshFiles(join(folder, 'public'))
  const worker = fresh.get(WORKER_PATH)
  const builtFolder = join(folder, '.next', 'static')
  const builtPaths = shells ? (await filesUnder(builtFolder)).sort().map((path) => BUILT_PATH + path) : []
  const others = dev ? [] : await builtRoutes(folder)
  const child = openNextChild({ folder, program: join(folder, 'scripts', 'nextRoutes.mjs') })
  if (shells && worker) fresh.set(WORKER_PATH, await withShell(worker, shells.console, builtPaths, others))
  const builtFile = filesOf(builtFolder, BUILT_PATH, builtPaths, `public, max-age=${YEAR_S}, immutable`)
  const publicFolder = join(folder, 'public')
  const publicFile = filesOf(publicFolder, '', await filesUnder(publicFolder), 'public, max-age=0')

  const viaNext = async (request: IncomingMessage, response: ServerResponse) => {
    await (await next())?.handle(request, response)
  }

  return {
    async handle(request, response, path) {
      if (!shells && NEXTS_OWN.test(path)) return viaNext(request, response)
      if (isOtherRoute(shells ? others : await sourceRoutes(folder), path)) {
        if (!isFromHere(request)) return end(response, 403, { 'Content-Security-Policy': API_POLICY })
        return shells ? child.handle(request, response) : viaNext(request, response)
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, { Allow: 'GET, HEAD' })
      const file = fresh.get(path) ?? (await builtFile(path)) ?? (await publicFile(path))
      if (file) return give(request, response, file)
      if (ICON_PATHS.includes(path) && icon) return give(request, response, icon)
      if (path.startsWith('/_next/') || (FILE_ENDING.test(path) && !FILE_SCREEN.test(path)))
        return end(response, 404, { 'Content-Security-Policy': API_POLICY })
      const isLogin = path === '/login' || path === '/login/'
      // The console says at any other address that nothing is there.
      const isKnown = isLogin || matchPath(path) !== null
      if (shells) return give(request, response, isLogin ? shells.login : shells.console, isKnown ? 200 : 404)
      if (!isKnown) response.statusCode = 404
      // Next knows two pages; the browser finds the screen that a console URL names.
      request.url = `${isLogin ? '/login' : '/'}${(request.url ?? '').replace(/^[^?]*/, '')}`
      return viaNext(request, response)
    },
    close: child.close,
  }
}

/** Whether it only reads, or no page of another site sent it: a route of a package or a fork may change something. */
const isFromHere = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' ||
  method === 'HEAD' ||
  [undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site']?.toString())

async function shell(folder: string, names: string[]): Promise<StaticFile> {
  const html = await firstOf(names.map((name) => join(folder, name)))
  if (!html) throw new PagesMissingError(`The pages are not built: ${names[0]} is missing. Run: npm run build`)
  return staticFile(html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pagePolicy(scriptHashes(html.toString('utf8'))),
    // Revalidated each time, and answered 304 while unchanged.
    'Cache-Control': 'no-cache',
  })
}

/** Chromium requests the icon at every change of the URL unless it may cache it. */
async function iconFile(folder: string): Promise<StaticFile | null> {
  const bytes = await firstOf(ICON_FILES.map((name) => join(folder, name)))
  return bytes && staticFile(bytes, { 'Content-Type': 'image/svg+xml', 'Cache-Control': `public, max-age=${YEAR_S}` })
}

async function freshFiles(folder: string): Promise<Map<string, StaticFile>> {
  const files = new Map<string, StaticFile>()
  for (const [path, headers] of Object.entries(FRESH_FILES)) {
    const bytes = await readFile(join(folder, path)).catch(() => null)
    if (bytes) files.set(path, await staticFile(bytes, { ...headers, 'Cache-Control': 'no-cache' }))
  }
  return files
}

/**
 * The service worker with the names of the files that it caches, so that each build has a worker of its own.
 *
 * in      others: patterns of the paths that are no pages of the console
 * out     it begins with SHELL = {tag: of all of it, page: the page's ETag, files: every file that Next built for
 *         browsers, others}
 */
async function withShell(
  worker: StaticFile,
  page: StaticFile,
  files: readonly string[],
  others: readonly string[],
): Promise<StaticFile> {
  const tag = createHash('sha256')
    .update([page.tag, ...files, ...others].join('\n'))
    .digest('base64url')
    .slice(0, 22)
  const names = `self.SHELL = ${JSON.stringify({ tag, page: page.tag, files, others })}\n`
  return staticFile(Buffer.concat([Buffer.from(names), worker.plain]), worker.headers)
}

/**
 * Files of a folder, compressed on first request and kept.
 *
 * in      paths: URL paths of its files, all below `root`; caching: the cache header for browsers
 * out     null: another path, or a file that is gone
 */
function filesOf(
  folder: string,
  root: string,
  paths: readonly string[],
  caching: string,
): (path: string) => Promise<StaticFile | null> {
  const known = new Set(paths)
  const kept = new Map<string, Promise<StaticFile | null>>()
  const read = async (path: string): Promise<StaticFile | null> => {
    const bytes = await firstOf([join(folder, path.slice(root.length))])
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    // The policy of a worker is that of its script, and it loads others.
    const policy: Record<string, string> = extname(path) === '.js' ? {} : { 'Content-Security-Policy': API_POLICY }
    return bytes && staticFile(bytes, { 'Content-Type': type, 'Cache-Control': caching, ...policy })
  }
  return async (path) => {
    if (!known.has(path)) return null
    const file = kept.get(path) ?? read(path)
    kept.set(path, file)
    const forget = (): void => void kept.delete(path)
    // The folder was read at the start: a file that is not there now may be there again, and one that failed is tried again.
    file.then((found) => found ?? forget(), forget)
    return file
  }
}

/** The first of these files that is there. Throws what reading threw, unless the file is missing: no descriptor was free, for example. */
async function firstOf(paths: string[]): Promise<Buffer | null> {
  for (const path of paths) {
    const found = await readFile(path).catch(missing)
    if (found) return found
  }
  return null
}

function missing(error: unknown): null {
  if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(errorCode(error))) return null
  throw error
}

async function staticFile(plain: Buffer, headers: Record<string, string>): Promise<StaticFile> {
  const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const zipped = await promisify(gzip)(plain)
  return {
    plain,
    zipped: zipped.length < plain.length ? zipped : null,
    tag,
    headers: { ...headers, ETag: tag, Vary: 'Accept-Encoding' },
  }
}

function give(request: IncomingMessage, response: ServerResponse, file: StaticFile, status = 200): void {
  // Only what is there is answered 304.
  const known = (status === 200 ? request.headers['if-none-match'] : undefined)
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(file.tag)) {
    end(response, 304, file.headers)
    return
  }
  const zipped = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(request.headers['accept-encoding'] ?? ''))
    ? file.zipped
    : null
  const bytes = zipped ?? file.plain
  response.writeHead(status, {
    ...file.headers,
    'Content-Length': bytes.length,
    ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function end(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, headers)
  response.end()
}

/** URL paths of all files in a folder; none when there is no such folder. */
async function filesUnder(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  return found
    .filter((item) => item.isFile())
    .map(
      (item) =>
        `/${relative(folder, join(item.parentPath ?? item.path, item.name))
          .split(sep)
          .join('/')}`,
    )
}

/** Next in development, prepared. in: the project's folder; the server to which Next attaches its hot-reload socket */
export async function nextPart(options: {
  folder: string
  host: string
  port: number
  http: Server
}): Promise<NextPart> {
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  const { default: next } = await import('next')
  const { folder, host, port, http } = options
  const app = next({ dir: folder, dev: true, hostname: host, port, httpServer: http })
  const handle = app.getRequestHandler()
  await app.prepare()
  return {
    handle: (request, response) => handle(request, response),
    close: () => app.close(),
  }
}
