import { taskTitle } from '@/client/readersWords'
import { firstWords } from '@/lib/format/plainText'
import { type OpenRow, rowSender, rowText } from './rows'

/** An item in one line: who asks (the task itself is named by the next part), in which task, and how it begins. */
export function rowName(row: OpenRow, length?: number): string {
  const { kind, name } = rowSender(row)
  return [...(kind === 'system' ? [] : [name]), taskTitle(row.taskName), firstWords(rowText(row), length)].join(' · ')
}
