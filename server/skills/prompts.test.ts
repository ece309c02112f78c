import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import { ANSWER_TAGS, type AnswerTag, estimateTokens, LAYOUT_TAGS, parseAnswer } from '@/lib/mas/formats'
import type { TaskId } from '@/lib/mas/ids'
import type { Language, SkillName } from '@/lib/mas/records'
import { SKILLS } from '@/lib/mas/records'
import { scriptedModel } from '@/test/scriptedModel'
import { BASE, MANAGER, makeStep, TASK, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { buildPrompt } from './prompt'
import { SECTION_NAMES } from './prompt/section'
import { guidesOf, loadPrompts, PromptFileError, type SkillPrompt } from './prompts'
import { SKILL_REGISTRY } from './registry'
import { requestReply } from './sendMessage'

const prompts = loadPrompts('prompts')
const CALL = { oneOf: ['tool_instruction'], also: [] } as const
const tagsIn = (text: string): string[] => [...text.matchAll(/<\/?([a-z_]+)>/g)].map((match) => match[1] ?? '').sort()
const keysIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/"([a-z_]+)":/g)].map((match) => match[1] ?? ''))].sort()

/** With what a skill may do in the base task beyond the rest. */
const rulesOf = ({ rules, inBase }: SkillPrompt): string => [rules, inBase?.rules].join('\n')
const formatOf = ({ format, inBase }: SkillPrompt): string => [format, inBase?.format].join('\n')
const HAS_BASE_TEXTS = SKILLS.filter((skill) => prompts.en.skills[skill].inBase !== null)

/** What a step of the manager in this task is told to do, and in which form to answer. */
async function toldIn(task: TaskId, skill: SkillName, language: Language): Promise<{ rules: string; format: string }> {
  const step = makeStep(1, { executor: skill, state: 'running', agent: MANAGER, task, stage: null })
  const run = testRun(withSteps(testWorld, [step]), step, scriptedModel([]))
  const { turns } = await buildPrompt(run, skill, prompts[language])
  const text = turns.map(({ content }) => content).join('\n')
  const inner = (tag: string): string =>
    new RegExp(`skill ${skill}\n[\\s\\S]*?<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(text)?.[1] ?? ''
  return { rules: inner('rules'), format: inner('answer_format') }
}

/** Tags that are accepted and that no prompt asks for. */
const UNASKED: readonly AnswerTag[] = ['get_more_info', 'think']
/** The tags that the prompt of a skill shows. */
const asksOf = (skill: SkillName): AnswerTag[] => {
  const { oneOf, also } = (skill === 'send_message' ? requestReply : SKILL_REGISTRY[skill]).asks
  return [...oneOf, ...also].filter((tag) => !UNASKED.includes(tag))
}

describe.each(LANGUAGES)('the prompts in %s', (language) => {
  it('say how the team works in at most 1,500 tokens', () => {
    expect(estimateTokens(prompts[language].system)).toBeLessThanOrEqual(1_500)
  })

  it('name everything that a message may carry, due times too', () => {
    const { rules, format } = prompts[language].skills.send_message
    for (const key of ['receiver', 'message', 'stage_relative', 'need_reply', 'waiting', 'choices', 'due_minutes'])
      expect(`${rules}${format}`).toContain(key)
  })

  it.each(SKILLS)('show forms of an answer to %s that can be taken as they stand', (skill) => {
    const format = formatOf(prompts[language].skills[skill])
    const tags = [...format.matchAll(/<([a-z_]+)>/g)].map((match) => match[1])
    expect(new Set(tags)).toEqual(new Set(asksOf(skill)))
    for (const [whole, name] of format.matchAll(/<([a-z_]+)>[^\n]*<\/\1>/g)) {
      const tag = asksOf(skill).find((one) => one === name)
      expect(tag).toBeDefined()
      const reading = tag && parseAnswer(whole, { oneOf: [tag], also: [] })
      expect(reading).toMatchObject({ ok: true })
      // The values of a sample may need no type, but none is a form that has to be mended.
      expect(reading?.ok && reading.answer.fixups).toEqual([])
    }
  })

  it.each(SKILLS)('offer %s nothing but its own tags, notes and skipping', (skill) => {
    const own = prompts[language].skills[skill]
    const named = [...`${rulesOf(own)}${formatOf(own)}`.matchAll(/<([a-z_]+)>/g)].map((match) => match[1] ?? '')
    const tags = named.filter((name) => ANSWER_TAGS.some((tag) => tag === name))
    expect(tags.filter((name) => !asksOf(skill).some((tag) => tag === name))).toEqual([])
  })

  it('say how a step that is not needed is left out, in a form that can be taken', () => {
    const example = prompts[language].inTags.match(/<skip>.*<\/skip>/)?.[0] ?? ''
    expect(parseAnswer(example, { oneOf: ['skip'], also: [] })).toMatchObject({ ok: true })
  })

  it('name a planned step by the keys that its schema has', () => {
    expect(keysIn(prompts[language].planning)).toEqual([
      ...['executor', 'from_step', 'last', 'step_intention', 'text_content', 'type'],
    ])
    for (const key of ['"calls"', '"send_message"']) expect(prompts[language].planning).toContain(key)
  })

  it('show the forms of a call, each of which can be taken', () => {
    const lines = prompts[language].mcp.split('\n').filter((line) => line.startsWith('{'))
    const forms = lines.flatMap((line) => line.replaceAll('{...}', '{}').match(/\{(?:[^{}]|\{[^{}]*\})*\}/g) ?? [])
    expect(forms).toHaveLength(4)
    for (const written of forms) {
      const reading = parseAnswer(`<tool_instruction>${written}</tool_instruction>`, CALL)
      expect(reading, written).toMatchObject({ ok: true, answer: { fixups: [] } })
    }
  })

  it('name no section and no tag of a prompt that the runtime does not write', () => {
    const { system, planning, repair, more, mcp, memory, skills } = prompts[language]
    const own = SKILLS.flatMap((skill) => [skills[skill].guide, rulesOf(skills[skill]), formatOf(skills[skill])])
    const text = [system, planning, repair, more, mcp, memory, ...own].join('\n')
    const known: readonly string[] = [...ANSWER_TAGS, ...LAYOUT_TAGS]
    expect(tagsIn(text).filter((name) => !known.includes(name))).toEqual([])
    const spoken = /`([a-z]+_[a-z_]+)`|\bsection ([a-z]+_[a-z_]+)|([a-z]+_[a-z_]+) ?一节/g
    const named = [...text.matchAll(spoken)].map(([, quoted, en, zh]) => quoted ?? en ?? zh ?? '')
    expect(named).toContain('current_step')
    expect(named.filter((name) => ![...SECTION_NAMES, ...known].includes(name))).toEqual([])
  })

  it('have more for some skills in the base task, shown there behind the rest and nowhere else', async () => {
    expect(HAS_BASE_TEXTS).toEqual(['send_message', 'task_manager'])
    for (const skill of SKILLS.filter((name) => name !== 'instruction_generation')) {
      const { rules, format, inBase } = prompts[language].skills[skill]
      expect(await toldIn(TASK, skill, language)).toEqual({ rules, format })
      expect(await toldIn(BASE, skill, language)).toEqual(
        inBase === null
          ? { rules, format }
          : { rules: `${rules}\n${inBase.rules}`, format: `${format}\n${inBase.format}` },
      )
    }
  })

  it.each(SKILLS)('tell owners of %s what it is for, in one line', (skill) => {
    expect(prompts[language].skills[skill].guide).not.toContain('\n')
  })

  it('give the guides that ask_info tells of', () => {
    expect(Object.entries(guidesOf(prompts[language]))).toEqual(
      SKILLS.map((skill) => [skill, prompts[language].skills[skill].guide]),
    )
  })

  it('name every question that ask_info takes', () => {
    const { rules } = prompts[language].skills.ask_info
    const types = [
      'managed_tasks',
      'my_tasks',
      'task',
      'stage',
      'startable_agents',
      'agents_in_mas',
      'agents_in_team',
      'agents_in_task',
      'agents_in_stage',
      'agent_states',
      'skills_and_tools',
      'messages',
      'shared_info',
    ]
    for (const type of types) {
      const written = rules.match(new RegExp(`^- ${type}(?: \\{[^}]*\\})?[:：]`, 'm'))
      expect(written, type).not.toBeNull()
    }
    expect(rules.match(/^- /gm)).toHaveLength(types.length)
  })

  it('show a note that can be taken', () => {
    const example = prompts[language].memory.match(/<persistent_memory>.*<\/persistent_memory>/)?.[0] ?? ''
    expect(parseAnswer(example, { oneOf: ['persistent_memory'], also: [] })).toMatchObject({ ok: true })
  })
})

describe('the two languages', () => {
  it('have the same files', () => {
    expect(readdirSync('prompts/en')).toEqual(readdirSync('prompts/zh'))
  })

  it.each(SKILLS)('ask for the same tags and keys in %s', (skill) => {
    const [en, zh] = [formatOf(prompts.en.skills[skill]), formatOf(prompts.zh.skills[skill])]
    expect(tagsIn(zh)).toEqual(tagsIn(en))
    expect(keysIn(zh)).toEqual(keysIn(en))
  })

  it('have more for the same skills in the base task', () => {
    expect(SKILLS.filter((skill) => prompts.zh.skills[skill].inBase !== null)).toEqual(HAS_BASE_TEXTS)
  })

  it('describe the same calls and planned steps', () => {
    expect(keysIn(prompts.zh.mcp)).toEqual(keysIn(prompts.en.mcp))
    expect(keysIn(prompts.zh.planning)).toEqual(keysIn(prompts.en.planning))
  })

  it('are each in their own language', () => {
    for (const skill of SKILLS) {
      expect(rulesOf(prompts.en.skills[skill])).not.toMatch(/[\u4e00-\u9fff]/)
      expect(prompts.zh.skills[skill].rules).toMatch(/[\u4e00-\u9fff]/)
      expect(prompts.zh.skills[skill].guide).toMatch(/[\u4e00-\u9fff]/)
    }
    for (const skill of HAS_BASE_TEXTS) expect(prompts.zh.skills[skill].inBase?.rules).toMatch(/[\u4e00-\u9fff]/)
  })
})

describe('an override folder', () => {
  const override = (files: Record<string, string>): string => {
    const folder = mkdtempSync(path.join(tmpdir(), 'prompts-'))
    mkdirSync(path.join(folder, 'en'))
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, 'en', name), text)
    return folder
  }

  it('replaces the keys that its files hold, and nothing else', () => {
    const changed = loadPrompts('prompts', override({ 'think.yaml': 'use_prompt: { skill_prompt: Think twice. }' }))
    expect(changed.en.skills.think).toEqual({ ...prompts.en.skills.think, rules: 'Think twice.' })
    expect(changed.en.skills.summary).toEqual(prompts.en.skills.summary)
    expect(changed.zh).toEqual(prompts.zh)
  })

  it('is refused with the file and the key when something is wrong', () => {
    const refusal = (files: Record<string, string>): string => {
      try {
        loadPrompts('prompts', override(files))
        return 'taken'
      } catch (error) {
        return error instanceof PromptFileError ? error.message : 'another error'
      }
    }
    expect(refusal({ 'think.yaml': 'use_promt: {}' })).toMatch(/think\.yaml.*use_promt/)
    expect(refusal({ 'think.yaml': 'use_prompt: { skill_prompt: "" }' })).toMatch(
      /use_prompt\.skill_prompt: must not be empty/,
    )
    expect(refusal({ 'send_message.yaml': 'in_base_task: { skill_prompt: "" }' })).toMatch(
      /in_base_task\.skill_prompt: must not be empty/,
    )
    expect(refusal({ 'thinking.yaml': 'a: b' })).toMatch(/thinking\.yaml: no prompt has this name/)
    expect(refusal({ 'think.yaml': 'a: [' })).toMatch(/think\.yaml/)
    expect(refusal({ 'system.yaml': 'repair_prompt: Again.' })).toContain('must hold {reason}')
  })

  it('is not needed', () => {
    expect(() => loadPrompts('prompts', '/no/such/folder')).not.toThrow()
    expect(() => loadPrompts('/no/such/folder')).toThrow(PromptFileError)
  })
})
