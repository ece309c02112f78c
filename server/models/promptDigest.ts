/** Identifies prompts, so that a recording finds its calls again. */
import { sha256 } from '../shared/sha256'
import type { Turn } from './model'

/** Uuids, and the beginning of one in the handle of a task: they differ in every run. */
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|task-[0-9a-f]{6}(?![0-9a-z])/gi
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?|\b\d{8}T\d{6}(_\d+)?\b/g

export type PromptMark = {
  digest: string
  /** Equal for prompts that differ only in ids and times. */
  shape: string
  /** In the order of their first appearance. */
  ids: string[]
}

/** digest: of the turns; shape: of the turns with each id and time numbered, the same in every run */
export function promptMarkOf(turns: readonly Turn[]): PromptMark {
  const text = JSON.stringify(turns.map(({ role, content, media }) => [role, content, media ?? []]))
  const ids = [...new Set((text.match(ID) ?? []).map((id) => id.toLowerCase()))]
  const number = new Map(ids.map((id, index) => [id, index]))
  const shape = text.replace(ID, (id) => `#${number.get(id.toLowerCase())}`).replace(TIME, '#time')
  return { digest: sha256(text), shape: sha256(shape), ids }
}

/** Replaces the ids of one run by those of another, in the order of their marks. Others stay; the length does not change. */
export function translateIds(text: string, from: readonly string[], to: readonly string[]): string {
  const other = new Map(
    [...new Set(from.map(({ length }) => length))].flatMap((length) => {
      const theirs = to.filter((id) => id.length === length)
      return from.filter((id) => id.length === length).map((id, index) => [id, theirs[index]] as const)
    }),
  )
  return text.replace(ID, (id) => other.get(id.toLowerCase()) ?? id)
}
