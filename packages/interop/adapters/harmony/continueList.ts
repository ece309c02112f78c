/** Lists that ask for an answer: an import to be continued, and a peer's message in an existing conversation. */
import * as z from 'zod/mini'
import type { PeerId } from '@/lib/mas/ids'
import { selectAskedOutside, selectConversation } from '@/lib/mas/outside/outside'
import { selectWorkOf } from '@/lib/mas/outside/outsideWork'
import type { WorkState } from '@/lib/mas/outside/records'
import type { World } from '@/lib/mas/records'
import type { MampPart } from '../../protocols/mamp/message'
import type { AdapterContext } from '../adapter'
import { type PeerCall, takeMessage } from '../receive'
import { workStateIn } from '../workReport'
import { copyExpiringAt } from './cachedCopies'
import { correctionsOf, type Imported, type readList } from './importList'
import { shownParts } from './originals'
import { HARMONY, harmonyRefusal } from './refusal'

type List = Awaited<ReturnType<typeof readList>>

const Wish = z.looseObject({
  conversation_id: z._default(z.nullable(z.string().check(z.minLength(1), z.maxLength(512))), null),
  continue: z._default(z.boolean(), false),
})

/** out: continue: answer the last user message of the list. conversation_id: add the list to that conversation. Throws bad_request */
export function readListOptions(body: unknown): z.infer<typeof Wish> {
  const read = Wish.safeParse(body ?? {})
  if (read.success) return read.data
  throw harmonyRefusal('bad_request', 'continue is true or false, conversation_id a text.')
}

const lastOfUser = ({ list }: List): number => list.findLastIndex(({ role }) => role === 'user')

/** Throws invalid_list when the list has no user message. */
export function assertHasUserMessage(read: List): void {
  if (lastOfUser(read) < 0)
    throw harmonyRefusal('invalid_list', 'Nothing can be continued: no user says anything in it.')
}

/** The last user message as parts; copied pictures are included. */
export function partsOfLastUser(read: List): MampPart[] {
  const at = lastOfUser(read)
  const message = read.list[at]
  return message === undefined ? [] : shownParts(message, at, new Map())
}

/** The id of a list without one: equal for equal lists, unless a question was asked in between, which the same words may answer. */
export function listIdOf(world: World, peer: PeerId, shared: string, sha: string): string {
  const id = `said-${sha}`
  const conversation = selectConversation(world, peer, shared)
  if (conversation === null) return id
  const last = world.taken[peer]?.findLast((one) => one.conversation === conversation.id && one.theirs.startsWith(id))
  const question = [conversation.task, ...selectWorkOf(world, conversation.task).map((work) => work.id)]
    .flatMap((task) => selectAskedOutside(world, task, conversation.agent))
    .sort((a, b) => b.seq - a.seq)[0]
  if (last === undefined) return id
  return question === undefined || question.seq < last.seq ? last.theirs : `${id}-${question.id}`
}

/** The list as one message: the answer to an open question, else a new message. */
export async function addListToConversation(
  context: AdapterContext,
  call: PeerCall,
  named: { conversation_id: string; theirs: string },
  { list }: List,
): Promise<Imported> {
  const parts = list.flatMap((message, at) => shownParts(message, at, new Map()))
  const work = workStateIn(list.at(-1)?.metadata)
  await say(context, call, { ...named, parts, needReply: null, ...work })
  return {
    conversation_id: named.conversation_id,
    messages: list.length,
    copied: 0,
    not_copied: [],
    mended: list.flatMap(correctionsOf),
  }
}

type Saying = {
  conversation_id: string
  theirs: string
  needReply: boolean | null
  workState?: WorkState
  parts: readonly MampPart[]
}

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
    ...said,
    from,
    to: conversation.ours,
    shared,
    inReplyTo: null,
    callback: null,
    status: 200,
    pictureAt: copyExpiringAt(call.peer),
  })
}
