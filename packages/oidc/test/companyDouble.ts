/** A gateway whose people sign in by providers of the test. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import * as z from 'zod'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import { meAnswer } from '@/lib/wire/http'
import type { CompanySignInParts } from '@/server/companySignIn'
import { uuidOf } from '@/server/config'
import type { GatewayOptions } from '@/server/gateway'
import type { CompanyParts } from '@/server/gateway/sessions/company/companyAccess'
import { type Double, earlyServer, openDouble } from '@/server/gateway/test/gatewayDouble'
import { openCompanySignIn } from '../companySignIn'
import { signInSection } from '../section'
import { openTestBrowser, type TestBrowser } from './testBrowser'
import { CLIENT_ID, CLIENT_SECRET, openTestProvider, type TestProvider } from './testProvider'

export const RULES = { groupsClaim: 'groups', access: { team: 'participant', admins: 'operator' } }
const SECRET = 'COMPANY_SECRET'

type Settings = Record<string, unknown>
type Wish = {
  /** Of each provider, by its id. */
  providers: Record<string, { issuer: string } & Settings>
  passwords?: boolean
  outside?: CompanySignInParts['outside']
  personOfAddress?: CompanyParts['personOfAddress']
  seal?: CompanyParts['seal']
}

export function companyParts({ providers, passwords, ...wish }: Wish): CompanyParts {
  const signIn = openCompanySignIn(
    {
      rehearsal: { delayMs: 0, faults: [], load: false },
      signIn: signInSection.parse({
        passwords,
        providers: Object.entries(providers).map(([id, more]) => ({
          id,
          name: id.toUpperCase(),
          clientId: CLIENT_ID,
          clientSecretEnv: SECRET,
          ...RULES,
          ...more,
        })),
      }),
    },
    { secret: (name) => (name === SECRET ? CLIENT_SECRET : undefined), outside: wish.outside ?? Date.now },
  )
  if (signIn === null) throw new Error('no provider')
  return {
    signIn,
    seal: wish.seal ?? ((id, secret) => JSON.stringify([id, secret])),
    unseal: (id, sealed) => {
      const [of, secret] = z.tuple([z.string(), z.string()]).parse(JSON.parse(sealed))
      return of === id ? secret : null
    },
    agentId: (id) => asId<AgentId>(uuidOf('agent', id)),
    personOfAddress: wish.personOfAddress ?? (() => null),
    newId: randomUUID,
    schedule: () => () => {},
  }
}

export type CompanyDouble = Double & { provider: TestProvider; browser: TestBrowser }

/** With one true provider, `acme`. Kim, of the group `team`, signs in there. in: settings: of the provider; wish: of the rest */
export async function openCompanyDouble(
  settings: Settings = {},
  wish: Omit<Wish, 'providers'> & { options?: Partial<GatewayOptions>; more?: Wish['providers']; at?: object } = {},
): Promise<CompanyDouble> {
  // The provider knows where answers go to before the gateway is open.
  const early = await earlyServer()
  const app = { url: `http://127.0.0.1:${early.port}` }
  const provider = await openTestProvider(app, 'acme', wish.at)
  provider.people.set('sub-kim', {
    name: 'Kim Park',
    preferred_username: 'Kim.Park@acme.example',
    email: 'kim@acme.example',
    email_verified: true,
    groups: ['team'],
  })
  provider.next.subject = 'sub-kim'
  const company = companyParts({ ...wish, providers: { acme: { issuer: provider.issuer, ...settings }, ...wish.more } })
  const double = await openDouble({ company, early, ...wish.options })
  return { ...double, provider, browser: openTestBrowser() }
}

export const start = (double: Pick<Double, 'url'>, query = '', provider = 'acme'): string =>
  `${double.url}/api/sign-in/${provider}${query}`

/** Where a refused sign-in leads. */
export const problem = (double: Pick<Double, 'url'>, code: string, by = 'acme'): string =>
  `${double.url}/login?problem=${code}&by=${by}`

/** The person of the browser; null: nobody is signed in. */
export async function personIn({ call, url }: Double, browser: TestBrowser) {
  const { status, json } = await call('GET', '/api/me', { cookie: browser.cookiesOf(url) })
  return status === 200 ? meAnswer.parse(json).person : null
}

export const personCalled = ({ engine }: Double, id: string): AgentRecord | undefined =>
  Object.values<AgentRecord>(engine.world().agents).find(({ configId }) => configId === id)

/** Signs in, and expects that it worked. */
export async function signIn(double: CompanyDouble, browser = double.browser): Promise<string> {
  const { url } = await browser.visit(start(double))
  expect(url).toBe(`${double.url}/`)
  return browser.cookiesOf(double.url)
}
