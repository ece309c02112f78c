/** Operators maintain templates of requests; everyone can fill in their forms. */

import { Fault } from '@/lib/faults'
import { isSameValue } from '@/lib/json'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { mustFit, singleLine } from '../../commands/texts'
import { templateFieldsOf } from '../../formats/templateText'
import type { AgentId, TemplateId } from '../../ids'
import type { Json, TemplateField, TemplateRecord } from '../../records'

export const TEMPLATES_MOST = 100
export const TEMPLATE_NAME_CHARACTERS = 100
export const TEMPLATE_TEXT_CHARACTERS = 20_000
export const TEMPLATE_FIELDS_MOST = 20
const FIELD_CHOICES_MOST = 50
const CHOICE_CHARACTERS = 200

/** A new template, or another version of one. Throws NOT_FOUND, BAD_INPUT, TOO_LARGE, ALREADY_SO. */
export function saveTemplate(context: DecisionContext, person: AgentId, input: CommandOf<'saveTemplate'>): Json {
  const old = input.template === null ? null : templateOf(context, input.template)
  const name = singleLine(context, input.name, TEMPLATE_NAME_CHARACTERS)
  const text = input.text.trim()
  if (text === '') throw new Fault('EMPTY_TEXT')
  mustFit('The template', text.length, TEMPLATE_TEXT_CHARACTERS)
  const fields = checkedFields(context, text, input.fields)
  const others = Object.values<TemplateRecord>(context.world.templates).filter(
    ({ id, removed }) => id !== old?.id && !removed,
  )
  if (others.some((one) => one.name === name)) {
    throw new Fault('BAD_INPUT', { why: context.say('templateNamed', { name }) })
  }
  if (others.length >= TEMPLATES_MOST)
    throw new Fault('BAD_INPUT', { why: context.say('tooMany', { n: TEMPLATES_MOST }) })
  const isSame =
    old !== null &&
    !old.removed &&
    old.name === name &&
    old.text === text &&
    isSameValue(old.fields, fields) &&
    (old.reviewPlans === true) === (input.reviewPlans === true)
  if (isSame) throw new Fault('ALREADY_SO', { what: `the template ${name} is the same` })
  const template = old?.id ?? context.id<TemplateId>()
  context.emit('template.saved', {
    ...{ template, agent: person, name, text, fields },
    ...(input.reviewPlans ? { reviewPlans: true as const } : {}),
  })
  context.emit('operator.acted', { task: null, agent: person, act: 'saveTemplate', on: template, reason: '' })
  return { template, name }
}

/** Its history stays; saved again it is back. Throws NOT_FOUND, ALREADY_SO. */
export function removeTemplate(context: DecisionContext, person: AgentId, input: CommandOf<'removeTemplate'>): Json {
  const { id, name, removed } = templateOf(context, input.template)
  if (removed) throw new Fault('ALREADY_SO', { what: `the template ${name} is removed` })
  context.emit('template.removed', { template: id })
  context.emit('operator.acted', { task: null, agent: person, act: 'removeTemplate', on: id, reason: '' })
  return { template: id }
}

/** Also a removed one. Throws NOT_FOUND. */
export function templateOf(context: DecisionContext, id: TemplateId): TemplateRecord {
  const found = Object.hasOwn(context.world.templates, id) ? context.world.templates[id] : undefined
  if (!found) throw new Fault('NOT_FOUND', { what: 'template', id })
  return found
}

/** One field for each blank of the text; what is said of other names is dropped. */
function checkedFields(context: DecisionContext, text: string, given: readonly TemplateField[]): TemplateField[] {
  const fields = templateFieldsOf(text, given).map(({ name, kind, choices, required }) => ({
    name,
    kind,
    choices: kind === 'choice' ? [...new Set(choices.map((one) => one.trim()))].filter((one) => one !== '') : [],
    required,
  }))
  if (fields.length > TEMPLATE_FIELDS_MOST) {
    throw new Fault('BAD_INPUT', { why: context.say('tooMany', { n: TEMPLATE_FIELDS_MOST }) })
  }
  for (const { name, kind, choices } of fields) {
    if (kind === 'choice' && choices.length === 0) {
      throw new Fault('BAD_INPUT', { why: context.say('choicesNeeded', { name }) })
    }
    if (choices.length > FIELD_CHOICES_MOST) {
      throw new Fault('BAD_INPUT', { why: context.say('tooMany', { n: FIELD_CHOICES_MOST }) })
    }
    for (const one of choices) mustFit('A choice', one.length, CHOICE_CHARACTERS)
  }
  return fields
}
