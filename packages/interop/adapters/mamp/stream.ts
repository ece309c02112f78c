/** The answer as an event stream: states of the sender's message, then messages of the conversation. */
import type { ServerResponse } from 'node:http'
import { type MessageReader, readWrittenMessage } from '@/lib/mas/formats'
import { isElsewhere } from '@/lib/mas/members/traits'
import { selectOpenConversation } from '@/lib/mas/outside/outside'
import type { ConversationRecord } from '@/lib/mas/outside/records'
import type { World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/team/agents'
import type { Ephemeral } from '@/lib/wire/views'
import type { Engine } from '@/server/engine/port'
import { recentMap } from '@/server/shared/recentMap'
import type { AdapterContext } from '../adapter'
import { uriOf } from '../agentUri'
import type { AnswerDelta } from '../streams'
import { isOver, watchState } from './messageState'
import type { TakenMessage } from './receive'

const BEAT_MS = 15_000
/** Later answers are sent to the sender's own address. */
const LONGEST_MS = 10 * 60_000

/** Answer with a stream: `received`, `status` for each state, `delta` and `message` of each answer, `end`. */
export function streamAnswers(
  context: AdapterContext,
  response: ServerResponse,
  taken: TakenMessage,
  received: unknown,
): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
  const write = (event: string, data: string): boolean => {
    if (response.writableEnded || response.destroyed) return false
    response.write(`event: ${event}\ndata: ${data}\n\n`)
    return true
  }
  write('received', JSON.stringify(received))
  let stopBeat = (): void => {}

  const look = (): void => {
    if (isOver(context.engine.world(), taken)) end('answered')
  }
  const stopStream = context.streams.listen(taken.conversation, {
    message: (envelope) => write('message', envelope),
    delta: (delta) => void write('delta', JSON.stringify(delta)),
  })
  context.reached(({ conversation }) => conversation === taken.conversation)
  const stopWatching = watchState(context, taken, (status) =>
    write('status', JSON.stringify({ message_id: taken.messageId, status })),
  )
  const stopLooking = context.engine.onDecision(look)
  const stopLimit = context.schedule(() => end('later'), LONGEST_MS)
  const beat = (): void => {
    if (!response.destroyed) response.write(': beat\n\n')
    stopBeat = context.schedule(beat, BEAT_MS)
  }
  stopBeat = context.schedule(beat, BEAT_MS)

  /** later: the answer is sent to the sender's own address. */
  function end(reason: 'answered' | 'later'): void {
    close()
    write('end', JSON.stringify({ conversation_id: taken.shared, reason }))
    response.end()
  }
  function close(): void {
    stopStream()
    stopWatching()
    stopLooking()
    stopLimit()
    stopBeat()
  }
  response.on('close', close)
  look()
}

type WrittenText = Extract<Ephemeral, { kind: 'text' }>
/** text: read but not sent yet; at: characters sent. */
type Reading = { attempt: number; at: number; text: string; read: MessageReader }
/** Concurrently read steps. */
const MOST_READ = 1_000

/**
 * Send each piece of a message that an agent writes to another system.
 *
 * in      tell: out: was it accepted? A rejected piece is sent with the next one
 * out     stop
 */
export function streamDeltas(
  { engine, ourselves }: Pick<AdapterContext, 'ourselves'> & { engine: Pick<Engine, 'world' | 'onEphemeral'> },
  tell: (conversation: ConversationRecord, delta: AnswerDelta) => boolean,
): () => void {
  const reading = recentMap<string, Reading>(MOST_READ)

  /** The reader of this text; each call of the model and each attempt has its own. It must start at the text's beginning. */
  function readingOf({ step, attempt, at }: WrittenText): Reading {
    const known = reading.get(step)
    if (known !== undefined && known.attempt === attempt && at > 0) return known
    const made: Reading = { attempt, at: 0, text: '', read: at === 0 ? readWrittenMessage() : () => '' }
    reading.set(step, made)
    return made
  }

  return engine.onEphemeral((note) => {
    if (note.kind !== 'text') return
    const world = engine.world()
    const conversation = conversationOf(world, note)
    if (conversation?.protocol !== 'mamp' || conversation.shared === null) return
    const mine = readingOf(note)
    mine.text += mine.read(note.text)
    if (mine.text === '') return
    const { at, text } = mine
    const from = uriOf(world, ourselves(), note.agent)
    if (!tell(conversation, { conversation_id: conversation.shared, from, at, text })) return
    mine.at += text.length
    mine.text = ''
  })
}

/** The conversation that the step answers in; null: none. Requested work is a task of its own. */
function conversationOf(world: World, { task, agent, step }: WrittenText): ConversationRecord | null {
  const record = selectStep(world, task, agent, step)
  if (record?.executor !== 'send_message' || record.type !== 'skill' || record.answers === null) return null
  const { to } = record.answers
  return isElsewhere(world, to) ? selectOpenConversation(world, task, to) : null
}
