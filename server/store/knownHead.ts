/**
 * Where the journal ended, beside it in the data folder, so that a shorter one or another one in its place is noticed at a start.
 *
 *   convene.head.json        while the server runs, at most a minute old, and at its stop
 *   convene.backed-up.json   at the last backup
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { z } from 'zod'
import { jsonValueOf } from '@/lib/json'
import type { Journal, Store } from './interfaces'

const FILES = { run: 'convene.head.json', backup: 'convene.backed-up.json' } as const
const WHEN = { run: 'when the server last ran', backup: 'at the last backup' } as const
type Kind = keyof typeof FILES

/** journal: its id. seq: the last entry. hash: of the last decision, in hex. at: epoch ms, when it was written */
const headShape = z.object({ journal: z.string(), seq: z.number(), hash: z.string(), at: z.number() })
export type KnownHead = z.infer<typeof headShape>

export const KNOWN_HEAD_REMEDY = `Put the newer copy of the whole folder back. To use this journal on purpose, such as an older backup, move ${FILES.run} and ${FILES.backup} away from the folder and start again.`

const OFTEN_MS = 60_000

/** A file that cannot be written is left out: it is only a help. */
export function writeKnownHead(folder: string, kind: Kind, head: KnownHead): void {
  const path = join(folder, FILES[kind])
  try {
    writeFileSync(`${path}.tmp`, `${JSON.stringify(head)}\n`, { mode: 0o600 })
    renameSync(`${path}.tmp`, path)
  } catch {
    // The disk is full, for example.
  }
}

/** Never rejects. */
export async function keepHead(folder: string, { journal, now }: Pick<Store, 'journal' | 'now'>): Promise<void> {
  try {
    const { seq } = await journal.head()
    const hash = await journal.hashAt(seq)
    if (hash !== null) writeKnownHead(folder, 'run', { journal: journal.id, seq, hash, at: now() })
  } catch {
    // The store cannot be read: that is reported elsewhere.
  }
}

/** At once, and at a decision, at most once a minute: a server without work does nothing. */
export function keepHeadOften(folder: string, store: Store, onDecision: (listener: () => void) => unknown): void {
  let keptAt = performance.now()
  void keepHead(folder, store)
  onDecision(() => {
    const now = performance.now()
    if (now - keptAt < OFTEN_MS) return
    keptAt = now
    void keepHead(folder, store)
  })
}

/**
 * in      isElsewhere: the journal is not in this folder, and another id is another database
 * out     a clause: what the journal lacks; null: nothing that is known
 */
export async function missingEntries(
  folder: string,
  journal: Pick<Journal, 'id' | 'head' | 'hashAt'>,
  { isElsewhere }: { isElsewhere: boolean },
): Promise<string | null> {
  const { seq } = await journal.head()
  for (const kind of ['run', 'backup'] as const) {
    const known = knownHead(folder, kind)
    if (known === null) continue
    const then = `${WHEN[kind]} (${new Date(known.at).toISOString()})`
    if (known.journal !== journal.id) {
      if (isElsewhere) continue
      return `the journal is another one than ${then}`
    }
    if (seq < known.seq)
      return `the journal ends at entry ${seq}, and ${then} it ended at entry ${known.seq}: ${known.seq - seq} entries are missing`
    if ((await journal.hashAt(known.seq)) !== known.hash)
      return `the journal has other entries up to ${known.seq} than ${then}`
  }
  return null
}

function knownHead(folder: string, kind: Kind): KnownHead | null {
  try {
    return headShape.parse(jsonValueOf(readFileSync(join(folder, FILES[kind]), 'utf8')))
  } catch {
    return null
  }
}
