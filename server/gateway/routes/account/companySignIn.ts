/** Signing in by a provider: the ways that there are, the way there and back, and sign-outs that a provider reports. */
import type { IncomingMessage } from 'node:http'
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import * as schemas from '@/lib/wire/http'
import { type CallLog, HttpAnswer, type Routes } from '../../route'
import { addressFor } from '../../sessions/links'

const FORM_BYTES = 64 * 1024
/** Of which the page for signing in has words. */
const SHOWN: ReadonlySet<string> = new Set([
  'SIGN_IN_STALE',
  'SIGN_IN_UNFIT',
  'PROVIDER_REFUSED',
  'PROVIDER_UNREACHABLE',
  'NOT_ADMITTED',
])

export function addCompanySignInRoutes({ add, gateway }: Routes): void {
  const { companyAccess: company } = gateway

  add('GET /api/sign-in', {
    scope: null,
    access: 'anyone',
    summary: 'The ways to sign in.',
    answers: schemas.waysToSignIn,
    handle: async () => ({ passwords: company?.passwords ?? true, providers: [...(company?.providers ?? [])] }),
  })
  if (company === null) return

  /** Back at the page for signing in, which says in words what the code means. */
  const refused = (provider: string, thrown: unknown, log: CallLog) => {
    if (!(thrown instanceof Fault) || !SHOWN.has(thrown.code)) throw thrown
    const { code, message: why } = thrown as Fault
    // What anybody can send without a provider is counted with the other refused sign-ins, and no line of its own.
    if (code !== 'SIGN_IN_STALE') log({ provider, why }, 'A sign-in by a provider failed')
    const to = `/login?${new URLSearchParams({ problem: code, by: provider })}`
    return new HttpAnswer({ to }, { status: 303, location: to })
  }

  add('GET /api/sign-in/{id}', {
    scope: null,
    access: 'anyone',
    summary: 'Sign in by a provider: sends the browser there. It comes back to `back`, a path of the console.',
    query: schemas.signInQuery,
    answers: schemas.sentTo,
    alsoWith: [303],
    async handle({ params: { id }, query: { back, again }, request, log }) {
      const asked = { back: ownPath(back), isAgain: again === '1', redirectUri: answerAddress(id, request) }
      try {
        const { url, cookie } = await company.begin(request, id, asked)
        return new HttpAnswer({ to: url }, { status: 303, location: url, cookie })
      } catch (thrown) {
        return refused(id, thrown, log)
      }
    },
  })

  add('GET /api/sign-in/{id}/answer', {
    scope: null,
    access: 'anyone',
    summary: 'The answer of a provider: signs the person in, once.',
    query: z.record(z.string(), z.string()),
    answers: schemas.sentTo,
    alsoWith: [303],
    async handle({ params: { id }, request, log }) {
      try {
        const { back, cookies } = await company.finish(request, id, queryOf(request))
        return new HttpAnswer({ to: back }, { status: 303, location: back, cookie: cookies })
      } catch (thrown) {
        return refused(id, thrown, log)
      }
    },
  })

  add('POST /api/sign-in/{id}/sign-out', {
    scope: null,
    access: 'anyone',
    summary: 'A provider reports a sign-out (OpenID Connect Back-Channel Logout): a form with `logout_token`.',
    answers: schemas.sessionsEnded,
    async handle({ params: { id }, request, log }) {
      const token = (await formOf(request)).get('logout_token')
      if (token === null) throw new Fault('BAD_INPUT', { why: 'The form has no logout_token.' })
      const ended = await company.reported(id, token)
      log({ provider: id, ended }, 'A provider reported a sign-out')
      return { ended }
    },
  })

  const answerAddress = (id: string, request: IncomingMessage): string =>
    `${addressFor(gateway, request).replace(/\/$/, '')}/api/sign-in/${encodeURIComponent(id)}/answer`
}

const queryOf = ({ url = '' }: IncomingMessage): string => url.split('?')[1] ?? ''

/** out: the path, where it is one of ours; else the inbox. A browser reads a second slash, or a backslash, as another host. */
export function ownPath(path: string | undefined): string {
  const base = 'http://own.invalid'
  if (path === undefined || !/^\/(?![/\\])/.test(path) || /[\p{Cc}\\]/u.test(path) || !URL.canParse(path, base))
    return '/'
  const { origin, pathname, search, hash } = new URL(path, base)
  const isOurs = origin === base && !pathname.startsWith('//') && !/^\/(?:login|api)(?:\/|$)/.test(pathname)
  return isOurs ? pathname + search + hash : '/'
}

/** Throws TOO_LARGE. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    const bytes = Buffer.from(piece)
    size += bytes.length
    if (size > FORM_BYTES) throw new Fault('TOO_LARGE', { what: 'The form', size: `${size} bytes`, limit: '64 KiB' })
    pieces.push(bytes)
  }
  return new URLSearchParams(Buffer.concat(pieces).toString('utf8'))
}
