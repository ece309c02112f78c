/** Which messages of a task or sender alert a member: all; mentions: as the escalation says; urgent: Urgent only. */
export const LEVELS = ['all', 'mentions', 'urgent'] as const
export type RingLevel = (typeof LEVELS)[number]

/** As the member's settings hold them. levels: by task id; senders: by the id of who asks */
export type RingRules = {
  levels?: Readonly<Record<string, RingLevel>>
  senders?: Readonly<Record<string, RingLevel>>
}

/** The level of a task by itself. */
export const levelOf = (levels: RingRules['levels'], task: string): RingLevel => levels?.[task] ?? 'mentions'

/** The rule about who asks counts before that of the task. */
export const ringLevel = ({ levels, senders }: RingRules, task: string, sender: string): RingLevel =>
  senders?.[sender] ?? levelOf(levels, task)
