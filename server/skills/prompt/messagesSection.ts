/** The section messages: messages of this agent in this task that its history does not show. */
import { beginningOf } from '@/lib/mas/bodies'
import { escapeAttribute, escapeTags, estimateTokens } from '@/lib/mas/formats'
import { type AgentId, type MessageId, SYSTEM_TASK } from '@/lib/mas/ids'
import type { MessageRecord, StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { selectName } from '@/lib/mas/team/agents'
import { sayInLanguage } from '@/lib/mas/words'
import { messageWithAttachments } from './message'

/** Characters of a message that does not fit whole. */
const CUT_CHARACTERS = 400

/** cut: those not shown whole, by number, whole here; messages: all that are shown, also those without a number */
export type MessagesSection = {
  text: string
  cut: ReadonlyMap<number, string>
  messages: readonly MessageId[]
}

/**
 * The messages to and from a step's agent, oldest first: in the base task those of its thread, else of the whole task.
 *
 * in      the other steps in the prompt, whose messages are excluded (an answer to a wait only by a step that has ended);
 *         tokens; the line about how to see more; which messages the conversation shows already
 * out     null without messages; the newest whole as far as the tokens allow, earlier ones cut within half as many, and a line
 *         for omitted ones. A message has the number of the agent's step that sent it or took it in
 */
export function writeMessages(
  world: World,
  step: StepRecord,
  others: { ended: readonly StepRecord[]; coming: readonly StepRecord[] },
  tokens: number,
  more: string,
  isTold: (message: MessageRecord) => boolean,
): MessagesSection | null {
  const isBase = world.tasks[step.task]?.base === true
  const own: MessageRecord[] = Object.values(world.messages[step.task] ?? {}).filter(
    (message: MessageRecord) =>
      message.sender !== SYSTEM_TASK &&
      concerns(message, step.agent) &&
      (!isBase || message.thread === step.thread) &&
      !isTold(message),
  )
  // Before all steps are looked through: most agents write no messages.
  if (own.length === 0) return null
  const isShown = shownIn([step, ...others.ended])
  const isToCome = shownIn(others.coming)
  const messages = own
    .filter((message) => !isShown(message) && (endedWait(message, step.agent) || !isToCome(message)))
    .sort((a, b) => a.seq - b.seq)
  if (messages.length === 0) return null
  const numberOf = numbersIn(stepsIn(world.steps[step.task]?.[step.agent]))
  const cut = new Map<number, string>()
  const there: MessageId[] = []
  let left = tokens
  let leftForCut = tokens / 2
  const lines = messages.toReversed().flatMap((message) => {
    const number = numberOf(message)
    const whole = writeLine(world, message, number, messageWithAttachments(message))
    const size = estimateTokens(whole)
    if (size <= left) {
      left -= size
      there.push(message.id)
      return whole
    }
    if (number !== null) cut.set(number, whole)
    const beginning = escapeTags(beginningOf(message.text, CUT_CHARACTERS))
    const line = writeLine(world, message, number, `${beginning} … [${message.text.length} characters]`, true)
    leftForCut -= estimateTokens(line)
    if (leftForCut < 0) return []
    there.push(message.id)
    return [line]
  })
  const n = messages.length - lines.length
  const gone = n === 0 ? [] : [sayInLanguage(world.team.language, 'messagesLeftOut', { n })]
  const text = [...gone, ...lines.reverse(), ...(cut.size > 0 ? [more] : [])].join('\n')
  return { text, cut, messages: there.reverse() }
}

const concerns = (message: MessageRecord, agent: AgentId): boolean =>
  message.sender === agent || message.receivers.includes(agent) || message.imported !== undefined

const endedWait = ({ returnWaiting, receivers }: MessageRecord, agent: AgentId): boolean =>
  returnWaiting !== null && receivers.includes(agent)

/** Is the message in the prompt already, with the step that sent it, took it in, or answers it? */
function shownIn(steps: readonly StepRecord[]): (message: MessageRecord) => boolean {
  const ids = new Set<MessageId>()
  const senders = new Set<string>()
  for (const step of steps) {
    if (step.cause.message !== null) ids.add(step.cause.message)
    if (step.answers !== null) ids.add(step.answers.message)
    if (step.executor === 'send_message') senders.add(step.id)
  }
  return (message) => ids.has(message.id) || (message.fromStep !== null && senders.has(message.fromStep))
}

/** The number of the agent's step that is related to the message. */
function numbersIn(steps: readonly StepRecord[]): (message: MessageRecord) => number | null {
  const took = new Map<MessageId, number>()
  const sent = new Map<string, number>()
  for (const { id, number, executor, cause, answers } of steps) {
    if (number === undefined) continue
    if (executor === 'send_message') sent.set(id, number)
    const message = answers?.message ?? (executor === 'process_message' ? cause.message : null)
    if (message !== null) took.set(message, number)
  }
  return ({ id, fromStep }) => (fromStep === null ? undefined : sent.get(fromStep)) ?? took.get(id) ?? null
}

function writeLine(world: World, message: MessageRecord, number: number | null, text: string, isCut = false): string {
  const to = message.receivers.map((id) => selectName(world, id)).join(', ')
  const n = number === null ? '' : ` n="${number}"`
  const who = `from="${escapeAttribute(selectName(world, message.sender))}" to="${escapeAttribute(to)}"`
  return `<message${n} ${who}${isCut ? ' cut="yes"' : ''}>${text}</message>`
}
