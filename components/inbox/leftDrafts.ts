/** The requests and tasks to which the places of drafts belong (lib/wire/http/messages.ts names places). */
const idsIn = (places: readonly string[], place: RegExp): string[] => [
  ...new Set(places.flatMap((one) => place.exec(one)?.[1] ?? [])),
]

/** Each once: a request has a place for its answer, and one for each other field (`request:<id>.<field>`). */
export const requestsWithDrafts = (places: readonly string[]): string[] => idsIn(places, /^request:([^.]+)/)

/** Those with an unsent message; what is begun in the request dialog (`task:new-work…`) belongs to no task. */
export const tasksWithDrafts = (places: readonly string[]): string[] =>
  idsIn(places, /^task:([0-9a-f]{8}-[0-9a-f-]{27})$/)

/** The tasks or messages that are asked again in a request dialog with an unsent text; the file that is pasted has a place of its own. */
export const repeatsWithDrafts = (places: readonly string[]): string[] =>
  idsIn(places, /^task:new-work-([0-9a-f]{8}-[0-9a-f-]{27})$/)
