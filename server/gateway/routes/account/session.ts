/** Signing in and out; the caller's own account: bind_human_agent, sessions, me. */
import type { IncomingMessage } from 'node:http'
import type { AgentRecord } from '@/lib/mas/records'
import type { BindAnswer, Me, MySession, MyToken, SessionsEnded, Settings, SignedIn } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { isScope, SCOPES } from '@/lib/wire/scopes'
import type { Store, StoredSession } from '@/server/store'
import { HttpAnswer, type Routes } from '../../route'
import { addressFor } from '../../sessions/links'
import type { Sessions } from '../../sessions/sessions'

const DAY_MS = 24 * 60 * 60_000

/** Key of the settings in the store of a person. */
export const SETTINGS_KEY = 'settings'

export function addSessionRoutes({ add, gateway, signIn }: Routes): void {
  const { sessions, store, clients } = gateway

  const begin = async (request: IncomingMessage, { id }: AgentRecord): Promise<string[]> => [
    await sessions.begin(id, request.headers['user-agent'], clients.addressOf(request)),
    await sessions.browsers.remember(request, id),
  ]

  add('POST /api/bind_human_agent', {
    scope: null,
    access: 'anyone',
    summary: 'Sign in: bind this browser session to a person.',
    body: schemas.bindHumanAgent,
    answers: schemas.bindAnswer,
    withSuccess: true,
    async handle({ request, body }) {
      const person = await signIn.byPassword(request, body.human_agent_id, body.password)
      const cookie = await begin(request, person)
      const answer: BindAnswer = { success: true, human_agent_id: person.id, message: `Signed in as ${person.name}.` }
      return new HttpAnswer(answer, { cookie })
    },
  })

  add('POST /api/sessions/link', {
    scope: null,
    access: 'anyone',
    summary: 'Sign in with a link that works once.',
    body: schemas.useLink,
    answers: schemas.signedIn,
    async handle({ request, body }) {
      const person = await signIn.byLink(request, body.token)
      const cookie = await begin(request, person)
      const answer: SignedIn = { person: personInfoOf(person), hasPassword: await hasPassword(store, person) }
      return new HttpAnswer(answer, { cookie })
    },
  })

  add('POST /api/sessions/end', {
    scope: null,
    summary: 'Sign out.',
    answers: schemas.sessionsEnded,
    async handle({ caller, person, request }) {
      const back = `${addressFor(gateway, request).replace(/\/$/, '')}/login`
      const next = await gateway.companyAccess?.signOutUrl(person.id, caller.session.id, back)
      const answer: SessionsEnded = { ended: 1, ...(next ? { next } : {}) }
      gateway.accessLog.signedOut(request, caller.person.id)
      return new HttpAnswer(answer, { cookie: await sessions.end(caller) })
    },
  })
}

/** The sessions of the caller, and the password that they type again in one. */
export function addOwnSessionRoutes({ add, gateway, signIn }: Routes): void {
  const { sessions } = gateway

  add('POST /api/sessions/confirm', {
    scope: null,
    summary: 'Type the password again. For 5 minutes this session may then give access, add keys and add commands.',
    body: schemas.postConfirm,
    answers: schemas.confirmed,
    async handle({ caller, person, request, body }) {
      await signIn.confirm(request, caller.session.id, person.id, body.password)
      return { until: await sessions.confirm(caller) }
    },
  })

  add('GET /api/me/sessions', {
    scope: null,
    summary: 'The caller’s open sessions, newest first.',
    answers: schemas.mySessions,
    async handle({ caller, person }) {
      return { sessions: (await sessions.list(person.id)).map((one) => shownSession(one, caller.session.id)) }
    },
  })

  add('DELETE /api/me/sessions/{id}', {
    scope: null,
    summary: 'End one of the caller’s sessions.',
    answers: schemas.sessionsEnded,
    async handle({ person, params, request }) {
      await sessions.endOne(person.id, params.id)
      gateway.accessLog.signedOut(request, person.id)
      return { ended: 1 }
    },
  })

  add('DELETE /api/me/sessions', {
    scope: null,
    summary: 'End the caller’s other sessions, with pending sign-in links and known browsers.',
    answers: schemas.sessionsEnded,
    async handle({ caller, person, request }) {
      gateway.accessLog.signedOut(request, person.id)
      return { ended: await sessions.endAll(person.id, { session: caller.session.id, request }) }
    },
  })
}

/** Personal access tokens of the caller. */
export function addTokenRoutes({ add, gateway }: Routes): void {
  const { sessions, clients, now } = gateway

  add('GET /api/me/tokens', {
    scope: null,
    summary: 'The caller’s personal access tokens, newest first, without their secrets.',
    answers: schemas.myTokens,
    async handle({ person }) {
      return { tokens: (await sessions.tokensOf(person.id)).flatMap(shownTokenRow) }
    },
  })

  add('POST /api/me/tokens', {
    scope: null,
    asksPassword: true,
    summary:
      'Make a personal access token, for `Authorization: Bearer …`. It ends when it expires, is revoked, or its person loses access.',
    body: schemas.postToken,
    answers: schemas.madeToken,
    async handle({ person, body: { name, scopes, days }, request, log }) {
      const expiresAt = now() + days * DAY_MS
      const made = { name, scopes: SCOPES.filter((one) => scopes.includes(one)), expiresAt }
      const token = await sessions.makeToken(person.id, { ...made, address: clients.addressOf(request) })
      log({ scopes: made.scopes, expiresAt }, 'A person made a personal access token')
      return { token }
    },
  })

  add('DELETE /api/me/tokens/{id}', {
    scope: null,
    summary: 'Revoke one of the caller’s tokens.',
    answers: schemas.madeAnswer,
    async handle({ person, params, log }) {
      await sessions.endToken(person.id, params.id)
      log({ id: params.id }, 'A person revoked a personal access token')
      return { id: params.id }
    },
  })
}

export const shownTokenRow = ({ id, token, createdAt, lastSeen, expiresAt }: StoredSession): MyToken[] =>
  token === undefined
    ? []
    : [
        {
          ...{ id, name: token.name, scopes: token.scopes.filter(isScope), since: createdAt, expiresAt },
          lastUsed: lastSeen === createdAt ? null : lastSeen,
        },
      ]

export const shownSession = (
  { id, agent, address, createdAt, lastSeen, expiresAt }: Awaited<ReturnType<Sessions['list']>>[number],
  own: string | null,
): MySession => ({ id, browser: agent ?? null, address, since: createdAt, lastSeen, expiresAt, isThis: id === own })

/** Who the caller is, their password and their settings. */
export function addMyRoutes({ add, gateway, signIn }: Routes): void {
  const { engine, sessions, store } = gateway

  add('GET /api/me', {
    scope: 'read',
    summary: 'The caller, their team and their settings.',
    answers: schemas.meAnswer,
    async handle({ caller, person }) {
      const { name, language } = engine.world().team
      const company = gateway.companyAccess
      const passwords = await gateway.takesPasswords(person.id)
      return {
        person: personInfoOf(person),
        team: { name, language },
        settings: await settingsOf(person.id),
        hasPassword: passwords && (await hasPassword(store, person)),
        passwords,
        provider: (await company?.providerOfSession(person.id, caller.session.id)) ?? null,
        ...(gateway.notify ? { ladder: gateway.notify.ladder } : {}),
        staleAfterMs: gateway.staleAfterMs,
      }
    },
  })

  add('PUT /api/me/password', {
    scope: null,
    summary:
      'Set or change the caller’s password. Their other sessions, pending links and known browsers end; tokens stay.',
    body: schemas.putPassword,
    answers: schemas.sessionsEnded,
    async handle({ caller, person, body, request, log }) {
      await signIn.changePassword(caller.session.id, person, body.current, body.next)
      log({}, 'A person changed their password')
      await sessions.confirm(caller)
      return { ended: await sessions.endAll(person.id, { session: caller.session.id, request }) }
    },
  })

  add('PUT /api/me/settings', {
    scope: null,
    summary: 'Change the caller’s settings; fields that are not named stay.',
    body: schemas.settings,
    answers: schemas.settings,
    async handle({ person, body }) {
      // Two pages of one person may change settings at once: the change is applied to the newest version.
      for (let attempt = 0; attempt < 5; attempt++) {
        const row = await store.people.get(person.id, SETTINGS_KEY)
        const next = { ...readSettings(row?.value), ...body }
        const put = await store.people.put(person.id, SETTINGS_KEY, next, row?.version ?? null)
        if (put.ok) {
          gateway.notify?.settingsChanged(person.id)
          gateway.engine.sendEphemeral({ kind: 'settings', person: person.id })
          return next
        }
        await store.people.dropOther(person.id, SETTINGS_KEY)
      }
      return settingsOf(person.id)
    },
  })

  async function settingsOf(person: string): Promise<Settings> {
    return readSettings((await store.people.get(person, SETTINGS_KEY))?.value)
  }
}

export const hasPassword = async ({ accounts }: Pick<Store, 'accounts'>, { id }: AgentRecord): Promise<boolean> =>
  (await accounts.passwordHash(id)) !== null

/** Settings that another version stored and that no longer fit count as empty. */
export const readSettings = (value: unknown): Settings => schemas.settings.safeParse(value ?? {}).data ?? {}

export const personInfoOf = (person: AgentRecord): Me['person'] => ({
  agent_id: person.id,
  id: person.configId,
  name: person.name,
  role: person.role,
  access: person.access,
})
