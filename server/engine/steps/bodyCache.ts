/** Bodies for running steps: whole texts by reference, and new ones until their decision is durable. */
import { Fault } from '@/lib/faults'
import { wholeOf } from '@/lib/mas/bodies'
import type { NewBody } from '@/lib/mas/commands/command'
import type { BodyRef } from '@/lib/mas/records'
import { recentMap } from '../../shared/recentMap'
import { bodyOfRef, refOf } from '../../skills/makeBody'
import type { BodyCache } from '../../skills/port'
import type { Bodies } from '../../store'

const decoder = new TextDecoder()

/** Texts remembered, all together, in characters. */
const TEXT_CHARACTERS = 16_000_000
/** Bodies remembered as stored. A body that comes again later than this is sent again, so that the store knows it is in use. */
const KEPT_BODIES = 50_000
const KEPT_MS = 3_600_000
/** Turns of prompts remembered, all together: about 100 bytes each, beside their texts. */
const PROMPT_TURNS = 100_000

export function openBodyCaches(bodies: Pick<Bodies, 'get'>, clock: () => number) {
  const texts = recentMap<string, string>(TEXT_CHARACTERS, (text) => text.length)
  const nothingWritten = (): Pick<BodyCache, 'items' | 'prompts'> => ({
    items: new WeakMap(),
    prompts: recentMap(PROMPT_TURNS, ({ size }) => size),
  })
  let written = nothingWritten()
  const storedAt = recentMap<string, number>(KEPT_BODIES)
  const bytesOf = async ({ sha }: BodyRef, made: ReadonlyMap<string, NewBody>): Promise<Uint8Array> => {
    const kept = made.get(sha) ?? (await bodies.get(sha))
    if (!kept) throw new Fault('NOT_KEPT')
    return kept.bytes
  }
  const isStored = (sha: string): boolean => clock() - (storedAt.get(sha) ?? Number.NEGATIVE_INFINITY) < KEPT_MS

  return {
    /** The bodies of one step. */
    open(): BodyCache {
      const made = new Map<string, NewBody>()
      return {
        async text(ref) {
          const inline = wholeOf(ref)
          if (inline !== null) return inline
          const known = texts.get(ref.sha)
          if (known !== undefined) return known
          const text = decoder.decode(await bytesOf(ref, made))
          texts.set(ref.sha, text)
          return text
        },
        bytes: (ref) => bytesOf(ref, made),
        make(text, mime): BodyRef {
          const ref = refOf(text, mime)
          if (!isStored(ref.sha)) made.set(ref.sha, bodyOfRef(ref, text))
          texts.set(ref.sha, text)
          return ref
        },
        get made() {
          return [...made.values()]
        },
        has: isStored,
        ...written,
      }
    },
    /** These are durable now. */
    stored(durable: readonly NewBody[]): void {
      const at = clock()
      for (const { sha } of durable) storedAt.set(sha, at)
    },
    /** Bodies may have left the store: what a step needs is stored again. */
    forgetStored(): void {
      storedAt.clear()
      written = nothingWritten()
    },
    /** Whole texts are read from the store again when a step needs them. */
    forgetTexts(): void {
      texts.clear()
      written = nothingWritten()
    },
  }
}

export type BodyCaches = ReturnType<typeof openBodyCaches>
