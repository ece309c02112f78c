/** The arguments of a confirmation as somebody edits them, and how the draft of its card keeps them. Pure. */
import { checkJson } from '@/components/form/jsonText'
import { type Field, typedFrom } from '@/components/form/schemaFields'
import { readTyped } from '@/components/form/schemaValues'
import { EMPTY_TOOL_DRAFT, editedDraft, filledDraft, jsonOfForm, type ToolDraft } from '@/components/tools/toolDraft'
import { isJsonObject, isSameValue } from '@/lib/json'
import type { Json } from '@/lib/mas/records'
import { draftTextIn, type WrittenText } from '@/lib/wire/drafts'

/** Characters; the server takes 64 KiB beside a draft's text. */
const MOST_BESIDE = 50_000

/**
 * The draft of a card as a form or as JSON; the proposed arguments while nothing is edited.
 *
 * in      kept: its text is JSON, valid or not; `as` beside it says how it is written, `form` what is unfinished in the form
 */
export function readEdited(kept: WrittenText, proposed: Json, fields: readonly Field[] | null): ToolDraft {
  const as = draftTextIn(kept.more, 'as')
  const typed = readTyped(draftTextIn(kept.more, 'form') ?? 'null')
  if (as === 'json' || (kept.text !== '' && fields === null))
    return { ...EMPTY_TOOL_DRAFT, as: 'json', typed: typed ?? {}, json: kept.text }
  if (kept.text === '') return filledDraft(proposed, fields)
  const whole = editedDraft(kept.text, fields)
  return typed === null ? whole : { ...whole, as: 'form', typed }
}

/** What the draft keeps of it: the JSON of all that is valid, and the form where that says more. */
export function writeEdited(draft: ToolDraft, fields: readonly Field[] | null): WrittenText {
  if (draft.as === 'json' || fields === null) {
    const form = JSON.stringify(draft.typed)
    return { text: draft.json, more: { as: 'json', ...(form.length > MOST_BESIDE || form === '{}' ? {} : { form }) } }
  }
  const text = jsonOfForm(fields, draft.typed)
  const again = checkJson(text).ok ? typedFrom(fields, JSON.parse(text) as Json) : null
  const form = JSON.stringify(draft.typed)
  const isWhole = again !== null && isSameValue(again, draft.typed)
  return { text, more: { as: 'form', ...(isWhole || form.length > MOST_BESIDE ? {} : { form }) } }
}

/** One argument of a call as text: a text as it is, anything else as JSON. */
export const argumentText = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2)

/** The arguments that differ between what was proposed and what ran, in the order of what ran. */
export function changedArguments(proposed: Json, ran: Json): { name: string; before: string; after: string }[] {
  if (!isJsonObject(proposed) || !isJsonObject(ran)) {
    return isSameValue(proposed, ran) ? [] : [{ name: '', before: argumentText(proposed), after: argumentText(ran) }]
  }
  const names = [...Object.keys(ran), ...Object.keys(proposed).filter((name) => !Object.hasOwn(ran, name))]
  return names
    .filter((name) => !isSameValue(proposed[name] ?? null, ran[name] ?? null))
    .map((name) => ({ name, before: argumentText(proposed[name]), after: argumentText(ran[name]) }))
}
