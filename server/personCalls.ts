/** Calls of models that are people, at all nodes: each tells the others which calls wait at it, and answers go to the node of the call. */
import { Fault } from '@/lib/faults'
import { PersonQueue } from './models'
import type { Nodes } from './nodes'
import { openAnnounced } from './nodes/announced'
import type { Schedule } from './shared/later'
import type { PersonAnswer, PersonCall } from './shared/personCall'

/** Time for a node to confirm an answer, ms. */
export const SETTLE_WITHIN_MS = 5_000

type PersonCallsParts = {
  /** Epoch ms. */
  now: () => number
  newId: () => string
  schedule: Schedule
  /** null: there are no others. */
  nodes: Nodes | null
}

/** out: the queue for the models of this node, and the calls that wait at all nodes */
export function openPersonCalls({ now, newId, schedule, nodes }: PersonCallsParts) {
  const queue: PersonQueue = new PersonQueue(now, () => tell())
  const { tell, elsewhere } = openAnnounced('personCalls', {
    nodes,
    own: () => ({ is: 'personCalls', calls: queue.list() }),
  })
  const questions = new Map<string, { node: string; end: (isTaken: boolean | null) => void }>()

  nodes?.onLeft((left) => {
    for (const { node, end } of [...questions.values()]) if (left === null || left === node) end(null)
  })
  nodes?.onNote((note) => {
    if (note.is === 'callSettled') questions.get(note.question)?.end(note.isTaken)
    if (note.is !== 'settleCall' || note.to !== nodes.node) return
    nodes.tell({ is: 'callSettled', question: note.question, isTaken: queue.settle(note.call, note.answer) })
  })

  /** out: null: the node did not confirm or refuse it */
  function settleAt(node: string, call: string, answer: PersonAnswer): Promise<boolean | null> {
    return new Promise((resolve) => {
      const question = newId()
      const end = (isTaken: boolean | null): void => {
        stop()
        questions.delete(question)
        resolve(isTaken)
      }
      const stop = schedule(() => end(null), SETTLE_WITHIN_MS)
      questions.set(question, { node, end })
      nodes?.tell({ is: 'settleCall', to: node, question, call, answer })
    })
  }

  return {
    /** Of the models of this node. */
    queue,
    /** Of all nodes, the oldest first. */
    list: (): PersonCall[] =>
      [...queue.list(), ...[...elsewhere.values()].flatMap(({ calls }) => calls)].sort((a, b) => a.since - b.since),
    /** End the call with this answer. out: false: it no longer waits. faults: STORE_BROKEN: its node does not confirm the answer */
    async settle(id: string, answer: PersonAnswer): Promise<boolean> {
      if (queue.settle(id, answer)) return true
      const [node] = [...elsewhere].find(([, { calls }]) => calls.some((call) => call.id === id)) ?? []
      if (node === undefined) return false
      const isTaken = await settleAt(node, id, answer)
      if (isTaken === null) throw new Fault('STORE_BROKEN')
      return isTaken
    },
  }
}
