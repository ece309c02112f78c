/**
 * A team that can be reached outside the page, on a clock that the test moves: a real engine, a mail server, a webhook and
 * a push service on sockets of their own.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { selectUnfinishedAttempts } from '@/lib/mas/asks/unfinishedAttempts'
import type { Command } from '@/lib/mas/commands/command'
import type { AgentId } from '@/lib/mas/ids'
import type { AttemptRecord, RequestRecord, World } from '@/lib/mas/records'
import type { Config } from '@/server/config'
import { type Notify, openNotify, RETURN_MS } from '@/server/notify'
import { type HandClock, handClock } from './handClock'
import { type MailServer, openMailServer } from './mailServer'
import { memoryData } from './memoryStore'
import { openPushService, type PushService } from './pushService'
import { openTestEngine, type TestEngine } from './testEngine'
import { outcomeOf, planned, TEAM, teamConfig } from './worldHistories'

export type Called = { body: string; headers: Record<string, string> }
export type Services = {
  mail: MailServer
  push: PushService
  webhook: { url: string; got: Called[]; answers: number[] }
  close: () => void
}

export async function openServices(): Promise<Services> {
  const [mail, push] = [await openMailServer(), await openPushService()]
  const webhook: Services['webhook'] = { url: '', got: [], answers: [] }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const status = webhook.answers.shift() ?? 204
      webhook.got.push({
        body,
        headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  webhook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return {
    mail,
    push,
    webhook,
    close: () => {
      mail.close()
      push.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

export const WEBHOOK_KEY = 'a key that both know'
const MINUTE = 60_000

/** As the configuration has them when it says nothing. */
export const notifyTimes: Config['notify']['times'] = {
  ownChannelsMs: MINUTE,
  noPageMs: 5_000,
  againMs: 5 * MINUTE,
  untilMs: 30 * MINUTE,
  raiseAgainMs: 15 * MINUTE,
  approvalUrgentAfterMs: 30 * MINUTE,
  openMs: 240 * MINUTE,
  openAgainMs: 1_440 * MINUTE,
}

/** Ana has all channels, Ben has mail, Lee has none; Ana and Ben are leads. */
export const notifyConfig = ({ mail, webhook }: Services): Pick<Config, 'notify' | 'humans' | 'secret'> => ({
  humans: [
    { agent: TEAM.ana, passwordEnv: null, passwordHash: null, channels: { email: 'ana@test', webhook: webhook.url } },
    { agent: TEAM.ben, passwordEnv: null, passwordHash: null, channels: { email: 'ben@test', webhook: null } },
    { agent: TEAM.lee, passwordEnv: null, passwordHash: null, channels: { email: null, webhook: null } },
  ],
  notify: {
    smtpEnv: 'SMTP',
    mailFrom: 'Convene <convene@test>',
    webhook: null,
    webhookKeyEnv: 'KEY',
    allowPrivate: true,
    times: notifyTimes,
    escalation: [{ group: 'leads', afterMs: 2 * MINUTE }],
  },
  secret: (name) => ({ SMTP: mail.url, KEY: WEBHOOK_KEY })[name],
})

export type NotifyTest = TestEngine & {
  clock: HandClock
  services: Services
  notify: Notify
  /** A page of this person is open, or none. */
  isHere: (person: AgentId, isHere: boolean) => void
  /** Seconds go by, each with all that it sets going; `each` looks at each of them, before it passes. */
  pass: (seconds: number, each?: (at: number) => Promise<void>) => Promise<void>
  /** All that was tried for this person's messages, oldest first. */
  attemptsAt: (person: AgentId) => readonly AttemptRecord[]
}

type Options = {
  services: Services
  clock?: HandClock
  data?: ReturnType<typeof memoryData>
  prefix?: string
  nodes?: Parameters<typeof openNotify>[0]['nodes']
}

const QUESTION = outcomeOf({
  sync: {
    send_message: {
      receiver: [TEAM.ana.id],
      message: 'May I go on?',
      stage_relative: 'no_relative',
      need_reply: true,
      waiting: true,
    },
  },
})

/** A task in which the reader asks Ana whether it may go on, and waits for her. */
export const READING: Command = {
  type: 'makeTask',
  name: 'Reading',
  intention: 'Read it',
  manager: TEAM.manager.id,
  members: [TEAM.reader.id, TEAM.ana.id, TEAM.ben.id],
  stages: [{ intention: 'read', allocation: { [TEAM.reader.id]: 'read it' } }],
  reason: 'a test',
}

export async function openNotifyTest({
  services,
  clock = handClock(),
  data = memoryData(),
  prefix,
  nodes = null,
}: Options): Promise<NotifyTest> {
  const test = await openTestEngine({
    clock,
    data,
    ...(prefix === undefined ? {} : { prefix }),
    skill: (step) => {
      if (step.executor === 'planning') return outcomeOf({ steps: { insert: [], add: [planned('send_message')] } })
      return step.executor === 'send_message' ? QUESTION : null
    },
  })
  const config = teamConfig()
  const isLead = (id: AgentId): boolean => id === TEAM.ana.id || id === TEAM.ben.id
  const agents = config.agents.map((agent) => (isLead(agent.id) ? { ...agent, groups: ['leads'] } : agent))
  await test.put('system:start', { ...config, agents } satisfies Command)
  const { engine } = test
  const notify = await openNotify({
    engine,
    people: test.store.people,
    config: notifyConfig(services),
    address: () => 'https://convene.test',
    now: clock.now,
    newId: (() => {
      let n = 0
      return () => `${prefix ?? 'first'}-notify-${++n}`
    })(),
    schedule: clock.schedule,
    nodes,
    log: {
      warn: () => undefined,
      error: ({ err }: { err?: unknown }) => {
        throw err
      },
    },
  })

  /** What was started is over: decisions are made, sends are answered. */
  async function settle(): Promise<void> {
    // A decision gives up to three turns on its way: deciding, appending, telling.
    for (let quiet = 0; quiet < 8; quiet++) {
      const before = test.world().seq
      await turn()
      if (test.world().seq !== before) quiet = 0
    }
  }

  await settle()
  clock.pass(RETURN_MS)

  return {
    ...test,
    clock,
    services,
    notify,
    isHere: (person, isHere) =>
      engine.sendEphemeral({
        kind: 'presence',
        person,
        presence: { state: isHere ? 'away' : 'offline', quiet: null },
      }),
    async pass(seconds, each) {
      for (let second = 0; second < seconds; second++) {
        await each?.(clock.now())
        clock.pass(1_000)
        await settle()
        // Only what waits for its next try may be left open.
        if (
          selectUnfinishedAttempts(test.world()).length > 0 &&
          services.webhook.answers.length + services.mail.answers.length === 0
        )
          await test.until((world) => selectUnfinishedAttempts(world).length === 0)
      }
    },
    attemptsAt: (person) => attemptsAt(test.world(), person),
  }
}

export const attemptsAt = (world: World, person: AgentId): AttemptRecord[] =>
  Object.values(world.requests)
    .flatMap((own) => Object.values<RequestRecord>(own))
    .filter(({ asked, transferredBy }) => [...asked, ...(transferredBy ?? [])].includes(person))
    .flatMap(({ attempts, escalated }) =>
      (attempts ?? []).filter((one) =>
        one.channel === 'next'
          ? (escalated ?? []).some(({ from, to }) => from === person && to === one.person)
          : one.person === person,
      ),
    )
