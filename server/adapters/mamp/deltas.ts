/** Streams answers to other systems while they are written; only from the step that answers in that conversation. */
import { type MessageReader, readWrittenMessage } from '@/lib/mas/formats'
import type { ConversationRecord } from '@/lib/mas/outsideRecords'
import type { World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/selectors/agents'
import { selectOpenConversation } from '@/lib/mas/selectors/outside'
import { isOutside } from '@/lib/mas/selectors/outsideWork'
import type { Ephemeral } from '@/lib/wire/views'
import type { Engine } from '../../engine/port'
import { recentMap } from '../../shared/recentMap'
import type { AdapterContext } from '../adapter'
import { uriOf } from '../agentUri'
import type { AnswerDelta } from '../streams'

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
  return isOutside(world, to) ? selectOpenConversation(world, task, to) : null
}
