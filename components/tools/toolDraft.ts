/** The arguments and place typed for one tool and not run yet, as the text of a draft. Pure. */
import * as z from 'zod/mini'
import { checkJson, type JsonProblem } from '@/components/form/jsonText'
import { type Field, type Typed, typedFrom } from '@/components/form/schemaFields'
import { type FieldProblems, valuesOf } from '@/components/form/schemaValues'
import { fieldsIn, jsonValueOf } from '@/lib/json'
import type { Json } from '@/lib/mas/records'

export type Arguments = { [name: string]: Json }
/** A part that does not fit is as in an empty draft. task, stage: as chosen; null: not chosen. */
const shape = z.object({
  as: z.catch(z.enum(['form', 'json']), 'form'),
  typed: z.catch(z.record(z.string(), z.string()), {}),
  json: z.catch(z.string(), ''),
  task: z.catch(z.nullable(z.string()), null),
  stage: z.catch(z.nullable(z.string()), null),
})
export type ToolDraft = z.infer<typeof shape>

export const EMPTY_TOOL_DRAFT: ToolDraft = shape.parse({})

/** The key of a tool's draft; `from`: the source of its arguments, so that they do not replace what was typed before. */
export const draftKey = (server: string, tool: string, from: string | null): string =>
  `tool:${[server, tool, ...(from === null ? [] : [from])].map(asKey).join('.')}`.slice(0, 200)
const asKey = (name: string): string => name.replace(/[^0-9A-Za-z_-]/g, '-')

export const writeToolDraft = (draft: ToolDraft): string => JSON.stringify(draft)

/** Anything else than a draft gives an empty one. */
export const readToolDraft = (text: string): ToolDraft => shape.parse(fieldsIn(jsonValueOf(text)))

export type ReadArguments =
  | { ok: true; args: Arguments }
  | { ok: false; troubles: FieldProblems; badJson: JsonProblem | null }

/** The arguments of a draft; fields null: there is no form, it is JSON. */
export function argumentsOf(draft: ToolDraft, fields: readonly Field[] | null): ReadArguments {
  if (fields !== null && draft.as === 'form') {
    const read = valuesOf(fields, draft.typed)
    return read.ok ? { ok: true, args: read.values } : { ok: false, troubles: read.troubles, badJson: null }
  }
  const text = draft.json.trim() === '' ? '{}' : draft.json
  const check = checkJson(text)
  return check.ok
    ? { ok: true, args: JSON.parse(text) as Arguments }
    : { ok: false, troubles: {}, badJson: check.problem }
}

/** The same draft as JSON or as a form; null: the form has no field for something in the JSON. */
export function switched(draft: ToolDraft, fields: readonly Field[], to: ToolDraft['as']): ToolDraft | null {
  if (draft.as === to) return draft
  // Unfinished values stay in the form; the JSON starts with the valid ones.
  if (to === 'json') return { ...draft, as: 'json', json: jsonOfForm(fields, draft.typed) }
  // Nothing was changed there: the unfinished values are back.
  if (draft.json === jsonOfForm(fields, draft.typed)) return { ...draft, as: 'form' }
  const read = argumentsOf(draft, null)
  const typed = read.ok ? typedFrom(fields, read.args) : null
  return typed && { ...draft, as: 'form', typed }
}

export function jsonOfForm(fields: readonly Field[], typed: Typed): string {
  const read = valuesOf(fields, typed)
  return JSON.stringify(read.ok ? read.values : wholeOf(fields, typed), null, 2)
}

/** The fields that are valid on their own. */
const wholeOf = (fields: readonly Field[], typed: Typed): Arguments =>
  Object.assign(
    {},
    ...fields.map((field) => {
      const read = valuesOf([field], typed)
      return read.ok ? read.values : {}
    }),
  )

/** A draft with these arguments: as a form where it can hold them, otherwise as JSON. */
export function filledDraft(args: Json, fields: readonly Field[] | null): ToolDraft {
  const typed = fields && typedFrom(fields, args)
  return typed
    ? { ...EMPTY_TOOL_DRAFT, typed, json: JSON.stringify(args, null, 2) }
    : { ...EMPTY_TOOL_DRAFT, as: 'json', json: JSON.stringify(args, null, 2) }
}

/** A draft with arguments as text; nothing of them is lost, valid or not. */
export function editedDraft(json: string, fields: readonly Field[] | null): ToolDraft {
  const check = checkJson(json)
  return check.ok ? filledDraft(JSON.parse(json) as Json, fields) : { ...EMPTY_TOOL_DRAFT, as: 'json', json }
}
