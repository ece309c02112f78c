import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import { ANSWER_TAGS, LAYOUT_TAGS, parseAnswer } from '@/lib/mas/formats'
import type { Language, StepRecord, World } from '@/lib/mas/records'
import { SKILLS } from '@/lib/mas/records'
import { sayInLanguage } from '@/lib/mas/words'
import { buildPrompt } from '@/server/skills/prompt'
import { SECTION_NAMES } from '@/server/skills/prompt/section'
import { loadPrompts } from '@/server/skills/prompts'
import { SKILL_REGISTRY } from '@/server/skills/registry'
import { scriptedModel } from '@/test/scriptedModel'
import {
  ANA,
  BASE,
  MANAGER,
  makeMessage,
  makeStep,
  READER,
  STAGE,
  stepId,
  TASK,
  testRun,
  testWorld,
  withMessage,
  withSteps,
} from '@/test/skillWorld'

const page = readFileSync('docs/prompts.md', 'utf8')
const prompts = loadPrompts('prompts')

/** The cells of the table that begins with this heading. */
function rowsOf(heading: string): string[][] {
  const lines = page.split('\n')
  const below = lines.slice(lines.findIndex((line) => line.startsWith(heading)) + 2)
  const end = below.findIndex((line) => !line.startsWith('|'))
  return below.slice(0, end).map((row) =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  )
}

const samplesIn = (text: string): [sample: string, name: string][] =>
  [...text.matchAll(/`<([a-z_]+)>[^`]*<\/\1>`/g)].flatMap(([sample, name = '']) =>
    ANSWER_TAGS.some((tag) => tag === name) ? [[sample.slice(1, -1), name] as [string, string]] : [],
  )

/** Every skill's prompt in a world that has something for each section: of the agent of a part and of the manager. */
async function promptsOf(language: Language): Promise<string[]> {
  const message = makeMessage('m1', { stage: null, text: 'hello' })
  const judge = makeMessage('m2', { sender: 'system:task', instruction: { type: 'judge_stage', stage: STAGE } })
  const bound = makeStep(70, { type: 'tool', executor: 'files', state: 'pending' })
  const call = { sha: '', bytes: 16, mime: 'application/json', preview: '{"path":"a.csv"}' }
  const read: Partial<StepRecord> = { type: 'tool', executor: 'files', state: 'finished', stage: null }
  const over = [
    makeStep(2, { ...read, instruction: { kind: 'call', target: 'tool', name: 'read_text_file', arguments: call } }),
    makeStep(3, { executor: 'think', state: 'finished' }),
    makeStep(4, { type: 'tool', executor: 'files', state: 'failed' }),
  ]
  const memory: World['memory'] = { [MANAGER]: [{ key: '20261121T102109', text: 'a note', task: null, at: 0, seq: 0 }] }
  const stage = testWorld.stages[TASK]?.[STAGE]
  if (stage === undefined) throw new Error('no stage')
  const parts = { [READER]: 'finished', [ANA]: 'failed' } as const
  const stages = { [TASK]: { [STAGE]: { ...stage, parts, partReasons: { [ANA]: 'no time' } } } }
  const world = withMessage(
    withMessage({ ...testWorld, stages, team: { ...testWorld.team, language }, memory }, message),
    judge,
  )
  const built: string[] = []
  for (const skill of SKILLS) {
    const own: Partial<StepRecord> = { executor: skill, state: 'running', boundTo: bound.id }
    const manages: Partial<StepRecord> = { ...own, agent: MANAGER, cause: { message: judge.id, step: null } }
    for (const more of [own, ...(skill === 'instruction_generation' ? [] : [manages, { ...manages, task: BASE }])]) {
      const step = makeStep(90, more)
      const run = testRun(withSteps(world, [...over, bound, makeStep(71), step]), step, scriptedModel([]))
      const { turns } = await buildPrompt(run, skill, prompts[language])
      built.push(turns.map(({ content }) => content).join('\n'))
    }
  }
  return built
}

const sectionsOf = (prompt: string): [name: string, content: string][] =>
  [...prompt.matchAll(/^<section name="([a-z_]+)">\n([\s\S]*?)\n<\/section>$/gm)].map(([, name = '', text = '']) => [
    name,
    text,
  ])

/** Sections of lines `key: value`. */
const KEYED: readonly string[] = ['agent_role', 'current_task', 'current_part', 'current_step']

describe('docs/prompts.md', () => {
  it('shows a sample of every tag of an answer, each of which can be taken', () => {
    const samples = samplesIn(page)
    expect(new Set(samples.map(([, name]) => name))).toEqual(new Set(ANSWER_TAGS))
    for (const [sample, name] of samples) {
      const tag = ANSWER_TAGS.find((one) => one === name)
      // A reference becomes the text of a step before the answer is parsed.
      const text = sample.replaceAll(/\{"from_step": "#\d+"\}/g, '"a text"')
      expect(tag && parseAnswer(text, { oneOf: [tag], also: [] }), sample).toMatchObject({ ok: true })
    }
  })

  it('shows for each skill all the tags that it takes, and no other', () => {
    const shown = new Map<string, Set<string>>(SKILLS.map((skill) => [skill, new Set()]))
    let named: string[] = []
    for (const [skills = '', cell = ''] of rowsOf('| skill | tag, with a sample |')) {
      if (skills !== '') named = skills.split(', ')
      for (const [, tag] of samplesIn(cell)) for (const skill of named) shown.get(skill)?.add(tag)
    }
    for (const skill of SKILLS) {
      const { oneOf, also } = SKILL_REGISTRY[skill].asks
      expect([skill, shown.get(skill)]).toEqual([skill, new Set([...oneOf, ...also])])
    }
  })

  it('lists the sections in the order in which they are written, and no other', () => {
    const rows = rowsOf('| turn | section |').map((cells) => cells[1]?.replaceAll('`', ''))
    expect(rows).toEqual([...SECTION_NAMES])
  })

  it.each(LANGUAGES)('names each section, key and tag that a prompt in %s really has', async (language) => {
    const own = new RegExp(`</?(?:${[...LAYOUT_TAGS, ...ANSWER_TAGS].join('|')})\\b`, 'g')
    const seen = new Set<string>()
    for (const prompt of await promptsOf(language)) {
      const sections = sectionsOf(prompt)
      const names = sections.map(([name]) => name)
      for (const name of names) seen.add(name)
      expect(names).toEqual(SECTION_NAMES.filter((name) => names.includes(name)))
      for (const [name, text] of sections) {
        if (!KEYED.includes(name)) continue
        const head = text.replaceAll(/<([a-z_]+)\b[^>]*>[\s\S]*?<\/\1>/g, '')
        for (const [, key = ''] of head.matchAll(/^([a-z_]+):/gm))
          expect(page, `${name} ${key}`).toContain(`\`${key}\``)
      }
      for (const [, notice = ''] of prompt.matchAll(/<message [^>]*kind="system"[^>]*>([\s\S]*?)<\/message>/g))
        for (const [, key = ''] of notice.matchAll(/^([a-z_]+): /gm)) expect(page, key).toContain(`\`${key}\``)
      for (const [tag] of prompt.matchAll(own)) expect(page).toContain(tag.replace('</', '<'))
    }
    expect(seen).toEqual(new Set(SECTION_NAMES.filter((name) => name !== 'attachments')))
  })

  it('shows lines of steps to come as they are written', async () => {
    const asked = makeMessage('m1', { text: 'Which one holds?' })
    const answers = { message: asked.id, to: ANA, waiting: null, stage: null }
    const brought = { message: asked.id, step: null }
    const coming = [
      makeStep(12, { type: 'tool', executor: 'files', intention: 'read the lists' }),
      makeStep(11, { executor: 'instruction_generation', boundTo: stepId(12) }),
      makeStep(13, { intention: 'compare' }),
      makeStep(14, { executor: 'send_message', intention: 'answer\nAna', answers }),
      makeStep(15, { executor: 'decision', intention: 'judge stage 1', text: 'All parts are over.', cause: brought }),
    ]
    const step = makeStep(90, { state: 'running' })
    const run = testRun(withSteps(withMessage(testWorld, asked), [...coming, step]), step, scriptedModel([]))
    const { turns } = await buildPrompt(run, 'think', prompts.en)
    const written = new Map(turns.flatMap(({ content }) => sectionsOf(content))).get('steps_to_come') ?? ''
    expect(page).toContain(`\n\`\`\`\n${written}\n\`\`\`\n`)
    expect(written.split('\n')).toEqual([
      '- #12 tool files: read the lists',
      '- #13 think: compare',
      '- #14 send_message (a reply): answer Ana',
      '- #15 decision: judge stage 1',
      '  All parts are over.',
    ])
  })

  it('names every skill and the tags of the layout that the runtime writes', () => {
    for (const skill of SKILLS) expect(page).toContain(skill)
    // Blocks that agents hand to each other are no part of the layout.
    const written = LAYOUT_TAGS.filter((tag) => !['job', 'job_result'].includes(tag))
    for (const tag of written) expect(page, tag).toContain(`<${tag}`)
  })

  it('quotes what the runtime says where nobody was asked', () => {
    expect(page).toContain(`"${sayInLanguage('en', 'writtenBefore')}"`)
    expect(page).toContain(`"${sayInLanguage('en', 'toolEnded')}"`)
    expect(page).toContain(`"${sayInLanguage('en', 'notNeeded', { why: '…' })}"`)
  })
})
