/**
 * A place in the process of the test: true engine, skills, prompts, files and adapters, on a store in memory. It is stopped and
 * opened again, with what was stored until then; what a kill does to a process is tried by test/faults/outside.ts.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Command } from '@/lib/mas/commands/command'
import type { AgentId } from '@/lib/mas/ids'
import { AGENTS_SERVER, type PeerConfig } from '@/lib/mas/outside/records'
import type { MessageRecord, RequestRecord, TaskRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { openFileWatch, openOutgoingFiles } from '@/server/files'
import { saveDropped } from '@/server/gateway/files/workspace'
import { openModels } from '@/server/models'
import { loadPrompts, runSkill } from '@/server/skills'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { BASE, CREW, openWorkshop } from '@/test/rehearsalTeam'
import { openSystem, PEER, type System, type SystemOptions } from '../adapterSystem'
import { callAt, type Place, type Work } from './place'

const prompts = loadPrompts(path.resolve('prompts'))

export type InProcess = Place & {
  system(): System
  /** The first task that was asked for from outside. */
  work(): TaskRecord | undefined
  until(what: (world: World) => boolean): Promise<World>
  /** The other system is at this address from now on. */
  meet(baseUrl: string): Promise<void>
  /** A part of a stage has so many steps from now on, and stops then. */
  limitSteps(stepsPerPart: number): Promise<void>
}

/** Where the engine's own time begins. */
const STARTED_AT = 1_700_000_000_000

const all = <T>(branch: Record<string, Record<string, T>>): T[] =>
  Object.values(branch).flatMap((one) => Object.values(one))

/** in: the other system as a peer, and what else the adapters are opened with */
export async function openInProcess(peer: Partial<PeerConfig>, options: SystemOptions = {}): Promise<InProcess> {
  const workshop = openWorkshop()
  let starts = 0
  const began = Date.now()
  const now = (): number => STARTED_AT + Date.now() - began
  let data = memoryData()
  let stepsPerPart = 60
  let address = peer.baseUrl ?? PEER.baseUrl
  const config = (): Extract<Command, { type: 'applyConfig' }> => ({
    type: 'applyConfig',
    team: {
      name: 'Test',
      language: 'en',
      limits: { stepsPerPart, reflectionsPerPart: 5, talkInARow: 12 },
      startable: [],
      toolGuides: { files: 'Reads, searches and writes files.' },
      skillGuides: {},
      models: ['default'],
      rehearsal: true,
    },
    agents: Object.values({ ...CREW, manager: { ...CREW.manager, tools: [AGENTS_SERVER] } }),
    baseTask: { id: BASE, name: 'MAS base task', intention: 'Take requests' },
    peers: [{ ...PEER, agents: [CREW.manager.id], allowPrivate: true, ...peer, baseUrl: address }],
  })
  const open = (): Promise<System> => {
    starts += 1
    const store = memoryStore({ data, now })
    const skill = runSkill(prompts, { sleep: async () => {} })
    return openSystem({
      store,
      prefix: `start-${starts}`,
      now,
      skill: (_, run) => skill(run),
      models: openModels({ models: { default: { provider: 'rehearsal' } } }),
      toolPool: workshop.pool,
      saveFiles: (files) => saveDropped(workshop.folder, '2026-03-04', files),
      outgoing: openOutgoingFiles({ root: workshop.folder, servers: ['files'], bodies: store.bodies }),
      files: openFileWatch({
        root: workshop.folder,
        namedIn: () => [],
        bodies: store.bodies,
        keep: 20,
        onTrouble: () => {},
      }),
      config: config(),
      ...options,
    })
  }
  let system = await open()
  onTestFinished(() => workshop.close())
  const isOutside = (world: World, id: AgentId | null): boolean => id !== null && world.agents[id]?.kind === 'outside'
  const worksIn = (world: World): TaskRecord[] =>
    Object.values(world.tasks).filter((task: TaskRecord) => isOutside(world, task.requestedBy))
  const url = (): string => system.url
  return {
    system: () => system,
    until: (what) => system.until(what),
    async meet(baseUrl) {
      address = baseUrl
      await system.put('system:start', config())
    },
    async limitSteps(most) {
      stepsPerPart = most
      await system.put('system:start', config())
    },
    work: () => worksIn(system.world())[0],
    url,
    call: (at, init) => callAt(url, at, init),
    read: (name) => {
      const file = path.join(workshop.folder, name)
      return name !== '' && existsSync(file) ? readFileSync(file, 'utf8') : null
    },
    write(name, text) {
      const file = path.join(workshop.folder, name)
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, text)
    },
    works: async () => worksIn(system.world()).map((task) => workOf(system.world(), task)),
    story: () =>
      Object.values(system.world().steps)
        .flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))
        .sort((a, b) => (a.startedSeq ?? a.createdSeq) - (b.startedSeq ?? b.createdSeq))
        .map(
          ({ agent, executor, state, intention, reason, result }) =>
            `${system.world().agents[agent]?.name} ${executor} [${state}] ${intention} !! ${reason ?? ''} => ${(result?.text ?? '').slice(0, 200)}`,
        )
        .join('\n'),
    async restart() {
      // A database is no value that can be cloned: the tables stay.
      const { tables, ...rest } = data
      data = { ...structuredClone(rest), tables }
      const before = system
      await Promise.all([before.adapters.stop(), before.engine.stop()])
      system = await open()
    },
    async allowCalls() {
      const held = all<RequestRecord>(system.world().requests).filter(
        ({ kind, state }) => kind === 'confirm' && state === 'open',
      )
      for (const { id, call } of held)
        await system.put(CREW.ana.id, {
          type: 'answerRequest',
          request: id,
          decision: 'approve',
          text: '',
          arguments: null,
          digest: call?.digest ?? null,
        })
    },
  }
}

function workOf(world: World, { id, name, state, requestedBy, group }: TaskRecord): Work {
  const said: MessageRecord[] = Object.values(world.messages[id] ?? {})
  return {
    id,
    name,
    state,
    requestedBy: requestedBy ?? '',
    group: [...group],
    said: said
      .filter(({ sender }) => sender !== 'system:task')
      .map(({ sender, receivers, text }) => `${sender} ${receivers.join()} ${text}`),
  }
}
