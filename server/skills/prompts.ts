/** The texts of prompts: one YAML per skill and language, and shared ones. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { isJsonObject, issuesInWords } from '@/lib/json'
import type { Language, SkillName } from '@/lib/mas/records'
import { SKILLS } from '@/lib/mas/records'
import { errorMessage } from '@/server/shared/errors'

export type PromptLibrary = Record<Language, LanguagePrompts>

const text = z.string().trim().min(1, 'must not be empty')
const UsePrompt = z
  .strictObject({ skill_prompt: text, return_format: text })
  .transform(({ skill_prompt, return_format }) => ({ rules: skill_prompt, format: return_format }))
const SkillFile = z
  .strictObject({
    use_guide: z.strictObject({ description: text }),
    use_prompt: UsePrompt,
    in_base_task: z.optional(UsePrompt),
  })
  .transform(({ use_guide, use_prompt, in_base_task }) => ({
    /** One line about its purpose, for agents with this skill. */
    guide: use_guide.description.replace(/\s+/g, ' '),
    ...use_prompt,
    /** Additional rules of the skill in the base task. */
    inBase: in_base_task ?? null,
  }))
export type SkillPrompt = z.infer<typeof SkillFile>
const SystemFile = z
  .strictObject({
    system_prompt: text,
    tags_prompt: text,
    functions_prompt: text,
    planning_prompt: text,
    repair_prompt: text.refine((prompt) => prompt.includes('{reason}'), 'must hold {reason}'),
    more_history_prompt: text,
  })
  .transform(
    ({ system_prompt, tags_prompt, functions_prompt, planning_prompt, repair_prompt, more_history_prompt }) => ({
      system: system_prompt,
      /** How answers are given, for models that answer in tags. */
      inTags: tags_prompt,
      /** The same for models that call functions. */
      byFunctions: functions_prompt,
      /** How to plan steps, for skills that plan. */
      planning: planning_prompt,
      /** Shown with the reason when an answer is rejected; `{reason}` is replaced. */
      repair: repair_prompt,
      /** Shown below a shortened history. */
      more: more_history_prompt,
    }),
  )
const McpFile = z.strictObject({ mcp_base_prompt: text })
const MemoryFile = z.strictObject({ persistent_memory_prompt: text })

/** The purpose of each skill, by name. */
export const guidesOf = ({ skills }: LanguagePrompts): Record<SkillName, string> =>
  Object.fromEntries(SKILLS.map((name) => [name, skills[name].guide])) as Record<SkillName, string>

/** An invalid prompt file: which one, where, why. */
export class PromptFileError extends Error {}

/**
 * in      the folder with en/ and zh/; optionally a folder of the same structure whose files replace single keys
 * out     all texts of both languages
 * faults  PromptFileError with the file and the key: missing, unreadable, unknown or empty
 */
export function loadPrompts(folder: string, overrideFolder?: string): PromptLibrary {
  return { en: loadLanguage('en', folder, overrideFolder), zh: loadLanguage('zh', folder, overrideFolder) }
}

function loadLanguage(language: Language, folder: string, overrideFolder: string | undefined) {
  const base = path.join(folder, language)
  const override = overrideFolder === undefined ? null : path.join(overrideFolder, language)
  if (override !== null) refuseUnknownFiles(override)
  const read = <Shape>(name: string, shape: z.ZodType<Shape>): Shape => readPromptFile(base, override, name, shape)
  const skills = Object.fromEntries(SKILLS.map((name) => [name, read(name, SkillFile)]))
  return {
    skills: skills as Record<SkillName, SkillPrompt>,
    ...read('system', SystemFile),
    mcp: read('mcp', McpFile).mcp_base_prompt,
    memory: read('memory', MemoryFile).persistent_memory_prompt,
  }
}

export type LanguagePrompts = ReturnType<typeof loadLanguage>

function readPromptFile<Shape>(base: string, override: string | null, name: string, shape: z.ZodType<Shape>): Shape {
  const file = path.join(base, `${name}.yaml`)
  const changed = override === null ? null : path.join(override, `${name}.yaml`)
  const own = readYaml(file)
  const isChanged = changed !== null && existsSync(changed)
  const merged = isChanged ? merge(own, readYaml(changed)) : own
  const read = shape.safeParse(merged)
  if (read.success) return read.data
  const why = issuesInWords(read.error.issues, 'the file', Number.POSITIVE_INFINITY)
  throw new PromptFileError(`${isChanged ? `${changed} (over ${file})` : file}: ${why}`)
}

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new PromptFileError(`${file}: ${errorMessage(error)}`)
  }
}

function merge(base: unknown, over: unknown): unknown {
  if (!isJsonObject(base) || !isJsonObject(over)) return over
  const keys = new Set([...Object.keys(base), ...Object.keys(over)])
  return Object.fromEntries([...keys].map((key) => [key, key in over ? merge(base[key], over[key]) : base[key]]))
}

/** A misspelt file name would have no effect. */
function refuseUnknownFiles(folder: string): void {
  if (!existsSync(folder)) return
  const known = new Set([...SKILLS, 'system', 'mcp', 'memory'].map((name) => `${name}.yaml`))
  const unknown = readdirSync(folder).filter((name) => name.endsWith('.yaml') && !known.has(name))
  if (unknown.length > 0) {
    throw new PromptFileError(
      `${path.join(folder, unknown[0] ?? '')}: no prompt has this name; known are ${[...known].join(', ')}`,
    )
  }
}
