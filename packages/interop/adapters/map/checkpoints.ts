/** Checkpoints for other systems: visibility, protocol form, artifacts. */
import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { AgentId } from '@/lib/mas/ids'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import { findCheckpoint } from '@/lib/mas/outside/outside'
import type { PeerRecord } from '@/lib/mas/outside/records'
import type { AgentRecord, BodyRef, StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { bodyText } from '@/server/shared/bodyText'
import { type Checkpoint, UnknownFields } from '../../protocols/map/trajectory'
import type { AdapterContext } from '../adapter'

/** Our agents that the peer may reach, and the peer's own. */
export function visibleAgents(world: World, peer: PeerRecord): Set<AgentId> {
  const own = Object.values(world.agents).filter((agent: AgentRecord) => agent.outside?.peer === peer.id)
  return new Set([...peer.agents, ...own.map(({ id }) => id)])
}

/** null also for a checkpoint that the peer may not see. */
export function findVisible(world: World, peer: PeerRecord, id: string): CheckpointRecord | null {
  const record = findCheckpoint(world, id)
  return record !== null && visibleAgents(world, peer).has(record.agent) ? record : null
}

/** in: the metadata, already read. */
export function checkpointShapeOf(record: CheckpointRecord, metadata: Record<string, unknown> | null): Checkpoint {
  return {
    id: record.id,
    agentId: record.agentName,
    timestamp: record.at,
    ...(record.label === '' ? {} : { label: record.label }),
    ...(record.session === null ? {} : { sessionId: record.session }),
    ...(metadata === null ? {} : { metadata }),
  }
}

type Parts = Pick<AdapterContext, 'bodies' | 'engine'> & { past: Pick<AdapterContext['past'], 'task'> }

/** The checkpoint with its metadata. Rejects when the body cannot be read. */
export async function readCheckpoint({ bodies }: Pick<Parts, 'bodies'>, record: CheckpointRecord): Promise<Checkpoint> {
  return checkpointShapeOf(record, await metadataOf(bodies, record.metadata))
}

async function metadataOf(bodies: Parts['bodies'], ref: BodyRef | null): Promise<Record<string, unknown> | null> {
  if (ref === null) return null
  const text = await bodyText(bodies, ref)
  if (text === null) throw new Error(`the metadata of a checkpoint is gone: ${ref.sha}`)
  return UnknownFields.parse(JSON.parse(text))
}

/** Artifacts by name; each is read on demand. */
export type Artifacts = ReadonlyMap<string, () => Promise<unknown>>

/** An artifact as it is sent: a text as it is, anything else as its JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** metadata: as reported. transcript, for our agents: one JSON line per step of that stage, or up to that milestone. */
export function artifactsOf({ bodies, engine, past }: Parts, record: CheckpointRecord): Artifacts {
  const artifacts = new Map<string, () => Promise<unknown>>()
  if (record.metadata !== null) artifacts.set('metadata', () => metadataOf(bodies, record.metadata))
  if (record.stage !== null) {
    artifacts.set('transcript', async () => {
      const steps = await stepsOf(engine.world(), past, record)
      const lines = await Promise.all(steps.map((step) => lineOf(bodies, step)))
      return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    })
  }
  return artifacts
}

/** This agent's steps of the stage, in order; restored when the task is archived. */
async function stepsOf(
  world: World,
  past: Parts['past'],
  { task, stage, agent, milestone, seq }: CheckpointRecord,
): Promise<StepRecord[]> {
  if (task === null) return []
  const all = world.tasks[task] ? world.steps[task] : (await past.task(task))?.piece.steps
  return stepsIn(all?.[agent])
    .filter((step) => step.stage === stage && (milestone !== true || step.createdSeq <= seq))
    .sort((a, b) => a.createdSeq - b.createdSeq)
}

async function lineOf(bodies: Parts['bodies'], step: StepRecord): Promise<Record<string, unknown>> {
  const { body = null, text = null } = step.result ?? {}
  const said = (body && (await bodyText(bodies, body))) ?? text
  return {
    type: step.type,
    executor: step.executor,
    intention: step.intention,
    state: step.state,
    text: withoutNotes(step.text),
    result: said !== null && step.type === 'skill' ? withoutNotes(said) : said,
    reason: step.reason,
    startedAt: step.startedAt,
    endedAt: step.endedAt,
  }
}
