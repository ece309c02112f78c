/** Kinds of what people did, as the audit is filtered by them. */
export const ACT_KINDS = ['messages', 'requests', 'tasks', 'team', 'plans'] as const
export type ActKind = (typeof ACT_KINDS)[number]
