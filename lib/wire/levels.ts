/** A member's rules about what may ring. */
import { type Loudness, RINGS } from '../mas/asks/rings'

/** Which messages of a task or sender alert a member: all; mentions: by their type; urgent: Urgent only. */
export const LEVELS = ['all', 'mentions', 'urgent'] as const
export type RingLevel = (typeof LEVELS)[number]

/** As the member's settings hold them. levels: by task id; senders: by the id of who asks */
export type RingRules = {
  levels?: Readonly<Record<string, RingLevel>>
  senders?: Readonly<Record<string, RingLevel>>
}

const UNDER: Record<RingLevel, Record<Loudness, Loudness>> = {
  all: { urgent: 'urgent', call: 'call', quiet: 'call' },
  mentions: { urgent: 'urgent', call: 'call', quiet: 'quiet' },
  urgent: { urgent: 'urgent', call: 'quiet', quiet: 'quiet' },
}

/** The level of a task by itself. */
export const levelOf = (levels: RingRules['levels'], task: string): RingLevel => levels?.[task] ?? 'mentions'

/** How loudly it rings for the member with these rules. The rule about who asks counts before that of the task. */
export const loudnessFor = (
  { levels, senders }: RingRules,
  { type, task, sender }: { type: keyof typeof RINGS; task: string; sender: string },
): Loudness => UNDER[senders?.[sender] ?? levelOf(levels, task)][RINGS[type]]
