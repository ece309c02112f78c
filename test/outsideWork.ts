/**
 * A system whose team rehearses for an agent of another system: true engine, skills, prompts, files and adapters. It can be
 * stopped hard and started again.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import type { PeerConfig } from '@/lib/mas/outsideRecords'
import { stepsIn } from '@/lib/mas/ownSteps'
import type { RequestRecord, TaskRecord, World } from '@/lib/mas/records'
import { openFileWatch } from '@/server/files'
import { saveDropped } from '@/server/gateway/workspace'
import { openModels } from '@/server/models'
import { loadPrompts, runSkill } from '@/server/skills'
import { memoryData, memoryStore } from '@/server/store/memory'
import { openSystem, PEER, type System, type SystemOptions } from './adapterSystem'
import { BASE, CREW, openWorkshop } from './rehearsalTeam'

/** Apples have one price in the one list and another in the other; somebody who knows has to say which holds. */
export const LISTS = {
  'prices/north.csv': 'item,price\napple,3.20\npear,2.10\n',
  'prices/south.csv': 'item,price\napple,3.50\npear,2.10\n',
}
export const WISH = 'Compare prices/north.csv and prices/south.csv and write a report'

export type OutsideWork = {
  system(): System
  /** The process ends at once, with what is in its store; another one starts from that. */
  restart(): Promise<void>
  /** Ana allows the calls that wait for her. out: once one of them wrote the report */
  confirmWrites(): Promise<void>
  /** The task that was asked for from outside. */
  work(): TaskRecord | undefined
  until(what: (world: World) => boolean): Promise<World>
  /** What the agents did, a line each: for a test that fails. */
  story(): string
}

/** Where the engine's own time begins. */
const STARTED_AT = 1_700_000_000_000

const all = <T>(branch: Record<string, Record<string, T>>): T[] =>
  Object.values(branch).flatMap((one) => Object.values(one))

/** in: the other system as a peer, and what else the adapters are opened with */
export async function openOutsideWork(peer: Partial<PeerConfig>, options: SystemOptions = {}): Promise<OutsideWork> {
  const workshop = openWorkshop()
  for (const [name, content] of Object.entries(LISTS)) {
    mkdirSync(path.dirname(path.join(workshop.folder, name)), { recursive: true })
    writeFileSync(path.join(workshop.folder, name), content)
  }
  let starts = 0
  const began = Date.now()
  const now = (): number => STARTED_AT + Date.now() - began
  let data = memoryData()
  const open = (): Promise<System> => {
    starts += 1
    const store = memoryStore({ data, now })
    const skill = runSkill(loadPrompts(path.resolve('prompts')), { sleep: async () => {} })
    return openSystem({
      store,
      prefix: `start-${starts}`,
      now,
      skill: (_, run) => skill(run),
      models: openModels({ models: { default: { provider: 'rehearsal' } }, rehearsal: { delayMs: 0 } }),
      toolPool: workshop.pool,
      saveFiles: (files) => saveDropped(workshop.folder, '2026-03-04', files),
      files: openFileWatch({
        root: workshop.folder,
        namedIn: () => [],
        bodies: store.bodies,
        keep: 20,
        onTrouble: () => {},
      }),
      config: {
        type: 'applyConfig',
        team: {
          name: 'Test',
          language: 'en',
          limits: { stepsPerPart: 60, reflectionsPerPart: 5, talkInARow: 12 },
          startable: [],
          toolGuides: { files: 'Reads, searches and writes files.' },
          rehearsal: true,
        },
        agents: Object.values(CREW),
        baseTask: { id: BASE, name: 'MAS base task', intention: 'Take requests' },
        peers: [{ ...PEER, agents: [CREW.manager.id], allowPrivate: true, ...peer }],
      },
      ...options,
    })
  }
  let system = await open()
  onTestFinished(() => workshop.close())
  const until: OutsideWork['until'] = (what) => system.until(what)
  const isOutside = (world: World, id: AgentId | null): boolean => id !== null && world.agents[id]?.kind === 'outside'
  const workIn = (world: World): TaskRecord | undefined =>
    Object.values(world.tasks).find((task: TaskRecord) => isOutside(world, task.requestedBy))
  return {
    system: () => system,
    until,
    story: () =>
      Object.values(system.world().steps)
        .flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))
        .sort((a, b) => (a.startedSeq ?? a.createdSeq) - (b.startedSeq ?? b.createdSeq))
        .map(
          ({ agent, executor, state, intention, reason, result }) =>
            `${system.world().agents[agent]?.name} ${executor} [${state}] ${intention} !! ${reason ?? ''} => ${(result?.text ?? '').slice(0, 200)}`,
        )
        .join('\n'),
    work: () => workIn(system.world()),
    async restart() {
      data = structuredClone(data)
      const before = system
      await Promise.all([before.adapters.stop(), before.engine.stop()])
      system = await open()
    },
    async confirmWrites() {
      const held = (world: World): RequestRecord | undefined =>
        all<RequestRecord>(world.requests).find(({ kind, state }) => kind === 'confirm' && state === 'open')
      for (;;) {
        const world = await until((now) => held(now) !== undefined || workIn(now)?.state === 'finished')
        const request = held(world)
        if (request === undefined) return
        const digest = request.call?.digest ?? null
        await system.put(CREW.ana.id, {
          type: 'answerRequest',
          request: request.id,
          decision: 'approve',
          text: '',
          arguments: null,
          digest,
        })
      }
    },
  }
}
