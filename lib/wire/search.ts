/** The kinds of things that the search finds. */
export const SEARCH_KINDS = ['task', 'agent', 'request', 'message', 'stage', 'step'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]
