/** Contents are escaped by the caller where they are foreign text. */

export const SECTION_NAMES = [
  'system_prompt',
  'current_task',
  'available_skills_and_tools',
  'mcp_base_prompt',
  'skill_rules',
  'agent_role',
  'stages',
  'messages',
  'current_part',
  'history_step',
  'attachments',
  'steps_to_come',
  'persistent_memory',
  'tool_step',
  'tool_history',
  'current_step',
] as const

export type SectionName = (typeof SECTION_NAMES)[number]

export const openSection = (name: SectionName): string => `<section name="${name}">`
export const CLOSE_SECTION = '</section>'

export const section = (name: SectionName, content: string): string =>
  `${openSection(name)}\n${content}\n${CLOSE_SECTION}`

/** A field of several lines: all but the first are indented, so that none can be read as a field. */
export const indented = (text: string): string => text.trim().replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ')

export const tag = (name: string, content: string): string => `<${name}>${content}</${name}>`
