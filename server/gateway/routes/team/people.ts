/** Operators manage people and their accounts: inviting, leaving, sign-in links, resetting a password, signing out everywhere. */
import { Fault } from '@/lib/faults'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import * as schemas from '@/lib/wire/http'
import { commitAs } from '../../commands'
import { resolveAgentId, shown } from '../../records/resolve'
import type { GatewayContext, Routes } from '../../route'
import { addressFor } from '../../sessions/links'
import { countDrafts } from '../account/drafts'
import { personInfoOf } from '../account/session'

export function addPeopleRoutes(routes: Routes): void {
  const { gateway } = routes
  addAccountRoutes(routes)
  // Without a setup, the configuration file alone defines the team.
  if (gateway.setup) addMemberRoutes(routes, gateway.setup)
}

/** Sign-in links, passwords and sessions of those who are in the team. */
function addAccountRoutes({ add, gateway, signIn }: Routes): void {
  const { sessions, store } = gateway

  add('GET /api/people', {
    scope: 'read',
    access: 'operator',
    summary: 'Everyone with an account.',
    answers: schemas.peopleAnswer,
    async handle() {
      const people = await Promise.all(
        everyoneIn(gateway).map(async (person) => {
          const every = await store.accounts.sessionsOf(person.id)
          const open = every.filter(({ token }) => token === undefined)
          const lastSeen = open.length === 0 ? null : Math.max(...open.map((session) => session.lastSeen))
          const hasPassword = (await store.accounts.passwordHash(person.id)) !== null
          const drafts = await countDrafts(store.people, person.id)
          const counts = { sessions: open.length, tokens: every.length - open.length, drafts }
          const providers = (await gateway.companyAccess?.providersOf(person.id)) ?? []
          return { ...personInfoOf(person), hasPassword, lastSeen, ...counts, providers }
        }),
      )
      return { people }
    },
  })

  add('POST /api/people/{id}/link', {
    scope: null,
    access: 'operator',
    asksPassword: true,
    summary:
      'Make a sign-in link for a person. It works once, within 15 minutes; for somebody without a password, within 7 days.',
    answers: schemas.linkAnswer,
    async handle({ params, request, log }) {
      const person = humanOf(gateway, params.id)
      log({ person: person.id }, 'An operator made a sign-in link')
      return signIn.makeLink(person.id, addressFor(gateway, request))
    },
  })

  add('POST /api/people/{id}/reset', {
    scope: null,
    access: 'operator',
    asksPassword: true,
    summary: "Remove a person's password, sign them out everywhere, and make a sign-in link for them.",
    answers: schemas.linkAnswer,
    async handle({ params, request, log }) {
      const person = humanOf(gateway, params.id)
      log({ person: person.id }, 'An operator reset a password')
      await endAccess(gateway, person.id)
      return signIn.makeLink(person.id, addressFor(gateway, request))
    },
  })

  add('POST /api/people/{id}/sign-out', {
    scope: 'operate',
    access: 'operator',
    summary: 'Sign a person out everywhere. Their tokens, pending sign-in links and known browsers end too.',
    answers: schemas.sessionsEnded,
    async handle({ params, log }) {
      const person = humanOf(gateway, params.id)
      log({ person: person.id }, 'An operator signed a person out')
      return { ended: await sessions.endAll(person.id) }
    },
  })
}

/** Who is invited, and who leaves. */
function addMemberRoutes({ add, gateway, signIn }: Routes, setup: NonNullable<GatewayContext['setup']>): void {
  const { engine } = gateway

  add('POST /api/people', {
    scope: null,
    access: 'operator',
    asksPassword: true,
    summary:
      'Invite somebody: they belong to the team at once, and sign in by the link, which works once, within 7 days.',
    body: schemas.postInvite,
    answers: schemas.linkAnswer,
    async handle({ caller, body: { person: id, value, ...head }, request, log }) {
      const agent = setup.agentId(id)
      const entry = { kind: 'human', id, value: { ...value, agent }, seen: null } as const
      await commitAs(engine, caller, head, { type: 'changeSetup', changes: [entry] })
      log({ person: agent }, 'An operator invited a person')
      return signIn.makeLink(agent, addressFor(gateway, request))
    },
  })

  add('POST /api/people/{id}/leave', {
    scope: null,
    access: 'operator',
    asksPassword: true,
    summary:
      'A person leaves the team: sessions, links and password end at once, and what only they were asked goes to another.',
    body: schemas.postLeave,
    answers: schemas.commandAnswer,
    async handle({ caller, params, body: { seen, handTo, reason, ...head }, log }) {
      const person = humanOf(gateway, params.id)
      const to = handTo === null ? null : humanOf(gateway, handTo).id
      const id = person.configId ?? person.id
      const command = { type: 'leaveTeam', id, seen, handTo: to, reason } as const
      const answer = await commitAs(engine, caller, head, command)
      // A person who returns under the same id starts without old access.
      if (engine.world().agents[person.id]?.removed) await endAccess(gateway, person.id)
      log({ person: person.id }, 'An operator removed a person')
      return answer
    },
  })
}

const everyoneIn = ({ engine }: GatewayContext): AgentRecord[] =>
  Object.values<AgentRecord>(engine.world().agents).filter(({ kind, removed }) => kind === 'human' && !removed)

/** Throws NOT_FOUND. */
function humanOf({ engine }: GatewayContext, id: string): AgentRecord {
  const person = resolveAgentId(engine.world(), id)
  if (person?.kind !== 'human') throw new Fault('NOT_FOUND', { what: 'person', id: shown(id) })
  return person
}

async function endAccess({ store, sessions }: GatewayContext, person: AgentId): Promise<void> {
  await store.accounts.setPassword(person, null)
  await sessions.endAll(person)
}
