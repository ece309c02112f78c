/** Sign-in by a provider: begun, finished, confirmed again while the session is open, ended with the one at the provider. */
import type { IncomingMessage } from 'node:http'
import { Fault } from '@/lib/faults'
import type { AgentId } from '@/lib/mas/ids'
import type { CompanySignIn } from '@/server/companySignIn'
import type { Schedule } from '@/server/shared/later'
import type { GatewayParts } from '../../ports'
import type { AccessLog } from '../accessLog'
import type { Cookies } from '../cookies'
import type { Sessions } from '../sessions'
import { openAdmission } from './admission'
import { BEGUN_MS, openBegunSignIns } from './begunSignIns'
import { openCompanyChecks } from './companyChecks'
import { openCompanyPeople } from './companyPeople'
import { type CompanyIdentity, openIdentities } from './identities'

/** Two clocks. A session that began after the report, such as a new sign-in, stays. */
const REPORT_TOLERANCE_MS = 60_000

/** What the program gives beside the provider's protocol. */
export type CompanyParts = {
  signIn: CompanySignIn
  /** What is kept of a session, so that only this installation reads it. seal: null: there is nothing to seal with */
  seal(id: string, secret: string): string | null
  unseal(id: string, sealed: string): string | null
  agentId(id: string): AgentId
  personOfAddress(address: string): AgentId | null
  newId(): string
  schedule: Schedule
}

type Needs = Pick<GatewayParts, 'engine' | 'store' | 'now' | 'random' | 'meter' | 'log' | 'clients'> & {
  cookies: Cookies
  sessions: Sessions
  accessLog: AccessLog
}

export function openCompanyAccess(company: CompanyParts, needs: Needs) {
  const { engine, store, now, random, cookies, sessions, log } = needs
  const { signIn } = company
  const begun = openBegunSignIns(needs)
  const identities = openIdentities(store.people)
  const admission = openAdmission({
    ...company,
    engine,
    now,
    identities,
    onLost: async (person) => {
      log.info({ person }, 'A person is in no group of their provider any more: they are signed out')
      await sessions.endAll(person)
    },
  })
  const checks = openCompanyChecks({ ...company, engine, now, log, sessions, identities, admission })

  /** Throws NOT_FOUND. */
  function providerOf(id: string) {
    const found = signIn.providers.find((one) => one.id === id)
    if (found === undefined) throw new Fault('NOT_FOUND', { what: 'provider', id: id.slice(0, 100) })
    return found
  }

  async function finish(request: IncomingMessage, id: string, query: string) {
    const provider = providerOf(id)
    const state = new URLSearchParams(query).get('state') ?? ''
    const browser = await cookies.tokenIn(request.headers.cookie, 'begun')
    const taken = await begun.take(id, state, browser)
    const who = await signIn.finish(id, query, taken.checks)
    const person = await admission.admit(who, provider)
    const before = await sessions.callerOf({ cookie: request.headers.cookie })
    const { issuer, subject, session, refresh } = who
    const at = { provider: id, issuer, subject, session, checkedAt: now() }
    const cookie = await sessions.begin(person.id, request.headers['user-agent'], needs.clients.addressOf(request), {
      of: at,
      sealed: (one) => (refresh === null ? null : company.seal(one, refresh)),
    })
    if (refresh === null && !signIn.reports(id))
      log.warn({ provider: id }, 'A provider gave no refresh token: the session ends after 15 minutes')
    // The same browser shows the new session from now on.
    if (before?.person.id === person.id) await sessions.end(before)
    return { person, back: taken.back, cookies: [cookie, await sessions.browsers.remember(request, person.id)] }
  }

  return {
    passwords: signIn.passwords,
    providers: signIn.providers,
    /**
     * in      redirectUri: where the provider sends the browser back to; back: where the page goes then
     * out     where the browser goes, and the cookie that it comes back with
     * faults  NOT_FOUND, PROVIDER_UNREACHABLE
     */
    async begin(request: IncomingMessage, id: string, asked: { redirectUri: string; back: string; isAgain: boolean }) {
      providerOf(id)
      const { url, checks: expected } = await signIn.begin(id, asked)
      const known = await cookies.tokenIn(request.headers.cookie, 'begun')
      const browser = known ?? Buffer.from(random(32)).toString('base64url')
      await begun.keep(id, expected, browser, asked.back)
      return { url, cookie: await cookies.text('begun', browser, BEGUN_MS) }
    },
    /** in: query: of the answer. Throws SIGN_IN_STALE, SIGN_IN_UNFIT, PROVIDER_REFUSED, PROVIDER_UNREACHABLE, NOT_ADMITTED. */
    async finish(request: IncomingMessage, id: string, query: string) {
      try {
        const done = await finish(request, id, query)
        needs.meter.signedIn('company', 'done')
        needs.accessLog.signedIn(request, 'company', done.person.id)
        return done
      } catch (error) {
        needs.meter.signedIn('company', error instanceof Fault ? error.code : 'INTERNAL')
        needs.accessLog.signInRefused(request, 'company', null, error)
        throw error
      }
    },
    /** A provider reports a sign-out. out: how many sessions ended. Throws NOT_FOUND, SIGN_IN_UNFIT, PROVIDER_UNREACHABLE. */
    async reported(id: string, token: string): Promise<number> {
      providerOf(id)
      const { issuer, subject, session, at } = await signIn.reported(id, token)
      const until = store.clock.fromOutside(at) + REPORT_TOLERANCE_MS
      let ended = 0
      const people = subject === null ? checks.humans().map((one) => one.id) : await peopleOf({ issuer, subject })
      for (const person of people) {
        const open = await sessions.list(person)
        for (const { id: one, company: known } of await sessions.companySessions(person)) {
          const isIts = known.issuer === issuer && (session === null || known.session === session)
          if (!isIts || !open.some((other) => other.id === one && other.createdAt <= until)) continue
          await checks.endOne(person, one, 'the provider reported a sign-out')
          ended += 1
        }
      }
      return ended
    },
    ...openCompanyPeople({ signIn, identities, sessions, now }),
    checkSessions: checks.checkAll,
    start: checks.start,
    stop: checks.stop,
  }

  async function peopleOf(of: Pick<CompanyIdentity, 'issuer' | 'subject'>): Promise<AgentId[]> {
    const found = await identities.find(of)
    return found === null ? [] : [found.person]
  }
}

export type CompanyAccess = ReturnType<typeof openCompanyAccess>
