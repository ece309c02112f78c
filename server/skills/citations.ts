/** The sources of an agent's message: results and messages of its history that the text cites. */
import { anchorsIn, liftAnchors } from '@/lib/mas/cited'
import type { OutgoingMessage, StepOutcome } from '@/lib/mas/outcome'
import type { Json, StepRecord } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/selectors/agents/agents'
import { addressesOf, callInWords } from '@/lib/mas/selectors/steps/callWords'
import { selectCauseMessage } from '@/lib/mas/selectors/steps/history'
import type { SkillRun } from './port'
import { referableSteps, textOfStep } from './references'

const MOST_SOURCES = 40
const SNIPPET_CHARACTERS = 300

/** The outcome with the sources of its message, and without the anchors in its text; others unchanged. */
export async function withCitations(outcome: StepOutcome, run: SkillRun): Promise<StepOutcome> {
  const message = outcome.sync.send_message
  if (message === undefined) return outcome
  return { ...outcome, sync: { ...outcome.sync, send_message: await citedMessage(message, run) } }
}

async function citedMessage(message: OutgoingMessage, run: SkillRun): Promise<OutgoingMessage> {
  const anchors = anchorsIn(message.message).slice(0, MOST_SOURCES)
  if (anchors.length === 0) return message
  const steps = referableSteps(run)
  const sources: Record<string, Json> = {}
  for (const { id, step: number, line } of anchors) {
    const step = steps.find((one) => one.number === number)
    const source = step === undefined ? null : await sourceOf(step, line, run)
    if (source !== null) sources[id] = source
  }
  if (Object.keys(sources).length === 0) return message
  const { text, at } = liftAnchors(message.message, sources)
  return { ...message, message: text, cited: { at, sources } }
}

/** An entry of the citation map; null: the step is neither a tool result nor a message. */
async function sourceOf(step: StepRecord, line: number | null, run: SkillRun): Promise<Record<string, Json> | null> {
  const message = step.executor === 'process_message' ? selectCauseMessage(run.world, step) : null
  if (step.type !== 'tool' && message === null) return null
  const text = await textOfStep(step, run)
  const words = line === null ? text : (text.split('\n')[line - 1] ?? '')
  const snippet = [...words.trim()].slice(0, SNIPPET_CHARACTERS).join('')
  const location = {
    ...(line === null ? {} : { line_number: line }),
    ...(snippet === '' ? {} : { text_snippet: snippet }),
  }
  if (message !== null)
    return {
      source_type: 'message',
      source_id: message.id,
      source_name: selectName(run.world, message.sender),
      location,
    }
  const url = addressesOf(step.instruction).find((address) => /^https?:\/\//.test(address))
  const name = step.instruction === null ? null : callInWords(step.instruction, run.world.team.language)
  return {
    source_type: 'tool_result',
    source_id: step.id,
    source_name: name ?? step.executor,
    location,
    ...(url === undefined ? {} : { url }),
  }
}
