/**
 * Which messages of a task alert a member. all: every one to them; mentions: as the escalation says; urgent: an Urgent
 * only.
 */
export const LEVELS = ['all', 'mentions', 'urgent'] as const
export type TaskLevel = (typeof LEVELS)[number]

/** in: levels by task id, as the member's settings hold them */
export const levelOf = (levels: Readonly<Record<string, TaskLevel>> | undefined, task: string): TaskLevel =>
  levels?.[task] ?? 'mentions'
