/**
 * A whole team that rehearses in one process: true engine, true skills and prompts, true file server on a folder of its
 * own.
 *
 * Waits are on the world, never on time.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bodyOf } from '@/lib/mas/bodies'
import type { Command, NewBody } from '@/lib/mas/commands/command'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import type {
  AgentConfig,
  Attachment,
  Language,
  MessageRecord,
  RequestRecord,
  StepRecord,
  TaskRecord,
  World,
} from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { openEngine, type RunningEngine } from '@/server/engine'
import { type Model, openModels } from '@/server/models'
import { bodyText } from '@/server/shared/bodyText'
import type { PackageSections } from '@/server/shared/packages'
import { loadPrompts, runSkill } from '@/server/skills'
import type { Store } from '@/server/store'
import { openToolPool, type ToolPool, type ToolServerConfig } from '@/server/tools'
import { memoryData, memoryStore } from './memoryStore'
import { bundledProgram } from './programs'

const SERVER_FILE = bundledProgram(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
)
const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const someone = (number: number, name: string, more: Partial<AgentConfig>): AgentConfig => ({
  id: asId<AgentId>(uuid(number)),
  configId: name.toLowerCase(),
  kind: 'llm',
  name,
  role: name.toLowerCase(),
  profile: '',
  groups: [],
  manager: false,
  mayWait: false,
  model: 'default',
  skills: ['all'],
  tools: [],
  access: 'none',
  ...more,
})

export const CREW = {
  manager: someone(1, 'Manager', { manager: true, profile: 'Turns a request into a task.' }),
  reader: someone(2, 'Reader', { tools: ['files'], profile: 'Finds and reads files.' }),
  analyst: someone(3, 'Analyst', {
    tools: ['files'],
    profile: 'Compares and totals what others found, writes reports.',
  }),
  ana: someone(4, 'Ana', { kind: 'human', access: 'operator', skills: [], role: 'operator' }),
}
export const BASE = asId<TaskId>(uuid(100))

export type Rehearsal = {
  engine: RunningEngine
  folder: string
  world(): World
  put(command: Command, bodies?: NewBody[]): Promise<void>
  /** Ana asks the manager for new work. */
  ask(text: string, attachments?: Attachment[], bodies?: NewBody[]): Promise<void>
  until<T>(what: (world: World) => T | null | undefined | false, why: string): Promise<T>
  /** The next open request to Ana that fits. */
  request(fits: (request: RequestRecord) => boolean, why: string): Promise<RequestRecord>
  /** What a held call would be run with, whole. */
  argumentsOf(request: RequestRecord): Promise<Record<string, string>>
  /** Ana approves a held call with other arguments. */
  approveEdited(request: RequestRecord, args: Record<string, string>): Promise<void>
  answer(
    request: RequestRecord,
    decision: Extract<Command, { type: 'answerRequest' }>['decision'],
    text?: string,
  ): Promise<void>
  finished(): Promise<TaskRecord>
  messages(): MessageRecord[]
  steps(): StepRecord[]
  store: Store
  story(): string
  close(): Promise<void>
}

const GUIDE = 'Reads, searches and writes files.'
const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A folder and the file server on it: many teams, one after the other, can work in one. */
export type Workshop = { folder: string; pool: ToolPool; close(): Promise<void> }

export function openWorkshop(servers: ToolServerConfig[] = []): Workshop {
  const folder = mkdtempSync(path.join(tmpdir(), 'rehearsal-'))
  const files: ToolServerConfig = {
    name: 'files',
    command: process.execPath,
    args: [SERVER_FILE, folder],
    guide: GUIDE,
    confirm: 'risky',
    repeat: [],
    tools: {},
    root: folder,
  }
  const pool = openToolPool([files, ...servers], { log: QUIET })
  return {
    folder,
    pool,
    async close() {
      await pool.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Empties a workshop's folder and writes these files into it. */
export function layOut(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
}

const prompts = loadPrompts(path.resolve('prompts'))

export async function openRehearsal(
  files: Record<string, string | Uint8Array>,
  options: {
    language?: Language
    sections?: Partial<PackageSections>
    team?: AgentConfig[]
    startable?: AgentConfig[]
    /** What the file server is for, as agents are told. */
    guide?: string
    /** Other models beside the rehearsal, which is called `default`. */
    models?: Record<string, Model>
    /** Ids and times begin here, so that two runs can differ in both. */
    firstId?: number
    /** How long a thing may take to come about before the test says never, ms. */
    patienceMs?: number
    /** Other tool servers beside `files`. */
    servers?: ToolServerConfig[]
    /** Where the team works: emptied for it, and not closed with it. Absent: one of its own. */
    workshop?: Workshop
    /** The models take true time and need their pauses: no clock of the test's own. */
    live?: boolean
  } = {},
): Promise<Rehearsal> {
  const workshop = options.workshop ?? openWorkshop(options.servers)
  const { folder, pool } = workshop
  layOut(folder, files)
  let ids = options.firstId ?? 1_000
  let at = 1_800_000_000_000 + ids * 1_000
  const newId = (): string => {
    ids += 1
    return uuid(ids)
  }
  const mistakes: unknown[] = []
  const now = (): number => {
    at = options.live ? Date.now() : at + 1
    return at
  }
  const rehearsal = openModels({
    models: { default: { provider: 'rehearsal' } },
    ...(options.sections ? { sections: options.sections } : {}),
  })
  const store = memoryStore({ data: memoryData(), now: () => at })
  const engine = await openEngine({
    store,
    node: 'n1',
    runSkill: runSkill(prompts, options.live ? {} : { sleep: async () => {} }),
    models: { get: (name) => options.models?.[name] ?? rehearsal.get(name) },
    pool,
    config: {
      type: 'applyConfig',
      team: {
        name: 'Test',
        language: options.language ?? 'en',
        limits: { stepsPerPart: 60, reflectionsPerPart: 5, talkInARow: 12 },
        startable: options.startable ?? [],
        toolGuides: Object.fromEntries([
          ['files', options.guide ?? GUIDE],
          ...(options.servers ?? []).map((one) => [one.name, one.guide]),
        ]),
        skillGuides: {},
        models: ['default'],
        rehearsal: options.live !== true,
      },
      agents: options.team ?? Object.values(CREW),
      baseTask: { id: BASE, name: 'MAS base task', intention: 'Take requests' },
    },
    now,
    clock: () => (options.live ? performance.now() : at),
    newId,
    log: { warn: () => {}, error: (data) => mistakes.push(data) },
    onBroken: (error) => mistakes.push(error),
  })
  const world = (): World => engine.world()
  const put = async (command: Command, bodies: NewBody[] = []): Promise<void> => {
    const answer = await engine.commit({ id: newId(), by: CREW.ana.id, command, bodies })
    if (!answer.ok) throw answer.fault
  }
  const until: Rehearsal['until'] = (what, why) =>
    new Promise((resolve, reject) => {
      const check = (now: World): void => {
        const found = what(now)
        if (!found) return
        clearTimeout(timer)
        leave()
        resolve(found)
      }
      const leave = engine.onDecision((_, now) => check(now))
      const timer = setTimeout(() => {
        leave()
        reject(new Error(`never: ${why}\n${story()}\n${mistakes.map(String).join('\n')}`))
      }, options.patienceMs ?? 10_000)
      check(world())
    })
  const all = <T>(branch: Record<string, Record<string, T>>): T[] =>
    Object.values(branch).flatMap((one) => Object.values(one))
  const messages = (): MessageRecord[] => all(world().messages).sort((one, other) => one.seq - other.seq)
  const steps = (): StepRecord[] =>
    Object.values(world().steps)
      .flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))
      .sort((one, other) => (one.startedSeq ?? one.createdSeq) - (other.startedSeq ?? other.createdSeq))
  const nameOf = (id: string): string => world().agents[asId<AgentId>(id)]?.name ?? id
  const story = (): string =>
    steps()
      .map(
        (step) =>
          `${nameOf(step.agent)} ${step.executor} [${step.state}] ${step.intention}${step.reason ? ` !! ${step.reason}` : ''}${step.repairs.length > 0 ? ` ?? ${step.repairs.join(' / ')}` : ''} => ${(step.result?.text ?? '').slice(0, 160).replace(/\n/g, ' / ')}`,
      )
      .join('\n')
  return {
    engine,
    folder,
    world,
    put,
    until,
    messages,
    steps,
    store,
    story,
    ask: (text, attachments = [], bodies = []) =>
      put(
        {
          type: 'sendMessage',
          task: BASE,
          sender: CREW.ana.id,
          receivers: [CREW.manager.id],
          text,
          stage: null,
          kind: 'action',
          answers: null,
          replyTo: null,
          attachments,
          mention: false,
        },
        bodies,
      ),
    request: (fits, why) =>
      until((now) => all(now.requests).find((request) => request.state === 'open' && fits(request)), why),
    argumentsOf: async (request) => {
      const text = request.call === null ? null : await bodyText(store.bodies, request.call.arguments)
      return JSON.parse(text ?? '')
    },
    approveEdited: (request, args) => {
      const { body, ref } = bodyOf(JSON.stringify(args), 'application/json')
      return put(
        {
          type: 'answerRequest',
          request: request.id,
          decision: 'approve_edited',
          text: '',
          arguments: ref,
          digest: request.call?.digest ?? null,
        },
        [body],
      )
    },
    answer: (request, decision, text = '') =>
      put({
        type: 'answerRequest',
        request: request.id,
        decision,
        text,
        arguments: null,
        digest: request.call?.digest ?? null,
      }),
    finished: () =>
      until(
        (now) =>
          Object.values(now.tasks).find((task) => !task.base && (task.state === 'finished' || task.state === 'failed')),
        'the task ends',
      ),
    async close() {
      await engine.stop()
      if (options.workshop === undefined) await workshop.close()
    },
  }
}
