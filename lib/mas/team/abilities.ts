/** What people and agents may do: access to the console, skills. */

/** Who may use the console, and for what. */
export const ACCESS_LEVELS = ['participant', 'operator', 'developer'] as const
export type Access = (typeof ACCESS_LEVELS)[number] | 'none'

export const SKILLS = [
  'planning',
  'reflection',
  'summary',
  'instruction_generation',
  'think',
  'quick_think',
  'send_message',
  'process_message',
  'task_manager',
  'agent_manager',
  'ask_info',
  'tool_decision',
  'decision',
] as const
export type SkillName = (typeof SKILLS)[number]

/** Skills without which no part of a stage ends, and without which nobody judges. */
export const PART_ENDING_SKILLS: readonly SkillName[] = ['reflection', 'summary']
export const JUDGING_SKILLS: readonly SkillName[] = ['task_manager']

export const isSkill = (name: string): name is SkillName => (SKILLS as readonly string[]).includes(name)
