/** What was normalised in an answer before it could be read: one word per kind. */

const FIXUPS = [
  // about tags
  'tag_spelling',
  'tag_brackets',
  'tag_escaped',
  'tag_decorated',
  'tag_missing',
  'tag_unclosed',
  'tag_doubled',
  'tags_joined',
  'last_of_several',
  'prose_inside',
  'cdata',
  // about JSON
  'json_comments',
  'json_commas',
  'json_quotes',
  'json_inner_quotes',
  'json_newlines',
  'json_escapes',
  'json_literals',
  'json_keys',
  'json_punctuation',
  // about what it holds
  'list_missing',
  'list_unneeded',
  'wrapper',
  'key_spelling',
  'value_type',
  'value_spelling',
  'note_headings',
] as const

export type Fixup = (typeof FIXUPS)[number]

const PREFIX = 'mended:'

/** A fixup as a line of a step's repairs. */
export const fixupText = (fixup: Fixup): string => `${PREFIX}${fixup}`

/** The fixup of a line of repairs; null for a reason that was returned to the model. */
export function fixupOf(repair: string): Fixup | null {
  if (!repair.startsWith(PREFIX)) return null
  return FIXUPS.find((fixup) => fixup === repair.slice(PREFIX.length)) ?? null
}
