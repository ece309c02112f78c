/** What others ask of the program itself: is it well, what does it offer, and load for benches. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { Limits } from '@/lib/mas/records'
import type { Health, Ready, SystemInfo } from '@/lib/wire'
import type { LoadProgress } from '@/server/engine/loadDriver'
import { notReady } from '../readiness'
import { shown } from '../resolve'
import { addRoute, type Env, type GatewayContext, HttpAnswer } from '../route'
import * as shapes from '../schemas'
import { COOKIE } from '../sessions'

export function addSystemRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, load, store, version } = gateway

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/health',
    isProbe: true,
    access: 'anyone',
    says: 'Is the program alive? 503 with the same body when it stops or its store is lost.',
    answers: shapes.health,
    alsoWith: [503],
    async handle() {
      const world = engine.world()
      const status: Health['status'] =
        engine.storeState().is === 'lost' ? 'broken' : gateway.isStopping() ? 'stopping' : 'ok'
      const body: Health = {
        status,
        node: engine.node,
        journal: store.journal.id,
        seq: world.seq,
        version,
        rehearsal: world.team.rehearsal,
      }
      return status === 'ok' ? body : new HttpAnswer(body, { status: 503 })
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/ready',
    access: 'anyone',
    isProbe: true,
    says: 'Can the program take commands? 503 with the reasons when it cannot.',
    answers: shapes.ready,
    alsoWith: [503],
    async handle() {
      const reasons = await notReady(gateway)
      const body: Ready = { ready: reasons.length === 0, reasons }
      return body.ready ? body : new HttpAnswer(body, { status: 503 })
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/system',
    access: 'operator',
    says: 'What runs here: the version, the models by name, and the limits as the configuration file names them (null: none).',
    answers: shapes.systemInfo,
    async handle(): Promise<SystemInfo> {
      const { models = [], rehearsal, limits } = engine.world().team
      return { version, models, rehearsal, limits: limitsOf(limits) }
    },
  })

  // Putting it together takes a tenth of a second of CPU time, and strangers may ask for it.
  let document: ReturnType<typeof documentOf> | null = null
  addRoute(app, gateway, {
    method: 'get',
    path: '/api/openapi.json',
    access: 'anyone',
    says: 'This interface as an OpenAPI document.',
    answers: shapes.anyJson,
    async handle() {
      document ??= documentOf(app, version)
      return document
    },
  })

  if (load === null) return

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/bench/load',
    access: 'operator',
    says: 'Drive labelled load through the journal and the sockets. Only with CONVENE_BENCH=1.',
    body: shapes.postLoad,
    answers: shapes.loadBegun,
    async handle({ body }) {
      return load.start(body)
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/bench/load/{id}',
    access: 'operator',
    says: 'How far the load is.',
    params: shapes.idParams,
    answers: shapes.loadProgress,
    async handle({ params }): Promise<LoadProgress> {
      const progress = load.progress(params.id)
      if (!progress) throw new Fault('NOT_FOUND', { what: 'load', id: shown(params.id) })
      return progress
    },
  })
}

const limitsOf = (limits: Limits): SystemInfo['limits'] =>
  Object.entries({
    steps_per_part: limits.stepsPerPart,
    reflections_per_part: limits.reflectionsPerPart,
    talk_in_a_row: limits.talkInARow,
    tokens_per_task: limits.tokensPerTask,
    cost_per_task: limits.costPerTask,
    cost_per_day: limits.costPerDay,
  }).map(([name, value]) => ({ name, value: value ?? null }))

function documentOf(app: OpenAPIHono<Env>, version: string) {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Convene',
      version,
      description: 'Sign in with POST /api/bind_human_agent; the session is a cookie.',
    },
  })
  const securitySchemes = {
    session: { type: 'apiKey', in: 'cookie', name: COOKIE },
    metrics: { type: 'http', scheme: 'bearer' },
  }
  return { ...document, components: { ...document.components, securitySchemes } }
}
