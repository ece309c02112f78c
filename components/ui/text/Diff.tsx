/** A comparison of two texts as lines with their numbers. */

import { structuredPatch } from 'diff'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../Button'
import { cx } from '../cx'
import { Scrolled } from './Scrolled'

/** Lines that are drawn at first. */
const LINES_AT_ONCE = 400
/** The comparison gives up then: the texts differ too much. */
const LONGEST_MS = 2_000

export default function Diff({ before, after, name }: { before: string; after: string; name: string }) {
  const t = useTranslations('diff')
  const [count, setCount] = useState(LINES_AT_ONCE)
  const patch = useMemo(
    () => structuredPatch('', '', before, after, '', '', { context: 3, timeout: LONGEST_MS }),
    [before, after],
  )
  if (patch === undefined) return <p className="py-2 text-t2">{t('tooDifferent')}</p>
  const lines = diffLines(patch.hunks)
  if (lines.length === 0) return <p className="py-2 text-t2">{t('same')}</p>
  const counts = {
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
  }
  return (
    <figure aria-label={t('of', { name })} className="min-w-0">
      <figcaption className="pb-1.5 text-meta text-t3">{t('counts', counts)}</figcaption>
      <Scrolled as="div" className="overflow-x-auto rounded-card border border-line bg-s2">
        <table className="w-full border-collapse font-mono text-table">
          <tbody>
            {lines.slice(0, count).map(({ kind, text, before: left, after: right }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of one comparison never change places.
              <tr key={at} data-kind={kind} className={LOOK[kind]}>
                <td className="w-10 px-2 text-right align-top text-meta text-t3 select-none max-md:hidden">{left}</td>
                <td className="w-10 px-2 text-right align-top text-meta text-t3 select-none max-md:hidden">{right}</td>
                <td className="w-5 pl-1 align-top select-none">
                  {kind === 'added' || kind === 'removed' ? <span className="sr-only">{t(kind)}</span> : null}
                  <span aria-hidden>{SIGN[kind]}</span>
                </td>
                <td data-literal className={cx('pr-3 break-words whitespace-pre-wrap', kind === 'gap' && 'text-t3')}>
                  {text}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {count < lines.length ? (
        <Button look="quiet" onClick={() => setCount(count + LINES_AT_ONCE * 5)}>
          {t('more', { count: lines.length - count })}
        </Button>
      ) : null}
    </figure>
  )
}

const LOOK = { added: 'bg-done-b', removed: 'bg-failed-b', same: '', gap: 'bg-s3' }
const SIGN = { added: '+', removed: '−', same: '', gap: '' }

type DiffLine = {
  /** gap: lines that are the same are left out here. */
  kind: 'added' | 'removed' | 'same' | 'gap'
  text: string
  /** Its number before and after; null: it is not there. */
  before: number | null
  after: number | null
}

type Hunk = { oldStart: number; newStart: number; lines: readonly string[] }

/** in: hunks of a unified comparison, whose lines begin with `+`, `-`, a space, or `\` for what is said about the line before */
export function diffLines(hunks: readonly Hunk[]): DiffLine[] {
  return hunks.flatMap(({ oldStart, newStart, lines }, at) => {
    let [before, after] = [oldStart, newStart]
    const shown: DiffLine[] = at === 0 ? [] : [{ kind: 'gap', text: '…', before: null, after: null }]
    for (const line of lines) {
      const text = line.slice(1)
      if (line.startsWith('+')) shown.push({ kind: 'added', text, before: null, after: after++ })
      else if (line.startsWith('-')) shown.push({ kind: 'removed', text, before: before++, after: null })
      else if (!line.startsWith('\\')) shown.push({ kind: 'same', text, before: before++, after: after++ })
    }
    return shown
  })
}
