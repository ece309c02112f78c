/** What a list of the inbox can be narrowed to; saved views keep it with a name. */

/** question, confirmation, part, decision: requests; urgent, action, message: messages that opened none. */
export const INBOX_KINDS = ['question', 'confirmation', 'part', 'decision', 'urgent', 'action', 'message'] as const
export type InboxKind = (typeof INBOX_KINDS)[number]

/** task, from: ids of the task and of the asker; snoozed: those that wait for their reminder. Absent: all. */
export type InboxFilter = { task?: string; from?: string; kind?: InboxKind; snoozed?: true }

export const VIEW_NAME_LENGTH = 40
export const MOST_VIEWS = 30
