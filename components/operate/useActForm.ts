/** The fields of an act's form, stored with its reason: closing the dialog or the page loses nothing. */
import { useDraft } from '@/client/drafts'

/**
 * in      place: of the act; start: the first values; read: parses stored values, null when they do not fit
 * out     the form, and its setter
 */
export function useActForm<Form>(
  place: string,
  start: Form,
  read: (value: unknown) => Form | null | undefined,
): [Form, (form: Form) => void] {
  const { more, setMore } = useDraft(place)
  return [read(more.form) ?? start, (form) => setMore({ form })]
}
