/** An earlier request in a form to send again: its text, and its files as uploads of the caller. */

import { Fault } from '@/lib/faults'
import { canSeeAll } from '@/lib/mas/access/access'
import { asId, type MessageId, type TaskId } from '@/lib/mas/ids'
import type { AgentRecord, MessageRecord } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/team/agents'
import type { AgainAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { bodyContent } from '@/server/shared/bodyText'
import { UPLOADS } from '../../files/uploads'
import { resolveTaskId, shown } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import type { Routes } from '../../route'

export function addAskAgainRoute({ add, gateway }: Routes): void {
  const { engine, store, past } = gateway

  add('POST /api/work/again', {
    scope: 'ask',
    summary:
      'What was asked, by its message or its task, for a new request. Its files count as uploaded by the caller.',
    body: schemas.postAgain,
    answers: schemas.againAnswer,
    async handle({ person, body }) {
      if ('message' in body) {
        const message = await askedBy(person, asId<MessageId>(bareId(body.message)))
        if (message === null) throw new Fault('NOT_FOUND', { what: 'request', id: shown(body.message) })
        return { ...(await taken(person, message)), name: null }
      }
      const world = await worldWithRestored(engine.world(), past, body.task)
      const task = resolveTaskId(world, bareId(body.task) as TaskId, person)
      if (task.opened !== undefined) throw new Fault('ONLY_READ')
      const message = task.requestedIn === null ? null : await askedBy(person, messageOf(task.requestedIn.thread))
      // A task made by form, or whose request the caller may not read, is repeated by its goal.
      const again = message === null ? { text: task.intention, files: [] } : await taken(person, message)
      return { ...again, name: task.name }
    },
  })

  /** A request that this person sent to the base task; for those who see everything, anyone's. */
  async function askedBy(person: AgentRecord, id: MessageId): Promise<MessageRecord | null> {
    const { baseTask, messages } = engine.world()
    const live = baseTask === null ? undefined : messages[baseTask]?.[id]
    const message = live ?? (await past.opening(id))
    if (message === null || message.task !== baseTask) return null
    return message.sender === person.id || canSeeAll(person) ? message : null
  }

  async function taken(person: AgentRecord, message: MessageRecord): Promise<Omit<AgainAnswer, 'name'>> {
    const files: AgainAnswer['files'] = []
    for (const attachment of message.attachments) {
      const { sha, bytes } = attachment.body
      if ((await bodyContent(store.bodies, attachment.body)) === null) continue
      const known = await store.people.get(person.id, UPLOADS + sha)
      await store.people.put(person.id, UPLOADS + sha, { ...attachment, isSent: true }, known?.version ?? null)
      files.push({ name: attachment.name, bytes, sha })
    }
    return { text: message.text, files }
  }
}

/** A thread has the id of the message that began it. */
const messageOf = (thread: string): MessageId => asId<MessageId>(thread)
