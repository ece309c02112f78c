/** The form of the file of a team. */
export const PACKAGE_FORMAT = 'convene-team'
export const PACKAGE_VERSION = 1
/** Characters of the file. */
export const PACKAGE_CHARACTERS = 1024 * 1024
/** A tool that is always allowed is a decision about that tool as it is here: it is in no file. */
export const PACKAGE_RULES = ['ask', 'urgent', 'off'] as const
