/** Pages and routes beside the console: which they are, the process that answers them, and their policy. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDouble, SHELL } from '../test/gatewayDouble'
import { isOtherRoute, sourceRoutes } from './nextRoutes'

/** In the place of Next: says which process answered, and what it was asked. */
const STAND_IN = `
import { createServer } from 'node:http'
import { appendFileSync } from 'node:fs'
appendFileSync(process.argv[2] + '/started', process.pid + '\\n')
process.on('disconnect', () => process.exit())
const server = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) body += piece
  const isMade = request.url.startsWith('/about')
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (isMade) response.setHeader('x-nextjs-prerender', '1')
  const policy = request.headers['content-security-policy']
  response.end(isMade ? '<script>about()</script>' : JSON.stringify({ url: request.url, method: request.method, body, policy }))
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
`

async function writeAll(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

const ROUTES = {
  staticRoutes: [
    { page: '/_not-found', regex: '^/_not\\-found(?:/)?$' },
    { page: '/login', regex: '^/login(?:/)?$' },
    { page: '/about', regex: '^/about(?:/)?$' },
  ],
  dynamicRoutes: [
    { page: '/[[...path]]', regex: '^(?:/(.+?))?(?:/)?$' },
    { page: '/hello/[name]', regex: '^/hello/([^/]+?)(?:/)?$' },
  ],
}

/** A gateway whose build has these routes. out: started: the processes that were started, in order */
async function openWithRoutes(routes: object | null = ROUTES) {
  const { folder } = await openDouble()
  await writeAll(folder, {
    'scripts/nextRoutes.mjs': STAND_IN,
    ...(routes === null ? {} : { '.next/routes-manifest.json': JSON.stringify(routes) }),
  })
  const next = vi.fn()
  const { url } = await openDouble({ pages: { folder, dev: false, failed: () => {}, next } })
  const started = async (): Promise<string[]> =>
    (await readFile(join(folder, 'started'), 'utf8').catch(() => '')).split('\n').filter(Boolean)
  return { url, started }
}

describe('a page beside the console', () => {
  it('[R733] is answered by a process that its first request starts; the console and unknown addresses never start it', async () => {
    const { url, started } = await openWithRoutes()
    const statusOf = async (path: string) => (await fetch(url + path)).status
    expect(await Promise.all(['/inbox', '/nothing/like/it', '/login'].map(statusOf))).toEqual([200, 404, 200])
    expect(await started()).toEqual([])
    const answers = await Promise.all(
      ['/hello/ana?x=1', '/about'].map(async (path) => (await fetch(url + path)).text()),
    )
    expect(answers[0]).toContain('"url":"/hello/ana?x=1"')
    expect(answers[1]).toBe('<script>about()</script>')
    expect(await started()).toHaveLength(1)
  })

  it('[R733] a build without other routes answers all addresses itself', async () => {
    const { url, started } = await openWithRoutes(null)
    for (const path of ['/about', '/hello/ana']) expect(await (await fetch(url + path)).text()).toBe(SHELL)
    expect(await started()).toEqual([])
  })

  it('[R734] has the hashes of its scripts in its policy where the build made it, else a nonce of its own for each request', async () => {
    const { url } = await openWithRoutes()
    const policyOf = (answer: Response) => answer.headers.get('content-security-policy') ?? ''
    expect(policyOf(await fetch(`${url}/about`))).toMatch(/script-src 'self' 'sha256-[^']{44}';/)
    const [first, second] = [await fetch(`${url}/hello/a`), await fetch(`${url}/hello/a`)]
    expect(policyOf(first)).toMatch(/script-src 'self' 'nonce-[^']{24}';/)
    expect(policyOf(first)).not.toBe(policyOf(second))
    expect((await first.json()).policy).toBe(policyOf(first))
  })

  it('[R735] its killed process costs the console nothing, and the next request starts another', async () => {
    const { url, started } = await openWithRoutes()
    await fetch(`${url}/about`)
    const [first] = await started()
    process.kill(Number(first), 'SIGKILL')
    expect(await (await fetch(`${url}/inbox`)).text()).toBe(SHELL)
    await vi.waitFor(async () => expect(await (await fetch(`${url}/about`)).text()).toBe('<script>about()</script>'), {
      timeout: 20_000,
    })
    expect(await started()).toHaveLength(2)
  })

  it('is sent what a page of this server sends, and nothing that another site sends', async () => {
    const { url } = await openWithRoutes()
    const send = (site: string) =>
      fetch(`${url}/hello/a`, { method: 'POST', body: 'text', headers: { 'sec-fetch-site': site } })
    expect(await (await send('same-origin')).json()).toMatchObject({ method: 'POST', body: 'text' })
    expect((await send('cross-site')).status).toBe(403)
  })

  it('[R736] is left to the server by the service worker', async () => {
    const { url } = await openWithRoutes()
    const [line = ''] = (await (await fetch(`${url}/service-worker.js`)).text()).split('\n')
    expect(line).toContain(JSON.stringify(['^/about(?:/)?$', '^/hello/([^/]+?)(?:/)?$']))
  })
})

it('in development the routes beside the console are those of the sources', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'convene-routes-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const pages = ['[[...path]]/page.tsx', 'login/page.tsx', 'about/page.tsx', '(more)/hello/[name]/route.ts']
  await writeAll(folder, Object.fromEntries(pages.map((path) => [`app/${path}`, ''])))
  const routes = await sourceRoutes(folder)
  const found = ['/', '/inbox', '/login', '/about', '/about/', '/about/x', '/hello', '/hello/ana'].filter((path) =>
    isOtherRoute(routes, path),
  )
  expect(found).toEqual(['/about', '/about/', '/hello/ana'])
})
