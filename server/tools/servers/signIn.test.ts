/** Signing in at a remote server: the page, the tokens and where they are kept, and what happens when they run out. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { faultOf, memoryLog, resultText, tool } from '@/test/toolPools'
import { makeServer } from '@/test/toolServers/serve.mjs'
import type { OAuthSettings } from '../../shared/toolServer'
import { openToolPool } from './pool'
import { signInFiles } from './signIn'

const REDIRECT = 'http://127.0.0.1:3000/api/tools/oauth/callback'
let folder = ''
let guarded: Awaited<ReturnType<typeof startGuarded>>
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'convene-sign-in-')), 'tokens')
  guarded = await startGuarded()
})
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
  guarded.stop()
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

/** A server that answers those with a token only, and gives tokens itself. */
async function startGuarded() {
  const tokens = new Set<string>()
  const refreshes = new Set<string>()
  const seen: string[] = []
  const keys: (string | undefined)[] = []
  const give = () => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    tokens.add(access)
    refreshes.add(refresh)
    return { access_token: access, refresh_token: refresh, token_type: 'bearer', expires_in: 3600 }
  }
  const http: Server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', origin())
    const answer = (status: number, body: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (url.pathname !== '/mcp') {
      seen.push(url.pathname)
      keys.push(request.headers['x-key']?.toString())
    }
    switch (url.pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return answer(200, { resource: `${origin()}/mcp`, authorization_servers: [origin()] })
      case '/.well-known/oauth-authorization-server':
        return answer(200, {
          issuer: origin(),
          authorization_endpoint: `${origin()}/authorize`,
          token_endpoint: `${origin()}/token`,
          registration_endpoint: `${origin()}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        })
      case '/register':
        return answer(201, { ...JSON.parse(await read(request)), client_id: 'registered' })
      case '/token': {
        const form = new URLSearchParams(await read(request))
        if (form.get('grant_type') === 'refresh_token' && !refreshes.has(form.get('refresh_token') ?? ''))
          return answer(400, { error: 'invalid_grant' })
        if (form.get('grant_type') === 'authorization_code' && form.get('code') !== 'good')
          return answer(400, { error: 'invalid_grant' })
        return answer(200, give())
      }
      case '/mcp': {
        keys.push(request.headers['x-key']?.toString())
        const token = (request.headers.authorization ?? '').replace('Bearer ', '')
        if (!tokens.has(token)) {
          const where = `${origin()}/.well-known/oauth-protected-resource/mcp`
          return answer(401, {}, { 'www-authenticate': `Bearer resource_metadata="${where}"` })
        }
        const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
        await makeServer({}).connect(transport)
        return transport.handleRequest(request, response)
      }
      default:
        return answer(404, {})
    }
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = () => `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    url: `${origin()}/mcp`,
    origin: origin(),
    seen,
    keys,
    forget: () => tokens.clear(),
    forgetAll: () => {
      tokens.clear()
      refreshes.clear()
    },
    stop: () => {
      http.close()
      http.closeAllConnections()
    },
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

function open(over: { oauth?: OAuthSettings; headers?: Record<string, string> } = {}) {
  const { log, lines } = memoryLog()
  const config = { name: 'far', baseurl: guarded.url, guide: '', confirm: 'risky' as const, repeat: [], tools: {} }
  const pool = openToolPool([{ ...config, ...over }], {
    log,
    signIn: { keeping: signInFiles(folder), redirectUrl: () => REDIRECT },
  })
  closing.push(() => pool.close())
  const echo = () => pool.call('far', tool('echo', { text: 'hello' }), {})
  return { pool, lines, echo }
}

async function pageOf({ pool }: ReturnType<typeof open>): Promise<URL> {
  const begun = await pool.signIn('far')
  if (!begun.ok || begun.url === null) throw new Error('no page was given')
  return new URL(begun.url)
}

describe('a person', () => {
  test('is asked to open a page; the code that comes back becomes tokens, and the call goes through', async () => {
    const opened = open()
    expect(faultOf(await opened.echo()).message).toContain('needs a sign-in')
    expect(opened.pool.servers()[0]?.state).toBe('needs_sign_in')
    const page = await pageOf(opened)
    expect(Object.fromEntries(page.searchParams)).toMatchObject({
      redirect_uri: REDIRECT,
      client_id: 'registered',
      code_challenge_method: 'S256',
    })
    expect(opened.pool.servers()[0]?.signInUrl).toBe(page.href)
    const state = page.searchParams.get('state') ?? ''
    expect(await opened.pool.finishSignIn({ state, code: 'good' })).toEqual({ ok: true, server: 'far' })
    expect(resultText(await opened.echo())).toBe('hello')
    expect(opened.pool.servers()[0]).toMatchObject({ state: 'connected' })
    expect(opened.pool.servers()[0]?.signInUrl).toBeUndefined()
  })

  test('calls that come meanwhile ask for no further page: the one that is open stays good', async () => {
    const opened = open()
    await opened.echo()
    const page = await pageOf(opened)
    const asked = guarded.seen.length
    for (let call = 0; call < 3; call += 1) expect((await opened.echo()).ok).toBe(false)
    expect(guarded.seen).toHaveLength(asked)
    expect((await pageOf(opened)).href).toBe(page.href)
  })

  test('[R272] may answer the page at another node than the one that asks for it, and both use the tokens', async () => {
    const [north, south] = [open(), open()]
    expect((await north.echo()).ok).toBe(false)
    const page = await pageOf(north)
    expect(south.pool.servers()[0]).toMatchObject({ state: 'needs_sign_in', signInUrl: page.href })
    const state = page.searchParams.get('state') ?? ''
    expect(await south.pool.finishSignIn({ state, code: 'good' })).toEqual({ ok: true, server: 'far' })
    for (const { echo } of [north, south]) expect(resultText(await echo())).toBe('hello')
    expect(north.pool.servers()[0]).toMatchObject({ state: 'connected' })
    expect(await north.pool.finishSignIn({ state, code: 'good' })).toMatchObject({ ok: false })
  })

  test('an answer with another state is refused, and so is the same answer twice', async () => {
    const opened = open()
    await opened.echo()
    const state = (await pageOf(opened)).searchParams.get('state') ?? ''
    expect(faultOf(await opened.pool.finishSignIn({ state: 'guessed', code: 'good' })).code).toBe('TOOL_UNKNOWN')
    expect((await opened.pool.finishSignIn({ state, code: 'good' })).ok).toBe(true)
    expect((await opened.pool.finishSignIn({ state, code: 'good' })).ok).toBe(false)
  })

  test('a code that the server does not know leaves things as they were, in words', async () => {
    const opened = open()
    await opened.echo()
    const state = (await pageOf(opened)).searchParams.get('state') ?? ''
    expect((await opened.pool.finishSignIn({ state, code: 'bad' })).ok).toBe(false)
    expect((await opened.echo()).ok).toBe(false)
  })
})

describe('tokens', () => {
  async function signedIn() {
    const opened = open()
    await opened.echo()
    const state = (await pageOf(opened)).searchParams.get('state') ?? ''
    await opened.pool.finishSignIn({ state, code: 'good' })
    return opened
  }

  test('[R30] are kept in a file that only this user may read, and stand in no log line and no status', async () => {
    const { pool, lines, echo } = await signedIn()
    await echo()
    const file = join(folder, 'far.json')
    const kept: { tokens: { access_token: string; refresh_token: string } } = JSON.parse(readFileSync(file, 'utf8'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const said = JSON.stringify([lines, pool.servers(), await pool.describe('far')])
    for (const secret of [kept.tokens.access_token, kept.tokens.refresh_token]) expect(said).not.toContain(secret)
  })

  test('are used again after a restart, without a page', async () => {
    await signedIn()
    const before = guarded.seen.length
    expect(resultText(await open().echo())).toBe('hello')
    expect(guarded.seen).toHaveLength(before)
  })

  test('tokens that a trial outside of the pool renewed are used by the pool', async () => {
    const { echo } = await signedIn()
    guarded.forget()
    expect(resultText(await open().echo())).toBe('hello')
    const renewals = guarded.seen.filter((path) => path === '/token').length
    expect(resultText(await echo())).toBe('hello')
    expect(guarded.seen.filter((path) => path === '/token')).toHaveLength(renewals)
  })

  test('that ran out are renewed by themselves; where that fails a person is asked again', async () => {
    const { pool, echo } = await signedIn()
    guarded.forget()
    expect(resultText(await echo())).toBe('hello')
    guarded.forgetAll()
    const fault = faultOf(await echo())
    expect(fault.message).toContain('needs a sign-in')
    expect(pool.servers()[0]?.state).toBe('needs_sign_in')
  })
})

describe('without a person', () => {
  test('client credentials sign in by themselves', async () => {
    const oauth: OAuthSettings = {
      grant: 'client_credentials',
      clientId: 'us',
      clientSecret: 'secret',
      issuer: guarded.origin,
    }
    expect(resultText(await open({ oauth }).echo())).toBe('hello')
  })

  test('a configured Authorization header stands for a sign-in, and no other is tried', async () => {
    const opened = open({ headers: { Authorization: 'Bearer nobody-knows' } })
    expect(faultOf(await opened.echo()).message).toContain('asks for authorization (401)')
    expect(guarded.seen).toEqual([])
  })

  test('configured headers go to the server with every request', async () => {
    const oauth: OAuthSettings = {
      grant: 'client_credentials',
      clientId: 'us',
      clientSecret: 'secret',
      issuer: guarded.origin,
    }
    await open({ oauth, headers: { 'X-Key': 'k1' } }).echo()
    expect(new Set(guarded.keys)).toEqual(new Set(['k1']))
  })
})
