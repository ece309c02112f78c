/** Pages: the two built shells and the files that they are made of from memory, what else is under /_next from Next. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { API_POLICY, pagePolicy, scriptHashes, WORKER_POLICY } from './csp'

/** What is used of Next: a handler that may be called once it is prepared. */
export type NextPart = {
  prepare(): Promise<void>
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  close(): Promise<void>
}

/** folder: the project's, with .next, public and app in it. dev: Next makes the pages as they are asked for. */
export type PagesOptions = { folder: string; dev: boolean }

export interface Pages {
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
}

/** The built page of every console URL, by the names that Next gives it. */
const CONSOLE_FILES = ['index.html', '[[...path]].html']
const LOGIN_FILES = ['login.html']
/** The second is asked for by browsers that have not yet read which icon a page names. */
const ICON_PATHS = ['/icon.svg', '/favicon.ico']
const ICON_FILES = ['app/icon.svg', 'public/icon.svg', '.next/server/app/icon.svg.body']
const YEAR_S = 31_536_000
const WORKER_PATH = '/service-worker.js'
/** Files of public/ whose headers matter: browsers ask for them again each time, so that an old one never stays. */
const FRESH_FILES: Record<string, Record<string, string>> = {
  [WORKER_PATH]: { 'Content-Type': 'text/javascript; charset=utf-8', 'Content-Security-Policy': WORKER_POLICY },
  '/manifest.webmanifest': { 'Content-Type': 'application/manifest+json; charset=utf-8' },
}
/** Where Next has what it made for browsers. */
const BUILT_PATH = '/_next/static'
/** Of those, what is given from memory, by ending; anything else is Next's. */
const BUILT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
/** A URL whose last part ends so is a file; if there is none, it is not the console either. */
const FILE_ENDING = /\.(js|mjs|css|map|ico|png|jpg|jpeg|gif|svg|webp|txt|xml|json|woff2?|webmanifest|wasm|php|html?)$/i

/** zipped: where that is less. */
type StaticFile = { plain: Buffer; zipped: Buffer | null; tag: string; headers: Record<string, string> }

/** The pages cannot be given: they are not built. */
export class PagesMissingError extends Error {
  override readonly name = 'PagesMissingError'
}

/**
 * Read what is served from memory.
 *
 * in      prepared: resolves when Next may be called
 * faults  PagesMissingError when there is no build (never in dev)
 */
export async function openPages(
  { folder, dev }: PagesOptions,
  next: NextPart,
  prepared: Promise<void>,
): Promise<Pages> {
  const built = join(folder, '.next', 'server', 'app')
  const shells = dev ? null : { console: await shell(built, CONSOLE_FILES), login: await shell(built, LOGIN_FILES) }
  const icon = await iconFile(folder)
  const fresh = await freshFiles(join(folder, 'public'))
  const worker = fresh.get(WORKER_PATH)
  const builtFolder = join(folder, '.next', 'static')
  const builtPaths = shells ? (await filesUnder(builtFolder)).sort().map((path) => BUILT_PATH + path) : []
  if (shells && worker) fresh.set(WORKER_PATH, await withShell(worker, shells.console, builtPaths))
  const builtFile = builtFiles(builtFolder, builtPaths)
  const publicFiles = new Set(await filesUnder(join(folder, 'public')))

  const viaNext = async (request: IncomingMessage, response: ServerResponse) => {
    await prepared
    // Of the build Next gives no pages of ours, but a page that says 404.
    if (shells) response.setHeader('Content-Security-Policy', API_POLICY)
    await next.handle(request, response)
  }

  return {
    async handle(request, response, path) {
      const file = fresh.get(path)
      if (file && (request.method === 'GET' || request.method === 'HEAD')) return give(request, response, file)
      const ofBuild = request.method === 'GET' || request.method === 'HEAD' ? await builtFile(path) : null
      if (ofBuild) return give(request, response, ofBuild)
      if (path.startsWith('/_next/') || publicFiles.has(path)) return viaNext(request, response)
      if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, 405, { Allow: 'GET, HEAD' })
      if (ICON_PATHS.includes(path) && icon) return give(request, response, icon)
      if (FILE_ENDING.test(path)) return end(response, 404, {})
      const isLogin = path === '/login' || path === '/login/'
      if (shells) return give(request, response, isLogin ? shells.login : shells.console)
      // Next knows two pages; which screen a console URL names is read in the browser.
      request.url = `${isLogin ? '/login' : '/'}${(request.url ?? '').replace(/^[^?]*/, '')}`
      return viaNext(request, response)
    },
  }
}

async function shell(folder: string, names: string[]): Promise<StaticFile> {
  const html = await firstOf(names.map((name) => join(folder, name)))
  if (!html) throw new PagesMissingError(`The pages are not built: ${names[0]} is missing. Run: npm run build`)
  return staticFile(html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': pagePolicy(scriptHashes(html.toString('utf8'))),
    // Asked for again each time, and answered with 304 while it is the same.
    'Cache-Control': 'no-cache',
  })
}

/** Chromium asks for the icon at every change of the URL unless it may keep it. */
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
 * The worker with the names of what it keeps, so that another build is another worker.
 *
 * out     it begins with SHELL = {tag: of all of it, page: the page's ETag, files: every file that Next made for browsers}
 */
async function withShell(worker: StaticFile, page: StaticFile, files: readonly string[]): Promise<StaticFile> {
  const tag = createHash('sha256')
    .update([page.tag, ...files].join('\n'))
    .digest('base64url')
    .slice(0, 22)
  const names = `self.SHELL = ${JSON.stringify({ tag, page: page.tag, files })}\n`
  return staticFile(Buffer.concat([Buffer.from(names), worker.plain]), worker.headers)
}

/**
 * What Next made for browsers: each file is read and packed when it is first asked for, and kept, since its name changes with what is in it.
 *
 * out     of a path: null where it is not one of these paths, or its file is there no more
 */
function builtFiles(folder: string, paths: readonly string[]): (path: string) => Promise<StaticFile | null> {
  const known = new Set(paths)
  const kept = new Map<string, Promise<StaticFile | null>>()
  const read = async (path: string, type: string): Promise<StaticFile | null> => {
    const bytes = await firstOf([join(folder, path.slice(BUILT_PATH.length))])
    return bytes && staticFile(bytes, { 'Content-Type': type, 'Cache-Control': `public, max-age=${YEAR_S}, immutable` })
  }
  return async (path) => {
    const type = BUILT_TYPES[extname(path)]
    if (type === undefined || !known.has(path)) return null
    const file = kept.get(path) ?? read(path, type)
    kept.set(path, file)
    return file
  }
}

async function firstOf(paths: string[]): Promise<Buffer | null> {
  for (const path of paths) {
    const found = await readFile(path).catch(() => null)
    if (found) return found
  }
  return null
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

function give(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(file.tag)) {
    end(response, 304, file.headers)
    return
  }
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? '')) ? file.zipped : null
  const bytes = zipped ?? file.plain
  response.writeHead(200, {
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
