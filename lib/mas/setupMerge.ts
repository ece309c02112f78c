/** How the file and the page agree about one record, at each start. */
import { isSameValue } from '@/lib/json'
import type { SetupRecord } from './setupRecords'

/**
 * same     the file is unchanged: the page's value stays
 * file     the file changed, and the page did not, or to the same value: the file's value
 * overruled  both changed: the file's value, and a notice
 * removed  the file changed an object that the page removed: it stays removed, and a notice
 */
export type SetupVerdict = 'same' | 'file' | 'overruled' | 'removed'

type Known<Value> = Pick<SetupRecord<Value>, 'file' | 'page'>

/** Compares the file's last value, its value now and the page's. known: undefined: never read; file: null: not in the file. */
export function mergeSetup<Value>(known: Known<Value> | undefined, file: Value | null): SetupVerdict {
  const { file: last = null, page = null } = known ?? {}
  if (isSameValue(last, file)) return 'same'
  if (page === null || isSameValue(page.value, file)) return 'file'
  return page.value === null ? 'removed' : 'overruled'
}

/** Whether the page's value stays. */
export const keepsPage = (verdict: SetupVerdict): boolean => verdict === 'same' || verdict === 'removed'

/** The value in effect; null: none. */
export const effectiveOf = <Value>({ file, page }: Known<Value>): Value | null => (page === null ? file : page.value)
