/** Lists that ask for something: an import to go on from, and what a peer says in a conversation that it has. */
import * as z from 'zod/mini'
import type { AgentId } from '@/lib/mas/ids'
import { asId, type PeerId, type TaskId } from '@/lib/mas/ids'
import type { WorkState } from '@/lib/mas/outsideRecords'
import type { World } from '@/lib/mas/records'
import { selectAskedOutside, selectConversation } from '@/lib/mas/selectors/outside'
import { selectWorkOf } from '@/lib/mas/selectors/outsideWork'
import type { AdapterContext } from '../adapter'
import { fromParts } from '../mamp/content'
import { type PeerCall, takeMessage } from '../receive'
import { refusalOf } from '../refusal'
import { workStateIn } from '../workReport'
import { type Imported, mendsOf, type readList } from './importList'
import { shownParts } from './originals'
import { HARMONY, harmonyRefusal } from './refusal'

type List = Awaited<ReturnType<typeof readList>>

const Wish = z.looseObject({
  conversation_id: z._default(z.nullable(z.string().check(z.minLength(1), z.maxLength(512))), null),
  continue: z._default(z.boolean(), false),
})

/**
 * What is asked beside the list.
 *
 * out     continue: the last message of a user in it is to be answered. conversation_id: the list is said in that conversation
 * faults  bad_request
 */
export function readWish(body: unknown): z.infer<typeof Wish> {
  const read = Wish.safeParse(body ?? {})
  if (read.success) return read.data
  throw harmonyRefusal('bad_request', 'continue is true or false, conversation_id a text.')
}

const lastOfUser = ({ list }: List): number => list.findLastIndex(({ role }) => role === 'user')

/** Throws invalid_list where no user says anything. */
export function mustAsk(read: List): void {
  if (lastOfUser(read) < 0)
    throw harmonyRefusal('invalid_list', 'Nothing can be continued: no user says anything in it.')
}

/** The last message of a user, as text and attachments. */
async function lastAsked({ bodies }: Pick<AdapterContext, 'bodies'>, read: List) {
  const at = lastOfUser(read)
  const message = read.list[at]
  return fromParts(message === undefined ? [] : shownParts(message, at, new Map()), bodies)
}

/** The agent that keeps the conversation answers what a user asked last, or begins the work. The same import again does nothing more. */
export async function continueForPeer(
  context: AdapterContext,
  call: PeerCall,
  { conversation_id, theirs }: Pick<Imported, 'conversation_id'> & { theirs: string },
  read: List,
): Promise<void> {
  const said = await lastAsked(context, read)
  await say(context, call, { conversation_id, theirs: `${theirs}-continue`, ...said, needReply: true })
}

/** The same for a person, who stands in the conversation themselves. */
export async function continueForPerson(
  context: AdapterContext,
  person: AgentId,
  { conversation_id }: Pick<Imported, 'conversation_id'>,
  read: List,
): Promise<void> {
  const task = asId<TaskId>(conversation_id)
  const manager = context.engine.world().tasks[task]?.manager
  if (manager === undefined || manager === person) return
  const answer = await context.engine.commit({
    id: context.newId(),
    by: person,
    command: {
      type: 'sendMessage',
      ...{ task, sender: person, receivers: [manager], stage: null, needReply: true, waiting: false },
      ...{ answers: null, replyTo: null, mention: false, ...(await lastAsked(context, read)) },
    },
  })
  if (!answer.ok) throw refusalOf(HARMONY.refusals, answer.fault)
}

/**
 * The id of a list in a conversation that its sender gave none. The same words may answer a later question: what was asked
 * since they came last makes them another message; else they are the same again.
 */
export function saidId(world: World, peer: PeerId, shared: string, sha: string): string {
  const id = `said-${sha}`
  const conversation = selectConversation(world, peer, shared)
  if (conversation === null) return id
  const last = world.exchange[peer]?.findLast(
    (line) => line.verdict === 'taken' && line.conversation === conversation.id && line.theirs.startsWith(id),
  )
  const question = [conversation.task, ...selectWorkOf(world, conversation.task).map((work) => work.id)]
    .flatMap((task) => selectAskedOutside(world, task, conversation.agent))
    .sort((a, b) => b.seq - a.seq)[0]
  if (last === undefined) return id
  return question === undefined || question.seq < last.seq ? last.theirs : `${id}-${question.id}`
}

/** All that the list says is one message: the answer to what was asked, else something new. */
export async function sayInConversation(
  context: AdapterContext,
  call: PeerCall,
  named: { conversation_id: string; theirs: string },
  { list }: List,
): Promise<Imported> {
  const parts = list.flatMap((message, at) => shownParts(message, at, new Map()))
  const work = workStateIn(list.at(-1)?.metadata)
  await say(context, call, { ...named, ...(await fromParts(parts, context.bodies)), needReply: null, ...work })
  return {
    conversation_id: named.conversation_id,
    messages: list.length,
    copied: 0,
    not_copied: [],
    mended: list.flatMap(mendsOf),
  }
}

type Saying = { conversation_id: string; theirs: string; needReply: boolean | null; workState?: WorkState } & Awaited<
  ReturnType<typeof fromParts>
>

async function say(
  context: AdapterContext,
  call: PeerCall,
  { conversation_id: shared, ...said }: Saying,
): Promise<void> {
  const world = context.engine.world()
  const conversation = selectConversation(world, call.peer.id, shared)
  const from = conversation === null ? undefined : world.agents[conversation.agent]?.outside?.uri
  if (conversation === null || from === undefined) throw harmonyRefusal('not_found', 'There is no such conversation.')
  await takeMessage(context, HARMONY, call, {
    ...{ ...said, from, to: conversation.ours, shared, inReplyTo: null, callback: null, status: 200 },
  })
}
