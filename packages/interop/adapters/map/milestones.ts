/** The tool `report_milestone`: an agent sets a checkpoint within its work. */
import { fieldsIn, isJsonObject } from '@/lib/json'
import { type AgentId, asId, makeIds, type StageId, type StepId, type TaskId } from '@/lib/mas/ids'
import type { AdapterParts } from '@/server/otherSystems'
import { parseBounded } from '@/server/shared/boundedJson'
import type { PeerAgents } from '@/server/tools'

/** Limit of the agent's additional JSON. */
const MOST_METADATA_BYTES = 64 * 1024

export const openMilestones =
  ({ engine }: Pick<AdapterParts, 'engine'>): PeerAgents['report'] =>
  async ({ agent, task, stage, step }, { label, metadata }) => {
    const text = JSON.stringify(metadata)
    const read = Buffer.byteLength(text) > MOST_METADATA_BYTES ? null : parseBounded(text)
    if (read === null) return { ok: false, why: `metadata has at most ${MOST_METADATA_BYTES} bytes` }
    if (!read.ok || !isJsonObject(read.value)) return { ok: false, why: 'metadata is no JSON object' }
    const answer = await engine.commit({
      // A step repeated after a crash reports nothing twice.
      id: `report_milestone:${makeIds(step)<string>()}`,
      by: 'system:agents',
      command: {
        type: 'reportMilestone',
        agent: asId<AgentId>(agent),
        task: asId<TaskId>(task),
        stage: stage === null ? null : asId<StageId>(stage),
        step: asId<StepId>(step),
        label,
        metadata: read.value,
      },
    })
    if (!answer.ok) return { ok: false, why: answer.fault.message }
    const { checkpoint: id } = fieldsIn(answer.reply)
    return typeof id === 'string' ? { ok: true, checkpoint_id: id } : { ok: false, why: 'the checkpoint is gone' }
  }
