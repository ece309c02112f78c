/** The evidence of a question, from the same task, stage and thread only: its readers may read all of it. */
import { oneLine } from '@/lib/format/plainText'
import { type AgentId, asId, type MessageId, type SenderId, type StepId, SYSTEM_TASK } from '../ids'
import type { Evidence, RequestRecord, StepRecord, World } from '../records'
import { stepIn, stepsIn } from '../steps/ownSteps'
import { stepTitle } from '../steps/stepTitle'
import { selectName, selectStep } from '../team/agents'

type Asking = Pick<RequestRecord, 'task' | 'stage' | 'thread' | 'asker' | 'message' | 'step' | 'question'>

const MOST = 5
const MOST_STEPS = 3
const NAME_CHARACTERS = 80
/** Steps back to the first message; a plan is rarely deeper. */
const MOST_HOPS = 8
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu

/** Steps without findings: they organise, choose, or forward. */
const ARRANGES: ReadonlySet<string> = new Set([
  'planning',
  'reflection',
  'summary',
  'instruction_generation',
  'send_message',
  'process_message',
  'tool_decision',
  'decision',
  'task_manager',
  'agent_manager',
])

/** At most five, the most relevant first, without duplicates. */
export function evidenceOf(world: World, asking: Asking): Evidence[] {
  const { asker } = asking
  if (asker === SYSTEM_TASK) return []
  const all = [...named(world, asking), ...foundOut(world, asking, asker), ...broughtBy(world, asking, asker)]
  const seen = new Set<string>([asking.message ?? '', asking.step ?? ''])
  return all.filter(({ id }) => !seen.has(id) && seen.add(id) !== undefined).slice(0, MOST)
}

/** Steps and messages whose ids are in its text. */
function named(world: World, asking: Asking): Evidence[] {
  const ids = asking.question.match(UUID) ?? []
  return ids.flatMap((id): Evidence[] => {
    const message = messageOf(world, asking, asId<MessageId>(id))
    if (message !== null) return [message]
    const byAgent = world.steps[asking.task] ?? {}
    for (const agent of Object.keys(byAgent) as AgentId[]) {
      const step = stepIn(byAgent[agent], asId<StepId>(id))
      if (step !== undefined && isBeside(step, asking)) return [stepOf(world, step)]
    }
    return []
  })
}

/** The asker's last finished steps in this stage, the newest first. */
function foundOut(world: World, asking: Asking, asker: AgentId): Evidence[] {
  return stepsIn(world.steps[asking.task]?.[asker])
    .filter((step) => step.state === 'finished' && !ARRANGES.has(step.executor) && isBeside(step, asking))
    .sort((a, b) => (b.endedSeq ?? 0) - (a.endedSeq ?? 0))
    .slice(0, MOST_STEPS)
    .map((step) => stepOf(world, step))
}

/** The message that caused the asking step. */
function broughtBy(world: World, asking: Asking, asker: AgentId): Evidence[] {
  let at = asking.step
  for (let hop = 0; hop < MOST_HOPS && at !== null; hop++) {
    const cause: StepRecord['cause'] | undefined = selectStep(world, asking.task, asker, at)?.cause
    const message = cause?.message ? messageOf(world, asking, cause.message) : null
    if (message !== null) return [message]
    at = cause?.step ?? null
  }
  return []
}

const isBeside = (step: StepRecord, { stage, thread }: Asking): boolean =>
  step.stage === stage && step.thread === thread

/** Named as in the tree. */
const stepOf = (world: World, step: StepRecord): Evidence => ({
  kind: step.type,
  id: step.id,
  name: short(stepTitle({ ...step, intention: short(step.intention) }, world.team.language)),
})

function messageOf(world: World, { task, thread }: Asking, id: MessageId): Evidence | null {
  const message = world.messages[task]?.[id]
  if (!message || message.sender === SYSTEM_TASK || message.instruction !== null || message.thread !== thread)
    return null
  const { sender, at }: { sender: SenderId; at: number } = message
  return { kind: 'message', id, name: selectName(world, sender), at }
}

function short(text: string): string {
  const letters = [...oneLine(text)]
  return letters.length <= NAME_CHARACTERS ? letters.join('') : `${letters.slice(0, NAME_CHARACTERS - 1).join('')}…`
}
