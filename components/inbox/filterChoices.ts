/** What the filters of the inbox offer. Pure; loaded with them. */
import { INBOX_KINDS, type InboxFilter, type InboxKind } from '@/lib/wire/inboxFilter'
import { filterHref, kindOfRow } from './rowFilter'
import { type OpenRow, rowSender, rowTask } from './rows'

export const isSameFilter = (a: InboxFilter, b: InboxFilter): boolean => filterHref(a) === filterHref(b)

export type FilterChoice = { value: string; label: string }

/** What there is to choose from: each task, asker and kind of these rows once, in their order. */
export function filterChoices(rows: readonly OpenRow[]): {
  tasks: FilterChoice[]
  askers: FilterChoice[]
  kinds: InboxKind[]
} {
  const unique = (choices: FilterChoice[]): FilterChoice[] => [
    ...new Map(choices.map((choice) => [choice.value, choice])).values(),
  ]
  const kinds = new Set(rows.map(kindOfRow))
  return {
    tasks: unique(rows.map((row) => ({ value: rowTask(row), label: row.taskName }))),
    askers: unique(rows.map((row) => ({ value: rowSender(row).id, label: rowSender(row).name }))),
    kinds: INBOX_KINDS.filter((kind) => kinds.has(kind)),
  }
}
