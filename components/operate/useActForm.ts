/**
 * What is filled in for an act and not done yet, kept beside its reason: closing the dialog or the page loses nothing.
 */
import { useDraft } from '@/client/drafts'

/**
 * in      place: of the act; start: before anything is filled in; read: what was kept, null when it is none
 * out     the form, and changing it
 */
export function useActForm<Form>(
  place: string,
  start: Form,
  read: (value: unknown) => Form | null | undefined,
): [Form, (form: Form) => void] {
  const { more, setMore } = useDraft(place)
  return [read(more.form) ?? start, (form) => setMore({ form })]
}
