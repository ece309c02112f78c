/** Pages and the server: shells, policy, files, Next in development, starting, stopping, a port in use. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openEarlyServer, openGateway, PagesMissingError } from '..'
import { CHUNK, earlyServer, LOGIN_SHELL, openDouble, SHELL, usualOptions } from '../test/gatewayDouble'
import { openSetupDouble } from '../test/setupDouble'
import { pagePolicy, STYLE_HASHES, scriptHashes } from './csp'

const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('the content security policy', () => {
  it('the policy names every inline script of its page, and nothing unsafe', async () => {
    const { url } = await openDouble()
    const policyOf = async (path: string) => (await fetch(url + path)).headers.get('content-security-policy') ?? ''
    const shell = await policyOf('/')
    expect(shell).toContain(`script-src 'self' ${sha('theme()')} ${sha('self.__next_f.push(1)')};`)
    expect(await policyOf('/login')).toContain(`script-src 'self' ${sha('login()')};`)
    for (const hash of STYLE_HASHES) expect(shell).toContain(`'sha256-${hash}'`)
    expect(shell).not.toContain('unsafe')
    expect(shell).toContain("default-src 'none'")
    expect(shell).toContain("frame-ancestors 'none'")
  })

  it('scripts are hashed whatever their attributes, each once, except those with a src', () => {
    const html =
      '<script id="t" nomodule>a()</script><SCRIPT>a()</SCRIPT><script src="/x.js"></script><script async src=y></script><script>\nb()\n</script>'
    expect(scriptHashes(html).map((hash) => `'sha256-${hash}'`)).toEqual([sha('a()'), sha('\nb()\n')])
    expect(pagePolicy([])).toContain("script-src 'self';")
  })
})

describe('pages', () => {
  it('every console URL is the one shell and /login its own, with the security headers', async () => {
    const { url } = await openDouble()
    for (const path of [
      '/',
      '/inbox?view=done',
      '/tasks/1/steps/2?tab=prompt',
      '/tools/files/read.text',
      '/files/notes.txt',
      '/files/prices/page.html?version=3',
      '/go/TaskState_1',
    ]) {
      const answer = await fetch(url + path)
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, SHELL])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
    }
    expect(await (await fetch(`${url}/login?next=/inbox`)).text()).toBe(LOGIN_SHELL)
  })

  it('[R807] an address that no screen has is 404 with the console, which says so, and is never answered 304', async () => {
    const { url } = await openDouble()
    const tag = (await fetch(`${url}/inbox`)).headers.get('etag') ?? ''
    for (const path of ['/nowhere', '/tasks/1/nothing', '/inbox/1/', '/settings/you/x?page=1']) {
      for (const known of ['', tag]) {
        const answer = await fetch(url + path, { headers: { 'if-none-match': known } })
        expect([path, answer.status, await answer.text()]).toEqual([path, 404, SHELL])
        expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      }
    }
    expect((await fetch(`${url}/inbox/`)).status).toBe(200)
    expect((await fetch(`${url}/nowhere`, { method: 'POST' })).status).toBe(405)
  })

  it('[R451] a file that could not be read is answered 503, and given at the next request', async () => {
    const { url, folder, logged } = await openDouble()
    const chunk = '/_next/static/chunks/a.js'
    const file = join(folder, '.next/static/chunks/a.js')
    const content = await readFile(file)
    // A link to itself cannot be opened (ELOOP), as a file cannot when no descriptor is free.
    await rm(file)
    await symlink(file, file)
    expect((await fetch(url + chunk)).status).toBe(503)
    expect(logged.length).toBeGreaterThan(0)
    await rm(file)
    expect((await fetch(url + chunk)).status).toBe(404)
    await writeFile(file, content)
    expect(await (await fetch(url + chunk)).text()).toBe(CHUNK)
  })

  it('an unchanged page is answered 304, compressed where accepted, and without a body for HEAD', async () => {
    const { url } = await openDouble()
    const first = await fetch(`${url}/tasks`)
    expect(first.headers.get('content-encoding')).toBe('gzip')
    const tag = first.headers.get('etag') ?? ''
    expect((await fetch(`${url}/inbox`, { headers: { 'if-none-match': `W/${tag}, "other"` } })).status).toBe(304)
    expect((await fetch(`${url}/inbox`, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    const refused = await fetch(`${url}/tasks`, { headers: { 'accept-encoding': 'gzip;q=0, identity' } })
    expect(refused.headers.get('content-encoding')).toBeNull()
    const plain = await fetch(`${url}/tasks`, { headers: { 'accept-encoding': 'identity' } })
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, SHELL])
    expect(await (await fetch(`${url}/tasks`, { method: 'HEAD' })).text()).toBe('')
    expect((await fetch(`${url}/tasks`, { method: 'POST' })).status).toBe(405)
  })

  it('files of the build are compressed, cacheable for ever, and served from memory after the first request', async () => {
    const { url, folder } = await openDouble()
    const ask = (headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${url}/_next/static/chunks/a.js`, { headers, method })
    const head = await ask({}, 'HEAD')
    expect([head.status, head.headers.get('cache-control'), await head.text()]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      '',
    ])
    expect((await ask({}, 'POST')).status).toBe(405)
    const first = await ask()
    expect([first.status, await first.text()]).toEqual([200, CHUNK])
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    await rm(join(folder, '.next', 'static'), { recursive: true })
    const plain = await ask({ 'accept-encoding': 'identity' })
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, CHUNK])
    expect((await ask({ 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304)
  })

  it('public files are revalidated, the icon is cacheable, and a missing file gets no page', async () => {
    const { url, folder } = await openDouble()
    const picture = await fetch(`${url}/badge.png`)
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=0',
    })
    expect(await picture.text()).toBe('picture')
    expect((await fetch(`${url}/sound.ogg`)).headers.get('content-type')).toBe('application/octet-stream')
    for (const path of ['/icon.svg', '/favicon.ico']) {
      const icon = await fetch(url + path)
      expect([icon.headers.get('cache-control'), icon.headers.get('content-type'), await icon.text()]).toEqual([
        'public, max-age=31536000',
        'image/svg+xml',
        '<svg/>',
      ])
    }
    for (const path of ['/missing.ico', '/missing.js', '/robots.txt', '/_next/static/gone', '/_next/image'])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404])
    await rm(join(folder, 'public'), { recursive: true })
    expect(await (await fetch(`${url}/badge.png`)).text()).toBe('picture')
  })

  it('[R68] a file, and the 404 of a missing one, may load and run nothing', async () => {
    const { url } = await openDouble()
    for (const path of ['/_next/static/gone.js', '/_next/nothing', '/badge.png'])
      expect((await fetch(url + path)).headers.get('content-security-policy')).toContain("default-src 'none'")
    const dev = await openDouble({ pages: devPages(() => Promise.resolve()) })
    expect((await fetch(`${dev.url}/_next/x`)).headers.get('content-security-policy')).toBeNull()
  })

  it('[R215] a finished build is served without Next, which is not loaded', async () => {
    const next = vi.fn(devPages(() => Promise.resolve()).next)
    const { folder } = await openDouble()
    const { url } = await openDouble({ pages: { folder, dev: false, failed: () => {}, next } })
    for (const path of ['/', '/login', '/_next/static/chunks/a.js', '/_next/image', '/badge.png'])
      await (await fetch(url + path)).arrayBuffer()
    expect(next).not.toHaveBeenCalled()
  })

  it('[R68] an unknown path below the API roots is 404 in JSON, in the form of every refusal', async () => {
    const { url } = await openDouble({
      adapters: {
        owns: (path) => path === '/map',
        answer: async (_, response) => void response.end('map'),
        upgrade: () => false,
      },
    })
    const roots = ['/api', '/metrics', '/mamp', '/envelope', '/map', '/mcp']
    for (const path of roots
      .flatMap((root) => [`${root}/`, `${root}/no/such.html`, `${root}/x?y=1`])
      .concat('/mcp', '/envelope')) {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(url + path, { method })
        expect([path, answer.status, await answer.json()]).toEqual([
          path,
          404,
          expect.objectContaining({ error: 'NOT_FOUND', status_code: 404, message: expect.any(String) }),
        ])
        expect(answer.headers.get('content-type')).toContain('application/json')
      }
    }
    expect(await (await fetch(`${url}/map`)).text()).toBe('map')
    for (const path of ['/maps', '/apiary', '/tasks/api'])
      expect((await fetch(url + path)).headers.get('content-type')).toContain('text/html')
  })

  it('the service worker and the manifest are revalidated each time, and the worker may do nothing else', async () => {
    const { url } = await openDouble()
    const worker = await fetch(`${url}/service-worker.js`)
    expect([
      (await worker.text()).split('\n').at(-1),
      worker.headers.get('content-type'),
      worker.headers.get('cache-control'),
    ]).toEqual(['worker', 'text/javascript; charset=utf-8', 'no-cache'])
    expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'; img-src 'self'")
    const manifest = await fetch(`${url}/manifest.webmanifest`)
    expect(manifest.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
  })

  it('the service worker names the build: its page by ETag, and every file of it', async () => {
    const { url } = await openDouble()
    const text = await (await fetch(`${url}/service-worker.js`)).text()
    const said: unknown = JSON.parse(/^self\.SHELL = (.+)$/m.exec(text)?.[1] ?? 'null')
    const page = (await fetch(`${url}/tasks`)).headers.get('etag')
    expect(said).toEqual({
      tag: expect.stringMatching(/^[\w-]{22}$/),
      page,
      files: ['/_next/static/chunks/a.js'],
      others: [],
    })
  })

  it('no path leads out of the folder that is served', async () => {
    const { url } = await openDouble()
    const { port } = new URL(url)
    const get = (path: string) =>
      new Promise<string>((resolve, reject) => {
        httpRequest({ port, path }, (answer) => {
          let text = ''
          answer.on('data', (piece) => {
            text += String(piece)
          })
          answer.on('end', () => resolve(`${answer.statusCode} ${text}`))
        })
          .on('error', reject)
          .end()
      })
    for (const path of ['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '//evil.example/x', '/..%5c..%5cx']) {
      expect(await get(path)).toBe(`404 ${SHELL}`)
    }
  })

  it('in development every console URL is Next’s one page', async () => {
    const { url } = await openDouble({ pages: devPages(() => Promise.resolve()) })
    const textOf = async (path: string) => (await fetch(url + path)).text()
    expect(await textOf('/tasks/1?at=2')).toBe('next /?at=2')
    expect(await textOf('/login?next=/x')).toBe('next /login?next=/x')
    expect(await textOf('/_next/hmr')).toBe('next /_next/hmr')
  })
})

const devPages = (prepare: () => Promise<void>, failed: (sentence: string) => void = () => {}) => ({
  folder: '/nowhere',
  dev: true,
  failed,
  next: async () => {
    await prepare()
    return {
      handle: async (request: { url?: string }, response: { end(text: string): unknown }) => {
        response.end(`next ${request.url}`)
      },
      close: async () => {},
    }
  },
})

describe('starting', () => {
  it('health says from the first moment that the program starts; other requests wait, and sockets retry', async () => {
    const first = await openDouble({ pages: devPages(() => Promise.resolve()) })
    const early = await earlyServer()
    const url = `http://127.0.0.1:${early.port}`
    const health = await fetch(`${url}/api/health`)
    expect([health.status, await health.json()]).toEqual([
      503,
      { status: 'starting', node: 'test', journal: '', seq: 0, version: '0.0.0-test', rehearsal: true },
    ])
    expect((await fetch(`${url}/socket.io/?EIO=4`)).status).toBe(503)
    const page = fetch(`${url}/inbox`).then((answer) => answer.text())
    await once(early.http, 'request')
    const second = openGateway({ ...gatewayOptionsOf(first), sockets: null, early })
    await (await second.start('127.0.0.1')).pagesReady
    expect(await page).toBe('next /')
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
    await second.stop()
  })

  it('health answers before the pages are prepared, and a page waits for them', async () => {
    let ready = () => {}
    const prepared = new Promise<void>((resolve) => {
      ready = resolve
    })
    const { call, url } = await openDouble({ pages: devPages(() => prepared) })
    let gotPage = false
    const page = fetch(`${url}/inbox`).then(async (answer) => {
      gotPage = true
      return answer.text()
    })
    expect((await call('GET', '/api/health')).json).toEqual({
      status: 'ok',
      node: 'test',
      journal: expect.any(String),
      seq: expect.any(Number),
      version: '0.0.0-test',
      rehearsal: true,
    })
    expect(gotPage).toBe(false)
    ready()
    expect(await page).toBe('next /')
  })

  it('pages that cannot be prepared are reported to the program, which must exit', async () => {
    const said: string[] = []
    const pages = devPages(
      () => Promise.reject(new Error('no build')),
      (sentence) => said.push(sentence),
    )
    await openDouble({ pages })
    await expect.poll(() => said).toEqual(['The pages could not be prepared: no build'])
  })

  it('a missing build is reported', async () => {
    const double = await openDouble()
    await rm(join(double.folder, '.next'), { recursive: true })
    await expect(
      openDouble({
        pages: { folder: double.folder, dev: false, next: devPages(async () => {}).next, failed: () => {} },
      }),
    ).rejects.toThrow(PagesMissingError)
  })

  it('a port in use is reported with its owner and a free port', async () => {
    const first = await openDouble()
    const { port } = new URL(first.url)
    const about = { node: 'second', version: '0.0.0-test', rehearsal: true }
    const failure = await openEarlyServer('127.0.0.1', Number(port), about).then(
      () => 'started',
      (error: Error) => `${error.name}: ${error.message}`,
    )
    expect(failure).toMatch(
      new RegExp(
        `^CannotListenError: Port ${port} on 127.0.0.1 is taken by another Convene.* Port \\d+ is free: PORT=\\d+ npm start$`,
      ),
    )
  })

  it('stopping ends although a request is open, and health says so until then', async () => {
    const { gateway, url } = await openDouble({ pages: devPages(() => new Promise(() => {})) })
    const held = fetch(`${url}/inbox`).then(
      () => 'answered',
      () => 'cut',
    )
    await fetch(`${url}/api/health`)
    await gateway.stop()
    expect(await held).toBe('cut')
    await expect(fetch(`${url}/api/health`)).rejects.toThrow()
  })
})

function gatewayOptionsOf({ engine, store, workspace, folder }: Awaited<ReturnType<typeof openDouble>>) {
  const usual = usualOptions(folder, { logged: [], failures: [], engine, store })
  return { ...usual, workspace, now: Date.now, pages: { ...devPages(async () => {}), folder } }
}

describe('the OpenAPI document', () => {
  it('the OpenAPI document is made once, however often it is requested', async () => {
    const { call, gateway } = await openDouble()
    const made = vi.spyOn(gateway.app, 'getOpenAPI31Document')
    const first = await call('GET', '/api/openapi.json')
    const second = await call('GET', '/api/openapi.json')
    expect(second.json).toEqual(first.json)
    expect(made).toHaveBeenCalledTimes(1)
  })

  it('the OpenAPI document names every route with a summary, its answer and its refusals', async () => {
    const { call, gateway } = await openDouble()
    const { json } = await call('GET', '/api/openapi.json')
    const paths = json.paths as Record<string, Record<string, { summary: string; responses: Record<string, unknown> }>>
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    const routed = gateway.app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(named.sort()).toEqual([...new Set(routed)].sort())
    for (const [path, methods] of Object.entries(paths)) {
      for (const { summary, responses } of Object.values(methods)) {
        expect([path, summary]).toEqual([path, expect.stringMatching(/\.$/)])
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '4XX', '5XX']))
      }
    }
    expect(JSON.stringify(json)).toContain('"human_agent_id"')
  })

  it('docs/api.md names only routes that exist, and all the fixed ones', async () => {
    const { gateway } = await openSetupDouble()
    const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'api.md'), 'utf8')
    const known = new Set(
      gateway.app.routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '<$1>')}`),
    )
    // An adapter answers these (packages/interop/adapters/harmony), in the form of its protocol.
    for (const route of ['GET /api/harmony/export', 'POST /api/harmony/import', 'POST /api/harmony/handoff'])
      known.add(route)
    const named = [...page.matchAll(/`(GET|POST|PUT|DELETE) (\/api\/[^\s`?]*)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    )
    expect(named.filter((route) => !known.has(route))).toEqual([])
    expect(named).toEqual(
      expect.arrayContaining(['POST /api/bind_human_agent', 'POST /api/send_message', 'GET /api/states']),
    )
  })
})
