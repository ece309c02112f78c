/** The arguments of a confirmation to edit: a field each by the tool's schema, or JSON. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Field } from '@/components/form/schemaFields'
import { type Comparison, Comparisons } from '@/components/form/TextViews'
import { ArgumentsForm } from '@/components/tools/ArgumentsForm'
import type { ReadArguments, ToolDraft } from '@/components/tools/toolDraft'
import { isJsonObject } from '@/lib/json'
import type { Json } from '@/lib/mas/records'
import { writtenFile } from '@/lib/mas/steps/writtenFile'
import { type FileText, useFileText } from './useFileText'

/** A file that takes longer is compared when the reader asks for it. */
const FILE_LIMIT_MS = 3_000

type ComparedFile = { written: ReturnType<typeof writtenFile>; file: FileText | null }

/**
 * The file that a call would write, as it is now.
 *
 * in      args: as they would run now; null: not known yet
 * out     isFetching: arguments to read wait for it, so that they are drawn once
 */
export function useComparedFile(args: Json | null): ComparedFile & { isFetching: boolean } {
  const written = args === null ? null : writtenFile(args)
  const file = useFileText(written?.path ?? null)
  const [isLate, setLate] = useState(false)
  const isWritten = written !== null
  useEffect(() => {
    // Joins the timer.
    if (!isWritten) return
    const timer = setTimeout(() => setLate(true), FILE_LIMIT_MS)
    return () => clearTimeout(timer)
  }, [isWritten])
  return { written, file, isFetching: isWritten && file === null && !isLate }
}

type WithComparisonsProps = ComparedFile & {
  args: Json
  /** Left out: nothing is edited. */
  proposed?: Json
  children: ReactNode
}

/** Gives the texts of a call what they can be compared with: the file that it would write, and what was proposed. */
export function WithComparisons({ args, proposed, written, file, children }: WithComparisonsProps) {
  const t = useTranslations('request')
  const compare = (place: string): Comparison[] => {
    const before = isJsonObject(proposed ?? null) && isJsonObject(proposed) ? proposed[place] : undefined
    const now = isJsonObject(args) ? args[place] : undefined
    return [
      ...(written?.field === place && file?.state === 'here'
        ? [{ value: 'file', label: t('against.file'), name: written.path, before: file.text }]
        : []),
      ...(typeof before === 'string' && before !== now
        ? [{ value: 'proposal', label: t('against.proposal'), name: place, before }]
        : []),
    ]
  }
  return (
    <Comparisons value={compare}>
      {children}
      {written !== null && file?.state === 'absent' ? (
        <p className="mt-1 text-meta text-t3">{t('against.newFile', { path: written.path })}</p>
      ) : null}
    </Comparisons>
  )
}

type CallEditorProps = {
  draft: ToolDraft
  fields: readonly Field[] | null
  wrong: Extract<ReadArguments, { ok: false }> | null
  onChange: (draft: ToolDraft) => void
  /** It was opened by a press: its first field gets the focus. */
  hasFocus: boolean
}

export function CallEditor({ draft, fields, wrong, onChange, hasFocus }: CallEditorProps) {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Joins the focus: the fields exist only after they are drawn.
    if (hasFocus) root.current?.querySelector<HTMLElement>('textarea, input:not([type=radio])')?.focus()
  }, [hasFocus])
  return (
    <div ref={root} className="rounded-control border border-line bg-s2 p-3 max-md:p-2">
      <ArgumentsForm
        draft={draft}
        fields={fields}
        wrong={wrong}
        hasTabs
        onChange={(more) => onChange({ ...draft, ...more })}
      />
    </div>
  )
}
