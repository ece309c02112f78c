/** Answers while they are written: of the step that answers another system in their conversation, and of no other step. */
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
/** text: read, and told to nobody yet; at: how much was told. */
type Reading = { attempt: number; at: number; text: string; read: MessageReader }
/** Steps that are being read at once. */
const MOST_READ = 1_000

/**
 * Tell each piece of a message that an agent of ours writes to another system.
 *
 * in      protocol: only of conversations in it; tell: whether somebody took it. What nobody took comes with the next piece
 * out     stop
 */
export function tellDeltas(
  { engine, ourselves }: Pick<AdapterContext, 'ourselves'> & { engine: Pick<Engine, 'world' | 'onEphemeral'> },
  protocol: ConversationRecord['protocol'],
  tell: (conversation: ConversationRecord, delta: AnswerDelta) => boolean,
): () => void {
  const reading = recentMap<string, Reading>(MOST_READ)

  /** The reader of this text; each call of the model and each attempt has a new one. It needs the text's beginning. */
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
    if (conversation?.protocol !== protocol || conversation.shared === null) return
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

/** The conversation that the step answers in; null: it does something else. Work that was asked for is a task of its own. */
function conversationOf(world: World, { task, agent, step }: WrittenText): ConversationRecord | null {
  const record = selectStep(world, task, agent, step)
  if (record?.executor !== 'send_message' || record.type !== 'skill' || record.answers === null) return null
  const { to } = record.answers
  return isOutside(world, to) ? selectOpenConversation(world, task, to) : null
}
