/** The program itself: health, readiness, limits, the OpenAPI document. */
import type { Limits } from '@/lib/mas/records'
import type { Health, Ready, SystemInfo } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import type { PersonLimits } from '../../../shared/limits'
import { mustFind } from '../../records/resolve'
import { type GatewayContext, HttpAnswer, type Routes } from '../../route'

export function addSystemRoutes({ add, gateway, app }: Routes): void {
  const { engine, store, version } = gateway

  add('GET /api/health', {
    scope: null,
    isProbe: true,
    access: 'anyone',
    summary: 'Is the program alive? 503 with the same body when it stops or its store is lost.',
    answers: schemas.health,
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

  add('GET /api/ready', {
    scope: null,
    access: 'anyone',
    isProbe: true,
    summary: 'Can the program take commands? 503 with the reasons when it cannot.',
    answers: schemas.ready,
    alsoWith: [503],
    async handle() {
      const reasons = await notReady(gateway)
      const body: Ready = { ready: reasons.every((reason) => reason === 'clock' || reason === 'files'), reasons }
      return body.ready ? body : new HttpAnswer(body, { status: 503 })
    },
  })

  add('GET /api/system', {
    scope: 'read',
    access: 'operator',
    summary:
      'The version, the names of the models, and the limits by their configuration keys; budgets are at /api/budgets.',
    answers: schemas.systemInfo,
    async handle() {
      const { models = [], rehearsal, limits } = engine.world().team
      return { version, models, rehearsal, limits: limitsOf(limits, gateway.personLimits) }
    },
  })

  // Made once: it takes 0.1 s of CPU time, and anybody may ask for it.
  let document: ReturnType<typeof documentOf> | null = null
  add('GET /api/openapi.json', {
    scope: null,
    access: 'anyone',
    summary: 'This interface as an OpenAPI document.',
    answers: schemas.anyObject,
    async handle() {
      const cookie = await gateway.cookies.nameOf('session')
      document ??= documentOf(app, version, cookie)
      return document
    },
  })
}

const limitsOf = (limits: Limits, person: PersonLimits): SystemInfo['limits'] => [
  { name: 'steps_per_part', value: limits.stepsPerPart },
  { name: 'reflections_per_part', value: limits.reflectionsPerPart },
  { name: 'talk_in_a_row', value: limits.talkInARow },
  { name: 'commands_per_person', value: person.commandsPerPerson },
  { name: 'reads_per_person', value: person.readsPerPerson },
  { name: 'sockets_per_person', value: person.socketsPerPerson },
  { name: 'uploads_per_person', value: person.uploadsPerPerson },
  { name: 'uploads_per_person_mib', value: person.uploadsPerPersonMib },
  { name: 'drafts_per_person', value: person.draftsPerPerson },
  { name: 'drafts_per_person_mib', value: person.draftsPerPersonMib },
]

function documentOf(app: Routes['app'], version: string, cookie: string) {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Convene',
      version,
      description:
        'Sign in with POST /api/bind_human_agent; the session is a cookie. Or show a personal access token, which its person makes in the settings: each route names the scope that it needs.',
    },
  })
  const securitySchemes = {
    session: { type: 'apiKey', in: 'cookie', name: cookie },
    token: { type: 'http', scheme: 'bearer' },
    metrics: { type: 'http', scheme: 'bearer' },
  }
  return { ...document, components: { ...document.components, securitySchemes } }
}

/** out: every reason why it cannot, and `clock` and `files`, with which it can */
async function notReady(
  gateway: Pick<GatewayContext, 'engine' | 'store' | 'disk' | 'isCutOff' | 'isStopping' | 'shortage'>,
): Promise<Ready['reasons']> {
  const { engine, store, disk, isCutOff, isStopping, shortage } = gateway
  const free = await disk.freeBytes()
  const reasons: [Ready['reasons'][number], boolean][] = [
    ['draining', isStopping()],
    ['disk', free !== null && free < disk.leastBytes],
    ['store', engine.storeState().is !== 'ok'],
    ['nodes', isCutOff?.() === true],
    ['files', shortage.isRecent()],
    ['clock', store.clock.state().is !== 'right'],
  ]
  return reasons.flatMap(([reason, holds]) => (holds ? [reason] : []))
}

export function addTrialRoutes({ add, gateway }: Routes): void {
  const { trial } = gateway

  add('GET /api/system/try', {
    scope: 'read',
    access: 'operator',
    summary: 'The models and tool servers that can be tried.',
    answers: schemas.triable,
    async handle() {
      return { models: [...trial.models], tools: [...trial.tools] }
    },
  })

  add('POST /api/system/try', {
    scope: 'operate',
    access: 'operator',
    summary: 'Try one: does it answer, and if not, what is wrong and what to do. A model is called with a few words.',
    body: schemas.postTry,
    answers: schemas.triedAnswer,
    async handle({ body }) {
      const tried = mustFind(await trial.tryOne(body.kind, body.name), body.kind, body.name)
      return { ok: tried.ok, words: tried.words, hint: tried.hint }
    },
  })
}
