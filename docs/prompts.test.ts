import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ANSWER_TAGS, LAYOUT_TAGS, parseAnswer } from '@/lib/mas/formats'
import { SKILLS } from '@/lib/mas/records'
import { SECTION_NAMES } from '@/server/skills/prompt/section'

const page = readFileSync('docs/prompts.md', 'utf8')

describe('docs/prompts.md', () => {
  it('shows a sample of every tag of an answer, each of which can be taken', () => {
    const samples = [...page.matchAll(/`<([a-z_]+)>[^`]*<\/\1>`/g)].filter(([, name]) =>
      ANSWER_TAGS.some((tag) => tag === name),
    )
    expect(new Set(samples.map(([, name]) => name))).toEqual(new Set(ANSWER_TAGS))
    for (const [sample, name] of samples) {
      const tag = ANSWER_TAGS.find((one) => one === name)
      expect(tag && parseAnswer(sample.slice(1, -1), { oneOf: [tag], also: [] }), sample).toMatchObject({ ok: true })
    }
  })

  it('names every section, every skill and the tags of the layout that the runtime writes', () => {
    for (const name of [...SECTION_NAMES, ...SKILLS]) expect(page).toContain(name)
    // Blocks that agents hand to each other are no part of the layout.
    const written = LAYOUT_TAGS.filter((tag) => !['job', 'job_result', 'executor', 'note'].includes(tag))
    for (const tag of written) expect(page, tag).toContain(`<${tag}`)
  })
})
