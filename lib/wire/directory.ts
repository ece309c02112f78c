/** The lists of the directory of other systems: GET /api/directory/<list>. */
export const DIRECTORY_LISTS = ['peers', 'conversations', 'registry', 'checkpoints', 'exchange'] as const
export type DirectoryList = (typeof DIRECTORY_LISTS)[number]
