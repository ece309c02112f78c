/** Serves an export: a task as one Harmony list, written in pieces. */
import type { AgentId, PeerId } from '@/lib/mas/ids'
import { isPending, outgoingKey } from '@/lib/mas/outside/outside'
import type { OutgoingRecord } from '@/lib/mas/outside/records'
import { HarmonyMessage, harmonyPartAt } from '@/lib/protocols/harmony/message'
import { errorCode } from '@/server/shared/errors'
import { EXPORT_PAUSE_S, oneAtATime } from '@/server/shared/oneAtATime'
import { listPieces, takingTurns, writePieces } from '@/server/shared/pieces'
import type { AdapterContext } from '../adapter'
import { sendResult } from '../callPeer'
import { sendHead, sendJson } from '../http'
import type { HttpCall } from '../routes'
import { type HarmonyCaller, type Readable, readable } from './caller'
import { exportTask } from './exportTask'
import { mediaAddress } from './media'
import { harmonyRefusal } from './refusal'

/** A message for a peer of this protocol waits until the peer fetches it. */
export const WAITS = sendResult({ verdict: 'retry', why: { code: 'toBeFetched' } })

/** The message is part of the export, so no envelope of it is stored. */
const NOTHING_WENT = { bytes: 0, sha: '', body: null }

type Outgoing = OutgoingRecord
type Give = (query: URLSearchParams, caller: HarmonyCaller, http: Pick<HttpCall, 'response'>) => Promise<void>

/** out: export: serves a whole list; part: one part of it. One at a time per reader */
export function openExports(context: AdapterContext): { export: Give; part: Give } {
  const { log } = context
  /** Readers whose export is being written. */
  const exporting = oneAtATime<PeerId | AgentId>()

  async function listOf(query: URLSearchParams, caller: HarmonyCaller) {
    const named = { conversation: query.get('conversation_id'), task: query.get('task_id') }
    const found = await readable(context, caller, named)
    const end = exporting.begin(caller.kind === 'peer' ? caller.peer.id : caller.person)
    if (end === null) {
      const words = 'An export of yours is still on its way. Ask again when it has come.'
      throw harmonyRefusal('too_many', words, undefined, EXPORT_PAUSE_S)
    }
    return { found, list: exportTask(found, context.bodies, mediaAddress(context.ourselves().address, named)), end }
  }

  const serveExport: Give = async (query, caller, { response }) => {
    const { found, list, end } = await listOf(query, caller)
    try {
      const due = outgoingIn(found)
      sendHead(response, 200)
      // Before the last byte is sent: a peer that has the whole list finds the messages delivered.
      await writePieces(
        response,
        listPieces(
          followedBy(list, () => markFetched(due)),
          '{"messages":[',
          ']}',
        ),
      )
    } catch (error) {
      // The status is sent already: closing the connection marks the list as incomplete.
      if (!response.headersSent) throw error
      if (!response.destroyed || !isReaderGone(error)) log.warn({ err: error }, 'an export was interrupted')
      response.destroy()
    } finally {
      end()
    }
  }

  const servePart: Give = async (query, caller, { response }) => {
    const address = query.get('part') ?? ''
    const { list, end } = await listOf(query, caller)
    try {
      const turn = takingTurns()
      for await (const one of list) {
        const message = HarmonyMessage.safeParse(one).data
        const part = message === undefined ? null : harmonyPartAt(message, address)
        if (part !== null) return sendJson(response, 200, part)
        await turn()
      }
      throw harmonyRefusal('not_found', 'There is no such part.')
    } finally {
      end()
    }
  }

  /** This adapter sends nothing by itself: a message is delivered when the peer fetches it. */
  async function markFetched(due: Outgoing[]): Promise<void> {
    for (const outgoing of due) {
      const { task, message, agent } = outgoing
      const sent = { ...WAITS, verdict: 'delivered' as const, status: 200, why: null }
      const { retryAfterMs: _, envelope: __, ...outcome } = sent
      const answer = await context.engine.commit({
        id: context.newId(),
        by: 'system:harmony',
        command: { type: 'finishSending', task, message, agent, ...outcome, ...NOTHING_WENT, next: null },
      })
      if (answer.ok) continue
      const { code } = answer.fault
      // Another export delivered it at the same time.
      if (code === 'ALREADY_SO') log.info({ outgoing: outgoingKey(outgoing) }, 'a message was fetched twice at once')
      else log.warn({ outgoing: outgoingKey(outgoing), code }, 'a fetched message could not be marked as delivered')
    }
  }

  /** All pending deliveries to the peer that the list contains, those about requested work included; a person's export has none. */
  function outgoingIn({ conversation, world }: Readable): Outgoing[] {
    if (conversation?.protocol !== 'harmony') return []
    const now = context.engine.world()
    return Object.values(now.outbox)
      .flatMap((all): Outgoing[] => Object.values(all))
      .filter((one) => one.conversation === conversation.id && isPending(now, one))
      .filter(({ task, message }) => world.messages[task]?.[message] !== undefined)
  }

  return { export: serveExport, part: servePart }
}

/** Yields all items; `last` runs before the end is reported. */
async function* followedBy<T>(items: AsyncIterable<T>, last: () => Promise<void>): AsyncGenerator<T> {
  yield* items
  await last()
}

const isReaderGone = (error: unknown): boolean => errorCode(error) === 'ERR_STREAM_PREMATURE_CLOSE'
