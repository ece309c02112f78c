/** Operators set up agents, models, tool servers and budgets. A typed-in key goes into the keyring and is named by its id from then on. */
import type * as z from 'zod'
import { Fault } from '@/lib/faults'
import { givesAccess } from '@/lib/mas/access/givesAccess'
import { decide } from '@/lib/mas/commands'
import type { Command } from '@/lib/mas/commands/command'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { MODEL_PRESETS } from '@/lib/mas/setup/modelPresets'
import { PLAIN_MODEL } from '@/lib/mas/setup/providers'
import { selectSetupRecord } from '@/lib/mas/setup/setup'
import {
  effectiveOf,
  type KeyRef,
  type SetupEntry,
  type SetupKind,
  type SetupRecord,
  type SetupValues,
} from '@/lib/mas/setup/setupRecords'
import { selectName } from '@/lib/mas/team/agents'
import type { SetupAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { commitAs } from '../../commands'
import { readerLanguage } from '../../http/readerLanguage'
import type { SetupPort } from '../../ports'
import type { GatewayContext, Routes } from '../../route'

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
    scope: 'read',
    access: 'operator',
    summary:
      'Agents, models, tool servers and budgets: what the file says, what the page made of it, who changed what.',
    answers: schemas.setupAnswer,
    handle: async () => shownSetup(engine.world(), setup),
  })

  add('POST /api/setup', {
    scope: 'operate',
    access: 'operator',
    asksPassword: ({ world, body }) => body.changes.some((given) => givesAccess(world, entryOf(setup, given))),
    summary:
      'Make, change or take out agents, models and tool servers, set budgets: all of it or nothing. It takes effect at once.',
    body: schemas.postSetup,
    answers: schemas.commandAnswer,
    async handle({ caller, body: { changes: given, ...head }, log }) {
      const changes = given.map((one) => entryOf(setup, one))
      for (const entry of changes) await mustBeReachable(engine.world(), setup, entry)
      const answer = await commitAs(engine, caller, head, { type: 'changeSetup', changes })
      for (const entry of changes) log({ ...aboutEntry(entry) }, 'An operator changed the setup')
      return answer
    },
  })

  addCommand({
    path: '/api/setup/undo',
    scope: 'operate',
    access: 'operator',
    asksPassword: ({ world, body }) => givesAccess(world, undone(world, body)),
    summary: 'Make one of them again what it was before a change.',
    body: schemas.postSetupUndo,
    async command({ world, body: { kind, of, change }, log }) {
      const entry = undone(world, { kind, of, change })
      await mustBeReachable(world, setup, entry)
      log({ ...aboutEntry(entry) }, 'An operator takes back a change of the setup')
      return { type: 'undoSetup', kind, id: of, change }
    },
  })

  add('POST /api/setup/keys', {
    scope: null,
    access: 'operator',
    asksPassword: true,
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
    scope: 'operate',
    access: 'operator',
    summary: 'Can the configuration file be written, and does it say what the page says already?',
    answers: schemas.setupFile,
    async handle() {
      const { name, canWrite, isSame } = await setup.file()
      return { name, canWrite, isSame }
    },
  })

  add('POST /api/setup/file', {
    scope: 'operate',
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
    scope: 'read',
    access: 'operator',
    summary: 'Model servers that answer on this machine now (Ollama, LM Studio, vLLM), with their models.',
    answers: schemas.setupLocalModels,
    handle: async () => ({ servers: await setup.localServers() }),
  })

  add('POST /api/setup/models', {
    scope: 'operate',
    access: 'operator',
    asksPassword: ({ world, body }) => givesAccess(world, listed(body)),
    summary: 'The models that a server offers, with the context size and price of those that are known.',
    body: schemas.postSetupModels,
    answers: schemas.setupModels,
    async handle({ body, person, request, log }) {
      const entry = listed(body)
      await mustBeKeepable(gateway, setup, person.id, entry)
      log({ ...aboutEntry(entry) }, 'An operator lists the models of a server')
      return setup.listModels(body, readerLanguage(request.headers))
    },
  })

  add('POST /api/setup/try', {
    scope: 'operate',
    access: 'operator',
    asksPassword: ({ world, body }) => givesAccess(world, body),
    summary:
      'Try a model (a real call with a few words) or a tool server that need not be kept yet. It is refused what keeping it would be refused.',
    body: schemas.postSetupTry,
    answers: schemas.setupTried,
    async handle({ body, person, request, log }) {
      await mustBeKeepable(gateway, setup, person.id, body)
      log({ ...aboutEntry(body) }, 'An operator tries a setup')
      const language = readerLanguage(request.headers)
      return body.kind === 'model'
        ? setup.tryModel(body.id, body.value, language)
        : setup.tryServer(body.id, body.value, language)
    },
  })
}

/** As a model that could be kept: a list is refused what keeping such a model would be refused. */
const listed = ({ id, provider, baseUrl, key }: z.output<typeof schemas.postSetupModels>): SetupEntry => ({
  kind: 'model',
  id,
  value: { ...PLAIN_MODEL, accepts: [], provider, baseUrl, key, model: 'listed' },
})

type Given = z.output<typeof schemas.postSetup>['changes'][number]

/** Ids of agents and people are derived as from the configuration file. */
function entryOf(setup: SetupPort, given: Given): SetupEntry & { seen: number | null } {
  if (given.kind === 'human')
    return { ...given, value: given.value && { ...given.value, agent: setup.agentId(given.id) } }
  if (given.kind !== 'agent') return given
  const { value } = given
  return { ...given, value: value && { ...value, agent: asId<AgentId>(value.agent ?? setup.agentId(given.id)) } }
}

/** What an undo would keep. value null: also where that change is not known, which the command refuses. */
function undone(world: World, { kind, of, change }: z.output<typeof undoBody>): SetupEntry {
  const made = selectSetupRecord(world, kind, of)?.changes.find(({ seq }) => seq === change)
  return { kind, id: of, value: made?.before ?? null } as SetupEntry
}
const undoBody = schemas.postSetupUndo.pick({ kind: true, of: true, change: true })

/**
 * Nothing is done with a value that could not be kept: it is decided like the change that keeps it, and nothing is committed.
 *
 * in      seen: left out: the newest change
 * faults  those of changeSetup, and ADDRESS_PRIVATE, KEY_ELSEWHERE
 */
async function mustBeKeepable(
  { engine, now }: Pick<GatewayContext, 'engine' | 'now'>,
  setup: SetupPort,
  by: AgentId,
  { seen, ...entry }: SetupEntry & { seen?: number | null },
): Promise<void> {
  const world = engine.world()
  await mustBeReachable(world, setup, entry)
  const change = { ...entry, seen: seen === undefined ? newestOf(world, entry) : seen }
  const command: Command = { type: 'changeSetup', changes: [change] }
  const decided = decide(world, { id: 'try', by, command }, Math.max(now(), world.at))
  if (!decided.ok) throw decided.fault
}

/** null: there is nothing of that name. */
function newestOf(world: World, { kind, id }: SetupEntry): number | null {
  const record = selectSetupRecord(world, kind, id)
  if (record === undefined || effectiveOf<SetupValues[SetupKind]>(record) === null) return null
  return record.changes.at(-1)?.seq ?? 0
}

/** For the log. Arguments and keys are not in it: they may be secrets. */
function aboutEntry({ kind, id, value }: SetupEntry): object {
  const address = value === null ? null : 'address' in value ? value.address : 'baseUrl' in value ? value.baseUrl : null
  return {
    setup: kind,
    id,
    removed: value === null,
    command: value !== null && 'command' in value ? value.command : null,
    host: address !== null && URL.canParse(address) ? new URL(address).host : null,
  }
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
    budgets: Object.values(world.setup.budget).map((record) => shownRecord<'budget'>(world, record)),
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
