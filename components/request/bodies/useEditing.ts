import { useMemo, useState } from 'react'
import type { TextDraft } from '@/client/drafts'
import { fieldsOf } from '@/components/form/schemaFields'
import { argumentsOf, type ReadArguments, type ToolDraft } from '@/components/tools/toolDraft'
import type { Json } from '@/lib/mas/records'
import { readEdited, writeEdited } from './editedCall'

type Wrong = Extract<ReadArguments, { ok: false }>

/**
 * The arguments of a call as somebody edits them.
 *
 * in      edited: the draft that keeps them; given: as they were, with the tool's schema; null: not known yet
 * out     the props of CallEditor, and what would be sent
 */
export function useEditing(edited: TextDraft, given: { json: Json; schema: Json } | null) {
  const [wrong, setWrong] = useState<Wrong | null>(null)
  const fields = useMemo(() => (given === null ? null : fieldsOf(given.schema)), [given])
  const { text, more } = edited
  const draft = useMemo(() => readEdited({ text, more }, given?.json ?? {}, fields), [text, more, given, fields])
  const now = argumentsOf(draft, fields)
  return {
    draft,
    fields,
    wrong,
    /** As they would run, as far as they are valid. */
    args: now.ok ? now.args : (given?.json ?? {}),
    /** What is wrong with them as they are; null: nothing. */
    trouble: now.ok ? null : now,
    onChange: (next: ToolDraft): void => {
      setWrong(null)
      edited.put(writeEdited(next, fields))
    },
    /** out: null: they are not valid, and the fields say why */
    read: (): Json | null => {
      setWrong(now.ok ? null : now)
      return now.ok ? now.args : null
    },
  }
}
