/** Checks a whole journal: every hash, every body. */
import type { Damage } from '../errors'
import type { Verified } from '../interfaces'
import { requireWhole } from './names'
import { UNCOVERED, uncoveredIn, type WholeStore } from './wholeStore'

/** See `verify` of ../interfaces.ts. A part that cannot be read is damaged; the others are checked nevertheless. */
export async function verifyWhole(whole: WholeStore, range: { from?: number; to?: number } = {}): Promise<Verified> {
  const { from = 1, to = Number.MAX_SAFE_INTEGER } = range
  requireWhole({ from, to })
  const isAll = range.from === undefined && range.to === undefined
  const out: Verified = { decisions: 0, entries: 0, bodies: 0, damage: [] }
  const named = (why: string, decision: number | null = null, entry: number | null = null): void => {
    out.damage.push({ file: whole.file, decision, entry, why })
  }
  const part = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      out.damage.push(whole.damageIn(error))
    }
  }

  const uncovered = uncoveredIn(whole)
  await part(async () => {
    const head = await whole.head().catch((error: unknown) => {
      // Where the journal ends is unknown.
      whole.damageIn(error)
      return null
    })
    const previous = await whole.before(from)
    let before = new Set([previous?.hash ?? head?.journal ?? ''])
    let last = previous?.last ?? 0
    for await (const decision of whole.decisions(last, to)) {
      const { hash, why, erased } = decision.check({ before, first: last + 1 })
      const bare = why ? null : await uncovered(erased)
      if (why) named(why.why, decision.last, why.entry)
      else if (bare !== null) named(UNCOVERED, decision.last, bare)
      // If only its hash is damaged, the next decision is chained to the original one.
      before = new Set([hash, decision.hash])
      last = decision.last
      out.decisions += 1
      out.entries += decision.entries
    }
    if (!isAll) return
    if (head?.seq !== last || !before.has(head.hash)) named('the journal does not end with it', last)
    else if (!head.isWhole) named('its head is another one')
    const stray = await whole.stray(last)
    if (stray) named('it belongs to no decision', stray.last, stray.seq)
  })
  if (!isAll) return out

  await part(async () => {
    for await (const { outcome, isWhole } of whole.outcomes())
      if (!isWhole) named(`the outcome of the command ${outcome?.id ?? '(no text)'} is another one`)
  })
  const add = (found: Damage | null): void => {
    if (found) out.damage.push(found)
  }
  await part(async () => (await whole.otherDamage()).forEach(add))
  await part(async () => {
    for await (const { fault } of whole.bodies()) {
      out.bodies += 1
      await part(async () => add(await fault()))
    }
  })
  return out
}
