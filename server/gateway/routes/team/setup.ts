/** Operators set up agents, models and tool servers. A typed-in key goes into the keyring and is named by its id from then on. */
import type * as z from 'zod'
import { Fault } from '@/lib/faults'
import { type AgentId, asId } from '@/lib/mas/ids'
import { MODEL_PRESETS } from '@/lib/mas/modelPresets'
import type { World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/selectors/agents/agents'
import {
  effectiveOf,
  type KeyRef,
  type SetupEntry,
  type SetupKind,
  type SetupRecord,
  type SetupValues,
} from '@/lib/mas/setupRecords'
import type { SetupAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { readerLanguage } from '../../http/readerLanguage'
import type { SetupPort } from '../../ports'
import type { Routes } from '../../route'

export function addSetupRoutes(routes: Routes): void {
  const { gateway } = routes
  if (!gateway.setup) return
  addRecordRoutes(routes, gateway.setup)
  addFileRoutes(routes, gateway.setup)
  addTrialRoutes(routes, gateway.setup)
}

function addRecordRoutes({ add, addCommand, gateway }: Routes, setup: SetupPort): void {
  const { engine } = gateway

  add('GET /api/setup', {
    access: 'operator',
    summary: 'Agents, models and tool servers: what the file says, what the page made of it, who changed what.',
    answers: schemas.setupAnswer,
    handle: async () => shownSetup(engine.world(), setup),
  })

  addCommand({
    path: '/api/setup',
    access: 'operator',
    summary: 'Make, change or take out agents, models and tool servers: all of it or nothing. It takes effect at once.',
    body: schemas.postSetup,
    async command({ body }) {
      const changes = body.changes.map((given) => entryOf(setup, given))
      for (const entry of changes) await mustBeReachable(engine.world(), setup, entry)
      return { type: 'changeSetup', changes }
    },
  })

  addCommand({
    path: '/api/setup/undo',
    access: 'operator',
    summary: 'Make one of them again what it was before a change.',
    body: schemas.postSetupUndo,
    command: ({ body: { kind, of, change } }) => ({ type: 'undoSetup', kind, id: of, change }),
  })

  add('POST /api/setup/keys', {
    access: 'operator',
    summary: 'Keep a key for one address, encrypted. The answer names it; no answer ever holds it.',
    body: schemas.postSetupKey,
    answers: schemas.setupKeyAnswer,
    async handle({ body: { key, address }, log }) {
      const stored = await setup.keepKey(key, address)
      log({ keyId: stored, host: new URL(address).host }, 'An operator entered a key')
      return { stored }
    },
  })
}

function addFileRoutes({ add }: Routes, setup: SetupPort): void {
  add('GET /api/setup/file', {
    access: 'operator',
    summary: 'Can the configuration file be written, and does it say what the page says already?',
    answers: schemas.setupFile,
    async handle() {
      const { name, canWrite, isSame } = await setup.file()
      return { name, canWrite, isSame }
    },
  })

  add('POST /api/setup/file', {
    access: 'operator',
    summary:
      'Write what the page changed into the configuration file; where it is read-only, the answer holds its text.',
    body: schemas.emptyBody,
    answers: schemas.setupFileWritten,
    async handle({ log }) {
      const { name, canWrite, text, write } = await setup.file()
      if (!canWrite) return { name, text }
      await write()
      log({}, 'An operator wrote the configuration file')
      return { name, text: null }
    },
  })
}

function addTrialRoutes({ add, gateway }: Routes, setup: SetupPort): void {
  add('GET /api/setup/local-models', {
    access: 'operator',
    summary: 'Model servers that answer on this machine now (Ollama, LM Studio, vLLM), with their models.',
    answers: schemas.setupLocalModels,
    handle: async () => ({ servers: await setup.localServers() }),
  })

  add('POST /api/setup/try', {
    access: 'operator',
    summary: 'Try a model (a real call with a few words) or a tool server that need not be kept yet.',
    body: schemas.postSetupTry,
    answers: schemas.setupTried,
    async handle({ body, request }) {
      await mustBeReachable(gateway.engine.world(), setup, body)
      const language = readerLanguage(request.headers)
      return body.kind === 'model'
        ? setup.tryModel(body.id, body.value, language)
        : setup.tryServer(body.id, body.value, language)
    },
  })
}

type Given = z.output<typeof schemas.postSetup>['changes'][number]

/** Ids of agents and people are derived as from the configuration file. */
function entryOf(setup: SetupPort, given: Given): SetupEntry & { seen: number | null } {
  if (given.kind === 'human')
    return { ...given, value: given.value && { ...given.value, agent: setup.agentId(given.id) } }
  if (given.kind !== 'agent') return given
  const { value } = given
  return { ...given, value: value && { ...value, agent: asId<AgentId>(value.agent ?? setup.agentId(given.id)) } }
}

/** Throws ADDRESS_PRIVATE, KEY_ELSEWHERE. Values that the configuration file already has are not checked. */
async function mustBeReachable(world: World, setup: SetupPort, entry: SetupEntry): Promise<void> {
  if (entry.value === null || (entry.kind !== 'model' && entry.kind !== 'tool')) return
  const { address, keys, inFile } =
    entry.kind === 'model' ? ofModel(world, entry.id, entry.value) : ofTool(world, entry.id, entry.value)
  if (address === null || !URL.canParse(address)) return
  const { host } = new URL(address)
  if (address !== inFile && !(await setup.mayReach(address))) throw new Fault('ADDRESS_PRIVATE', { host })
  for (const key of keys) {
    if ('stored' in key && !setup.hasKey(key.stored, address)) throw new Fault('KEY_ELSEWHERE', { name: '', host })
  }
}

const ofModel = (world: World, id: string, value: SetupValues['model']) => ({
  address: value.baseUrl,
  keys: value.key === null ? [] : [value.key],
  inFile: world.setup.model[id]?.file?.baseUrl ?? null,
})
const ofTool = (world: World, id: string, value: SetupValues['tool']) => ({
  address: value.address,
  keys: value.headers.flatMap(({ key }): KeyRef[] => (key === null ? [] : [key])),
  inFile: world.setup.tool[id]?.file?.address ?? null,
})

function shownSetup(world: World, setup: SetupPort): SetupAnswer {
  return {
    agents: Object.values(world.setup.agent).map((record) => shownRecord<'agent'>(world, record)),
    people: Object.values(world.setup.human).map((record) => shownRecord<'human'>(world, record)),
    models: Object.values(world.setup.model).map((record) => shownRecord<'model'>(world, record)),
    tools: Object.values(world.setup.tool).map((record) => shownRecord<'tool'>(world, record)),
    team: Object.values(world.setup.team).map((record) => shownRecord<'team'>(world, record)),
    offered: Object.keys(world.team.toolGuides),
    variables: MODEL_PRESETS.flatMap(({ variable }) => (variable !== null && setup.isSet(variable) ? [variable] : [])),
    toolsAllowed: world.team.toolsAllowed ?? [],
  }
}

function shownRecord<Kind extends SetupKind>(world: World, record: SetupRecord<SetupValues[Kind]>) {
  return {
    id: record.id,
    value: effectiveOf(record),
    file: record.file,
    isChanged: record.page !== null,
    changes: record.changes.map(({ seq, at, by, before }) => ({
      seq,
      at,
      by: by === null ? null : selectName(world, by),
      before,
    })),
  }
}
