/**
 * Bodies for one running step: whole texts by reference, and new ones kept until the decision that names them is durable.
 */

import { bodyOf } from '@/lib/mas/bodies'
import type { NewBody } from '@/lib/mas/commands/command'
import type { BodyRef } from '@/lib/mas/records'
import type { BodyDesk } from '../skills/port'
import type { Bodies } from '../store'

const decoder = new TextDecoder()

export function openBodyDesk(bodies: Pick<Bodies, 'get'>): BodyDesk {
  const made = new Map<string, NewBody>()
  return {
    async text(ref) {
      const own = made.get(ref.sha)
      if (own) return decoder.decode(own.bytes)
      const kept = await bodies.get(ref.sha)
      if (!kept) throw new Error(`the body ${ref.sha.slice(0, 12)} is not in the store`)
      return decoder.decode(kept.bytes)
    },
    make(text, mime): BodyRef {
      const { body, ref } = bodyOf(text, mime)
      made.set(body.sha, body)
      return ref
    },
    get made() {
      return [...made.values()]
    },
  }
}
