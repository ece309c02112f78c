/** Signing in and out, and who I am: bind_human_agent, sessions, me. */
import type { IncomingMessage } from 'node:http'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AgentRecord } from '@/lib/mas/records'
import type { BindAnswer, Me, SessionsEnded, Settings, SignedIn } from '@/lib/wire'
import { addRoute, type Env, type GatewayContext, HttpAnswer } from '../route'
import * as shapes from '../schemas'
import type { PersonSignIn } from '../signIn'

/** Where a person's settings stand among their rows. */
export const SETTINGS_KEY = 'settings'

export function addSessionRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext, signIn: PersonSignIn): void {
  const { engine, sessions, store } = gateway
  const hasPassword = async (person: AgentRecord) => (await store.accounts.passwordHash(person.id)) !== null

  const begin = async (request: IncomingMessage, { id }: AgentRecord): Promise<string[]> => [
    await sessions.begin(id, request.headers['user-agent']),
    await signIn.remember(request, id),
  ]

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/bind_human_agent',
    access: 'anyone',
    says: 'Sign in: bind this browser session to a person.',
    body: shapes.bindHumanAgent,
    answers: shapes.bindAnswer,
    saysSuccess: true,
    async handle({ request, body }) {
      const person = await signIn.byPassword(request, body.human_agent_id, body.password)
      const cookie = await begin(request, person)
      const answer: BindAnswer = { success: true, human_agent_id: person.id, message: `Signed in as ${person.name}.` }
      return new HttpAnswer(answer, { cookie })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/sessions/link',
    access: 'anyone',
    says: 'Sign in with a link that works once.',
    body: shapes.useLink,
    answers: shapes.signedIn,
    async handle({ request, body }) {
      const person = await signIn.byLink(request, body.token)
      const cookie = await begin(request, person)
      const answer: SignedIn = { person: personInfoOf(person), hasPassword: await hasPassword(person) }
      return new HttpAnswer(answer, { cookie })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/sessions/end',
    access: 'person',
    says: 'Sign out.',
    answers: shapes.endedAnswer,
    async handle({ caller }) {
      const answer: SessionsEnded = { ended: 1 }
      return new HttpAnswer(answer, { cookie: await sessions.end(caller) })
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/me',
    access: 'person',
    says: 'Who I am, my team, my settings.',
    answers: shapes.meAnswer,
    async handle({ caller }): Promise<Me> {
      const { name, language } = engine.world().team
      return {
        person: personInfoOf(caller.person),
        team: { name, language },
        settings: await settingsOf(caller.person.id),
        hasPassword: await hasPassword(caller.person),
        ...(gateway.notify ? { ladder: gateway.notify.ladder } : {}),
        staleAfterMs: gateway.staleAfterMs,
      }
    },
  })

  addRoute(app, gateway, {
    method: 'put',
    path: '/api/me/password',
    access: 'person',
    says: 'Set or change my password. My other sessions end.',
    body: shapes.putPasswordBody,
    answers: shapes.endedAnswer,
    async handle({ caller, body }): Promise<SessionsEnded> {
      await signIn.changePassword(caller.session.id, caller.person.id, body.current, body.next)
      return { ended: await sessions.endAll(caller.person.id, caller.session.id) }
    },
  })

  addRoute(app, gateway, {
    method: 'put',
    path: '/api/me/settings',
    access: 'person',
    says: 'Change my settings; what is not named stays.',
    body: shapes.settings,
    answers: shapes.settings,
    async handle({ caller, body }): Promise<Settings> {
      // Two pages of one person may change settings at once: take what is there now and lay the change over it.
      for (let attempt = 0; attempt < 5; attempt++) {
        const row = await store.people.get(caller.person.id, SETTINGS_KEY)
        const next = { ...readSettings(row?.value), ...body }
        const put = await store.people.put(caller.person.id, SETTINGS_KEY, next, row?.version ?? null)
        if (put.ok) {
          gateway.notify?.settingsChanged(caller.person.id)
          return next
        }
        await store.people.dropOther(caller.person.id, SETTINGS_KEY)
      }
      return settingsOf(caller.person.id)
    },
  })

  async function settingsOf(person: string): Promise<Settings> {
    return readSettings((await store.people.get(person, SETTINGS_KEY))?.value)
  }
}

/** What was stored by another version may not fit any more: then it counts as nothing said. */
export const readSettings = (value: unknown): Settings => shapes.settings.safeParse(value ?? {}).data ?? {}

export const personInfoOf = (person: AgentRecord): Me['person'] => ({
  agent_id: person.id,
  id: person.configId,
  name: person.name,
  role: person.role,
  access: person.access,
})
