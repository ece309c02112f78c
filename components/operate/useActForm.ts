/** The fields of an act's form, stored with its reason: closing the dialog or the page loses nothing. */
import type { ChangeEvent } from 'react'
import * as z from 'zod/mini'
import { useDraft } from '@/client/drafts'
import type { AgentId } from '@/lib/mas/ids'

export const agentIdShape = z.custom<AgentId>((id) => typeof id === 'string')

type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string

/** What a text field takes of a form. */
type TextProps = { value: string; onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void }

export type ActForm<Values> = {
  values: Values
  set: (change: Partial<Values>) => void
  text: (name: TextName<Values>) => TextProps
}

/**
 * in      place: of the act; schema: of the stored values; start: the first values, and those where stored ones do not fit
 * out     the values; set: changes some of them; text: the props of a field for one that is a text
 */
export function useActForm<Values extends object>(
  place: string,
  schema: z.ZodMiniType<Values>,
  start: NoInfer<Values>,
): ActForm<Values> {
  const { more, setMore } = useDraft(place)
  const values = schema.safeParse(more.form).data ?? start
  return {
    values,
    set: (change) => setMore({ form: { ...values, ...change } }),
    text: (name) => ({
      value: String(values[name]),
      onChange: (event) => setMore({ form: { ...values, [name]: event.target.value } }),
    }),
  }
}

/** in: whether an input is missing, and how that is said. out: the words of the first that is; null: none */
export const firstMissing = (...checks: readonly (readonly [isMissing: boolean, words: string])[]): string | null =>
  checks.find(([isMissing]) => isMissing)?.[1] ?? null
