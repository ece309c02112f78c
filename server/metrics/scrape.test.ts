/** The metrics of a gateway that runs: what is read by HTTP moves by exactly what was done. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Registry } from 'prom-client'
import { io } from 'socket.io-client'
import { expect, it, onTestFinished, vi } from 'vitest'
import { asId, type MessageId } from '@/lib/mas/ids'
import type { ModelCall } from '@/lib/mas/records'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { ask, isFinished, openPart } from '@/test/enginePart'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { parsePromText } from '@/test/promText'
import type { SkillScript, TestEngine } from '@/test/testEngine'
import { BASE_TASK, outcomeOf, planned, TEAM } from '@/test/worldHistories'
import { openGateway } from '../gateway'
import { socketSessionOf } from '../gateway/sessions/visitors'
import { attachSockets, type Sockets } from '../gateway/sockets/sockets'
import { earlyServer, PASSWORD, passwordHash, usualOptions, writeShells } from '../gateway/test/gatewayDouble'
import { ModelError, type Models } from '../models/model'
import { openMonitor } from '../monitor'
import { type Metrics, openMetrics } from '.'

const LAUNCHED = 1_700_000_000_000

const CALL: Omit<ModelCall, 'id' | 'prompt' | 'answer'> = {
  attempt: 1,
  model: 'default',
  modelVersion: 'scripted-1',
  outcome: 'taken',
  error: null,
  promptTokens: 120,
  completionTokens: 30,
  cachedTokens: 100,
  reasoningTokens: 20,
  estimated: false,
  costUsd: 0.25,
  firstTokenMs: 300,
  totalMs: 900,
  at: 1,
}

/** Fails once, then answers. */
function scriptedModels(): Models {
  let calls = 0
  return {
    get: (name) => ({
      name,
      provider: 'scripted',
      contextTokens: 1_000,
      async *call() {
        calls += 1
        if (calls === 1) throw new ModelError('MODEL_RATE_LIMITED', 'too many', true)
        yield { type: 'text', text: 'thought' }
        yield {
          type: 'end',
          usage: { promptTokens: 120, completionTokens: 30, estimated: false, costUsd: 0.25 },
          modelVersion: 'scripted-1',
          finish: 'stop',
        }
      },
    }),
  }
}

/** A thought asks the model twice: the first call fails. */
const thinks: SkillScript = async (step, run) => {
  if (step.executor !== 'think') return null
  const { signal } = run
  for (const _ of [1, 2]) {
    try {
      for await (const piece of run.model.call([], { signal })) if (piece.type === 'end') break
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
    }
  }
  return outcomeOf({ call: { ...CALL, id: 'call-1', prompt: { sha: '', bytes: 0 }, answer: null } })
}

const namesIn = (registry: Registry): string[] => registry.getMetricsAsArray().map(({ name }) => name)

type System = {
  test: TestEngine
  metrics: Metrics
  url: string
  /** out: the value of a series; with * at its end the sum of all that begin so */
  scrape(): Promise<(series: string) => number>
}

/** A thought asks Ana and waits. */
const asksAna: SkillScript = (step) =>
  step.executor === 'think'
    ? outcomeOf({
        sync: {
          send_message: {
            receiver: [TEAM.ana.id],
            message: 'which?',
            stage_relative: 'no_relative',
            need_reply: true,
            waiting: true,
          },
        },
      })
    : null

async function openSystem(skill = thinks, scrapedAt = () => LAUNCHED): Promise<System & { appends: () => number }> {
  const metrics = openMetrics({ version: '0.0.0-test', clock: () => performance.now() })
  const store = memoryStore({ data: memoryData(), now: () => LAUNCHED })
  const append = vi.spyOn(store.journal, 'append')
  const test = await openPart([planned('files', 'tool'), planned('think')], {
    store,
    metrics,
    models: scriptedModels(),
    skill,
    tools: { count: { info: {}, call: () => ({ ok: true, result: { isError: false, content: [] } }) } },
  })
  const { engine } = test
  const now = Date.now
  await store.accounts.setPassword(TEAM.ana.id, await passwordHash)
  const folder = await mkdtemp(join(tmpdir(), 'convene-metrics-'))
  await writeShells(folder)
  const schedule = (run: () => void, ms: number) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }
  const monitor = openMonitor({
    engine,
    journal: store.journal.id,
    run: 'r',
    now,
    schedule,
  })
  const held: { sockets: Sockets | null } = { sockets: null }
  const gateway = openGateway({
    early: await earlyServer(),
    ...usualOptions(folder, { logged: [], failures: [], engine, store }),
    workspace: folder,
    meter: metrics.gateway,
    metrics: {
      contentType: metrics.registry.contentType,
      text: () => metrics.registry.metrics(),
      token: null,
      hasProxy: false,
    },
    now,
    sockets: (http, sessions) => {
      held.sockets = attachSockets(http, {
        engine,
        monitor,
        meter: metrics.gateway,
        isOurs: () => true,
        sessionOf: (credentials) => socketSessionOf(sessions, credentials),
      })
      return held.sockets
    },
  })
  metrics.watch({
    world: () => engine.world(),
    now: scrapedAt,
    onDecision: (listener) => engine.onDecision(listener),
    sockets: () => ({ open: held.sockets?.count() ?? 0, bufferedBytes: held.sockets?.bufferedBytes() ?? 0 }),
    subscriptions: () => monitor.counts().subscriptions,
    peerRefusals: () => [{ protocol: 'mamp', code: 'NOT_SIGNED_IN', count: 3 }],
    servers: () => [{ name: 'files', guide: '', state: 'connected', isRemote: false }],
    droppedLines: () => 7,
    clockOffsetMs: () => 1_500,
    isStoreOk: () => engine.storeState().is === 'ok',
    freeBytes: async () => 5_000_000,
  })
  const { url } = await gateway.start('127.0.0.1')
  onTestFinished(async () => {
    await gateway.stop()
    monitor.close()
    await engine.stop()
    metrics.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    test,
    metrics,
    url,
    appends: () => append.mock.calls.length,
    async scrape() {
      const answer = await fetch(`${url}/metrics`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      const parsed = parsePromText(await answer.text())
      expect([...parsed.keys()].filter((name) => !name.startsWith('convene_'))).toEqual([])
      expect([...parsed.keys()].sort()).toEqual(namesIn(metrics.registry).sort())
      const all = new Map([...parsed.values()].flatMap(({ series }) => [...series]))
      const sumOf = (start: string): number =>
        [...all].reduce((sum, [key, value]) => (key.startsWith(start) ? sum + value : sum), 0)
      return (series) => (series.endsWith('*') ? sumOf(series.slice(0, -1)) : (all.get(series) ?? 0))
    },
  }
}

it('[R70] what is read at /metrics moves by exactly what was done', async () => {
  const { test, url, scrape, appends } = await openSystem()
  const post = (path: string, body: unknown, cookie = ''): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const signIn = (id: string, password: string) => post('/api/bind_human_agent', { human_agent_id: id, password })
  const started = { appends: appends(), seq: test.world().seq }
  const before = await scrape()

  // Sign-ins: one wrong and one right password; a link that nobody made; more tries than one account has.
  expect((await signIn(TEAM.ana.id, 'wrong')).status).toBe(401)
  const signed = await signIn(TEAM.ana.id, PASSWORD)
  const cookie = signed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  await post('/api/sessions/link', { token: 'x'.repeat(43) })
  for (let tries = 0; tries < 5; tries++) expect((await signIn(TEAM.ben.id, 'wrong')).status).toBe(401)
  expect((await signIn(TEAM.ben.id, 'wrong')).status).toBe(429)
  expect((await fetch(`${url}/api/me`)).status).toBe(401)

  // One page that looks at two views, one after the other.
  const page = io(url, { path: '/socket.io', transports: ['websocket'], extraHeaders: { cookie }, reconnection: false })
  onTestFinished(() => void page.disconnect())
  const bytesOf: Record<string, number> = {}
  for (const view of ['me', 'waits']) {
    const first = new Promise<unknown>((resolve) => page.once('reset', resolve))
    page.emit('subscribe', { sub: view, asked: 1, view })
    // The event stands behind Socket.IO's packet type.
    bytesOf[view] = Buffer.byteLength(`2${JSON.stringify(['reset', await first])}`)
  }

  // One message, by which a whole task runs; one command that is refused.
  const said = {
    id: '00000000-0000-4000-8000-00000000abcd',
    task: BASE_TASK,
    receivers: [TEAM.manager.id],
    text: 'go',
    type: 'action',
  }
  const more = { stage: null, answers: null, replyTo: null, mention: false, until: Date.now() + 60_000 }
  expect((await post('/api/messages', { ...said, ...more }, cookie)).status).toBe(200)
  const unknown = asId<MessageId>('00000000-0000-4000-8000-00000000dead')
  expect((await test.put(TEAM.ben.id, { type: 'acknowledge', message: unknown })).ok).toBe(false)
  const world = await test.until((now) => isFinished(now) && Object.values(now.work).every(({ running }) => !running))

  const after = await scrape()
  const moved = (series: string): number => after(series) - before(series)

  expect(moved('convene_sign_ins_total{outcome="done",way="password"}')).toBe(1)
  expect(moved('convene_sign_ins_total{outcome="SIGN_IN_FAILED",way="password"}')).toBe(6)
  expect(moved('convene_sign_ins_total{outcome="TOO_MANY",way="password"}')).toBe(1)
  expect(moved('convene_sign_ins_total{outcome="LINK_USED",way="link"}')).toBe(1)
  expect(moved('convene_http_refusals_total{code="SIGN_IN_FAILED"}')).toBe(6)
  expect(moved('convene_http_refusals_total{code="NOT_SIGNED_IN"}')).toBe(1)
  expect(moved('convene_http_requests_total{method="POST",status="401"}')).toBe(7)
  expect(moved('convene_http_requests_total{method="POST",status="429"}')).toBe(1)
  expect(moved('convene_http_requests_total{method="POST",status="200"}')).toBe(2)
  expect(moved('convene_http_request_seconds_count')).toBe(
    moved('convene_http_requests_total{method="POST",status="401"}') + 3 + 2,
  )

  expect(after('convene_sockets')).toBe(1)
  expect(after('convene_subscriptions')).toBe(2)
  for (const view of ['me', 'waits']) {
    expect(moved(`convene_socket_messages_total{event="reset",view="${view}"}`)).toBe(1)
    expect(moved(`convene_socket_sent_bytes_total{event="reset",view="${view}"}`)).toBe(bytesOf[view])
  }
  expect(after('convene_peer_refusals_total{code="NOT_SIGNED_IN",protocol="mamp"}')).toBe(3)

  expect(moved('convene_commands_total{kind="sendMessage",outcome="done"}')).toBe(1)
  expect(moved('convene_commands_total{kind="acknowledge",outcome="refused"}')).toBe(1)
  expect(moved('convene_command_refusals_total{code="NOT_FOUND"}')).toBe(1)
  expect(moved('convene_command_queue_seconds_count')).toBe(moved('convene_commands_total*'))
  expect(moved('convene_journal_entries_total')).toBe(world.seq - started.seq)
  expect(after('convene_journal_head')).toBe(world.seq)
  expect(moved('convene_journal_batches_total')).toBe(appends() - started.appends)
  expect(moved('convene_commit_seconds_count')).toBe(appends() - started.appends)

  const steps = Object.values(world.steps).flatMap((byAgent) => stepsOfAll(byAgent))
  const finished = steps.filter(({ state }) => state === 'finished').length
  expect(finished).toBeGreaterThan(5)
  expect(moved('convene_steps_ended_total{outcome="finished"}')).toBe(finished)
  expect(after('convene_steps_open{state="running"}')).toBe(0)

  const model = 'model="default",provider="scripted"'
  expect(moved(`convene_model_calls_total{${model.replace(',', ',outcome="taken",')}}`)).toBe(1)
  expect(moved(`convene_model_errors_total{code="MODEL_RATE_LIMITED",${model}}`)).toBe(1)
  expect(moved(`convene_model_tokens_total{direction="prompt",${model}}`)).toBe(120)
  expect(moved(`convene_model_tokens_total{direction="completion",${model}}`)).toBe(30)
  expect(moved(`convene_model_tokens_total{direction="cached",${model}}`)).toBe(100)
  expect(moved(`convene_model_tokens_total{direction="reasoning",${model}}`)).toBe(20)
  expect(moved(`convene_model_cost_usd_total{${model}}`)).toBe(0.25)
  expect(moved(`convene_model_first_token_seconds_sum{${model}}`)).toBeCloseTo(0.3)
  expect(moved(`convene_model_call_seconds_sum{${model}}`)).toBeCloseTo(0.9)
  expect(moved('convene_tool_calls_total{outcome="done",server="files"}')).toBe(1)
  expect(moved('convene_tool_call_seconds_count{server="files"}')).toBe(1)
  expect(after('convene_tool_servers{state="connected"}')).toBe(1)

  expect(after('convene_store_ok')).toBe(1)
  expect(after('convene_log_lines_dropped_total')).toBe(7)
  expect(after('convene_disk_free_bytes')).toBe(5_000_000)
  expect(after('convene_process_memory_bytes{kind="rss"}')).toBeGreaterThan(10_000_000)
})

it('[R70] waits and questions to people are open until they are answered, and grow old meanwhile', async () => {
  const clock = { now: LAUNCHED }
  const { test, scrape } = await openSystem(asksAna, () => clock.now)
  const before = await scrape()
  expect(before('convene_waits_open')).toBe(0)
  expect(before('convene_wait_oldest_seconds')).toBe(0)
  await ask(test)
  const waiting = await test.until((world) => (world.work[TEAM.reader.id]?.locks.length ?? 0) > 0)
  const lock = waiting.work[TEAM.reader.id]?.locks[0]
  clock.now = (lock?.at ?? 0) + 61_500
  const during = await scrape()
  expect(during('convene_waits_open')).toBe(1)
  expect(during('convene_wait_oldest_seconds')).toBe(61.5)
  expect(during('convene_requests_open{kind="answer"}')).toBe(1)
  const request = Object.values(waiting.requests).flatMap((own) => Object.values(own))[0]
  if (!request) throw new Error('nobody was asked')
  const answer = { decision: 'answer', text: 'this', arguments: null, digest: null } as const
  await test.put(TEAM.ana.id, { type: 'answerRequest', request: request.id, ...answer })
  await test.until(isFinished)
  const after = await scrape()
  expect(after('convene_waits_open')).toBe(0)
  expect(after('convene_wait_oldest_seconds')).toBe(0)
  expect(after('convene_requests_open{kind="answer"}')).toBe(0)
})

it('[R70] no label holds an id, a name or a text of the work', async () => {
  const { test, metrics } = await openSystem()
  await ask(test)
  await test.until(isFinished)
  const text = await metrics.registry.metrics()
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
  const names = Object.values(test.world().agents).map(({ name }) => name)
  for (const name of [...names, 'Count', 'counted', 'scripted-1']) expect(text).not.toContain(`"${name}"`)
})
