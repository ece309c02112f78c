/** What models are asked for instead of tags: schemas that fit what the parser takes, of the kind that servers hold answers to. */
import Ajv from 'ajv'
import { describe, expect, it } from 'vitest'
import { fieldsIn } from '@/lib/json'
import { type Json, SKILLS } from '@/lib/mas/records'
import { TAG_SAMPLES } from '@/test/formatSamples'
import { heldTo } from '@/test/objectForm'
import { scriptedModel } from '@/test/scriptedModel'
import { makeStep, testRun, testWorld } from '@/test/skillWorld'
import { objectAnswer } from './answerObject'
import { SKILL_REGISTRY } from './registry'

const ajv = new Ajv({ strict: true, allowUnionTypes: true })
const answerOf = (name: (typeof SKILLS)[number], mayLook = false) =>
  objectAnswer(SKILL_REGISTRY[name], testRun(testWorld, makeStep(1, { executor: name }), scriptedModel([])), mayLook)

type Node = { [key: string]: unknown }
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Every schema in a schema. */
const nodesOf = (value: unknown): Node[] =>
  Array.isArray(value)
    ? value.flatMap(nodesOf)
    : isNode(value)
      ? [...('type' in value || 'anyOf' in value ? [value] : []), ...Object.values(value).flatMap(nodesOf)]
      : []

describe.each(SKILLS)('the object that %s answers with', (name) => {
  const { schema, isStrict } = answerOf(name)

  it('has each of its tags as a key that takes what the tag takes', () => {
    const keys = Object.keys(schema.properties ?? {})
    const { asks } = SKILL_REGISTRY[name]
    const [first] = keys
    expect(first).toBe('notes')
    for (const tag of [...asks.oneOf, ...asks.also])
      if (tag !== 'think' && tag !== 'get_more_info') expect(keys).toContain(tag)
    const isTaken = ajv.compile(schema)
    const held = asks.oneOf.find((tag) => keys.includes(tag))
    const nothing = { ...Object.fromEntries(keys.map((key) => [key, null])), notes: '' }
    const sample = held && heldTo(TAG_SAMPLES[held] as Json, fieldsIn(schema.properties)[held])
    expect(isTaken({ ...nothing, [held ?? '']: sample }), JSON.stringify(isTaken.errors)).toBe(true)
    expect(isTaken({ ...nothing, [held ?? '']: 7 })).toBe(false)
    expect(isTaken({ ...nothing, other: 1 })).toBe(false)
  })

  it('leaves no key out of those that must be there, and none free where it is strict', () => {
    for (const node of nodesOf(schema)) {
      if (!isNode(node.properties)) continue
      expect(node.required).toEqual(Object.keys(node.properties))
      expect(node.additionalProperties).toBe(false)
    }
    expect(isStrict).toBe(!['instruction_generation', 'tool_decision'].includes(name))
  })
})

it('may hold nothing in its one tag only where the step can be left out or the history can be looked at', () => {
  const mayBeNull = (name: (typeof SKILLS)[number], tag: string, mayLook = false) => {
    const { schema } = answerOf(name, mayLook)
    const keys = Object.keys(schema.properties ?? {})
    return ajv.compile({ ...schema, required: [] })({ [keys.includes(tag) ? tag : 'missing']: null })
  }
  expect([mayBeNull('summary', 'summary'), mayBeNull('summary', 'summary', true)]).toEqual([false, true])
  expect([mayBeNull('think', 'result'), mayBeNull('reflection', 'summary')]).toEqual([true, true])
  expect(mayBeNull('summary', 'persistent_memory')).toBe(true)
})

it('says of what kind the items of a list are', () => {
  const plan = ajv.compile(answerOf('planning').schema)
  const keys = Object.keys(answerOf('planning').schema.properties ?? {})
  const nothing = { ...Object.fromEntries(keys.map((key) => [key, null])), notes: '' }
  expect(plan({ ...nothing, planned_step: [7] })).toBe(false)
  expect(plan({ ...nothing, planned_step: [{}] })).toBe(false)
})

it('offers to leave the step out, or to see more of the history, only where that may be', () => {
  const keys = (mayLook: boolean, name: (typeof SKILLS)[number]) =>
    Object.keys(answerOf(name, mayLook).schema.properties ?? {})
  expect(keys(false, 'think')).toEqual(['notes', 'result', 'skip', 'persistent_memory'])
  expect(keys(true, 'think')).toEqual(['notes', 'result', 'skip', 'more_history', 'persistent_memory'])
  expect(keys(false, 'summary')).toEqual(['notes', 'summary', 'persistent_memory'])
})
