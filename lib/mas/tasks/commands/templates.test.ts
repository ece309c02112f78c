/** Templates of requests: who keeps them, their limits, their history. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, must, READER, storyOf } from '@/test/stories'
import type { Story } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import { type AgentId, asId, type TemplateId } from '../../ids'
import { TEMPLATE_VERSIONS_KEPT } from '../reduceTemplates'
import { TEMPLATE_FIELDS_MOST, TEMPLATE_NAME_CHARACTERS, TEMPLATE_TEXT_CHARACTERS, TEMPLATES_MOST } from './templates'

const saves = (more: Partial<CommandOf<'saveTemplate'>> = {}): CommandOf<'saveTemplate'> => ({
  type: 'saveTemplate',
  template: null,
  name: 'Monthly report',
  text: 'Report for {Month}',
  fields: [{ name: 'Month', kind: 'choice', choices: ['May', ' May ', 'June', ''], required: true }],
  ...more,
})
const refusal = (story: Story, by: AgentId, command: Command): string => {
  const decided = decide(story.world, { id: 'refused', by, command }, story.world.at)
  return decided.ok ? 'done' : decided.fault.code
}
const only = (story: Story) => must(Object.values(story.world.templates)[0], 'template')

describe('[R127] a template', () => {
  it('is saved by an operator, with one field for each blank of its text', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(
      ANA,
      saves({
        text: ' Report for {Month} by {Team} ',
        fields: [...saves().fields, { name: 'Old', kind: 'text', choices: [], required: true }],
      }),
    )
    expect(only(story)).toMatchObject({
      name: 'Monthly report',
      text: 'Report for {Month} by {Team}',
      by: ANA,
      fields: [
        { name: 'Month', kind: 'choice', choices: ['May', 'June'], required: true },
        { name: 'Team', kind: 'text', choices: [], required: true },
      ],
      former: [],
      removed: false,
    })
  })

  it('is changed and removed by nobody else', () => {
    const { story } = storyOf(goals('read', READER))
    expect(refusal(story, BEN, saves())).toBe('NOT_ALLOWED')
    story.put(ANA, saves())
    expect(refusal(story, BEN, { type: 'removeTemplate', template: only(story).id })).toBe('NOT_ALLOWED')
    for (const none of ['none', 'constructor'])
      expect(refusal(story, ANA, { type: 'removeTemplate', template: asId<TemplateId>(none) })).toBe('NOT_FOUND')
  })

  it('keeps its history when it is changed and removed, and comes back when it is saved again', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, saves())
    const { id } = only(story)
    story.put(ANA, saves({ template: id, text: 'Short report for {Month}' }))
    expect(only(story).former).toMatchObject([{ text: 'Report for {Month}', by: ANA }])
    expect(refusal(story, ANA, saves({ template: id, text: 'Short report for {Month}' }))).toBe('ALREADY_SO')
    story.put(ANA, { type: 'removeTemplate', template: id })
    expect(only(story)).toMatchObject({ removed: true })
    expect(refusal(story, ANA, { type: 'removeTemplate', template: id })).toBe('ALREADY_SO')
    story.put(ANA, saves({ template: id, text: 'Report for {Month}' }))
    expect(only(story)).toMatchObject({ removed: false, text: 'Report for {Month}' })
    for (let n = 0; n < TEMPLATE_VERSIONS_KEPT + 2; n++) story.put(ANA, saves({ template: id, text: `v${n}` }))
    expect(only(story).former).toHaveLength(TEMPLATE_VERSIONS_KEPT)
  })

  it('has a name that no other one has; its own, and that of one that was removed, are free', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, saves())
    const { id } = only(story)
    expect(refusal(story, ANA, saves({ text: 'Another text' }))).toBe('BAD_INPUT')
    expect(refusal(story, ANA, saves({ name: 'Weekly report' }))).toBe('done')
    expect(refusal(story, ANA, saves({ template: id, text: 'Another text' }))).toBe('done')
    story.put(ANA, { type: 'removeTemplate', template: id })
    expect(refusal(story, ANA, saves())).toBe('done')
  })

  it('is another version with other fields alone; only a choice has choices', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, saves())
    const { id } = only(story)
    const month = { name: 'Month', kind: 'choice' as const, choices: ['May', 'June'], required: true }
    expect(refusal(story, ANA, saves({ template: id, fields: [month] }))).toBe('ALREADY_SO')
    expect(refusal(story, ANA, saves({ template: id, fields: [{ ...month, required: false }] }))).toBe('done')
    story.put(ANA, saves({ template: id, fields: [{ ...month, kind: 'text' }] }))
    expect(only(story).fields).toEqual([{ ...month, kind: 'text', choices: [] }])
  })

  it('has limits, each reached and passed', () => {
    const { story } = storyOf(goals('read', READER))
    const blanks = (n: number) => Array.from({ length: n }, (_, at) => `{F${at}}`).join(' ')
    const choice = (...choices: string[]) =>
      saves({ fields: [{ name: 'Month', kind: 'choice', choices, required: true }] })
    for (const [fits, passes] of [
      [
        saves({ name: 'x'.repeat(TEMPLATE_NAME_CHARACTERS) }),
        saves({ name: 'x'.repeat(TEMPLATE_NAME_CHARACTERS + 1) }),
      ],
      [
        saves({ text: 'x'.repeat(TEMPLATE_TEXT_CHARACTERS) }),
        saves({ text: 'x'.repeat(TEMPLATE_TEXT_CHARACTERS + 1) }),
      ],
      [saves({ text: blanks(TEMPLATE_FIELDS_MOST) }), saves({ text: blanks(TEMPLATE_FIELDS_MOST + 1) })],
      [choice('x'.repeat(200)), choice('x'.repeat(201))],
      [choice('a'), choice(' ')],
      [
        choice(...Array.from({ length: 50 }, (_, n) => `${n}`)),
        choice(...Array.from({ length: 51 }, (_, n) => `${n}`)),
      ],
      [saves(), saves({ name: ' ' })],
      [saves(), saves({ text: ' ' })],
    ] as const) {
      expect(refusal(story, ANA, fits)).toBe('done')
      expect(['TOO_LARGE', 'BAD_INPUT', 'EMPTY_TEXT']).toContain(refusal(story, ANA, passes))
    }
    for (let n = 0; n < TEMPLATES_MOST; n++) story.put(ANA, saves({ name: `T${n}` }))
    expect(refusal(story, ANA, saves({ name: 'T0' }))).toBe('BAD_INPUT')
    expect(refusal(story, ANA, saves())).toBe('BAD_INPUT')
    story.put(ANA, { type: 'removeTemplate', template: only(story).id })
    expect(refusal(story, ANA, saves())).toBe('done')
  })
})
