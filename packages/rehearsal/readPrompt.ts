/** Parses a prompt by its fixed sections. Foreign text keeps its escaping. */
import type { Turn } from '@/server/models/model'
import { kindOfCall, readAbilities } from './abilities'
import { lastJob } from './job'
import { readConversation, saidByItem } from './readConversation'
import {
  elements,
  guides,
  inner,
  need,
  type PlacedItem,
  promptFields,
  promptSections,
  readAskedStep,
  type ShownStep,
} from './readParts'

/** A parsed prompt. Kind `outside`: an agent of another system. */
export type RehearsalPrompt = ReturnType<typeof parsePrompt>
/** The message of a step: the one that it answers or takes in. */
export type ShownMessage = NonNullable<RehearsalPrompt['step']['message']>

/** Required sections of some skills, beside those of all prompts. */
const ALSO: Record<string, string[]> = {
  instruction_generation: ['tool_step', 'mcp_base_prompt'],
  tool_decision: ['history_step', 'tool_history', 'mcp_base_prompt'],
  planning: ['available_skills_and_tools'],
  decision: ['available_skills_and_tools'],
  reflection: ['available_skills_and_tools'],
}

/** Parses a conversation up to its last step; turns after that are ignored. Throws ModelError MODEL_PROMPT. */
export function parsePrompt(turns: readonly Turn[]) {
  const system = promptSections(turns.find((turn) => turn.role === 'system')?.content ?? '')
  const { sections, asked, items, said, coming, textOf } = readConversation(turns)
  const section = (name: string): string => sections.get(name) ?? ''
  const step = asked ?? readAskedStep(sections)
  for (const name of ALSO[step.skill] ?? []) need(sections, name, 'section ')
  const role = readRole(need(sections, 'agent_role', 'section '), section('available_skills_and_tools'))
  const isManager = step.members.some(({ id, manager }) => manager && id === role.id)
  const isHere = ({ stage }: PlacedItem): boolean => isManager || stage === step.stageId
  const own = items.filter(isHere)
  return {
    systemText: need(system, 'system_prompt', 'section '),
    role,
    step,
    /** Results of the stages. */
    stages: section('stages'),
    messages: [
      ...said,
      ...items.filter((item) => !isHere(item)).flatMap((item) => saidByItem(item, step.members, role.name)),
    ],
    toolStep: sections.has('tool_step')
      ? {
          executor: inner(section('tool_step'), 'executor') ?? '',
          text: textOf({
            text: inner(section('tool_step'), 'step_text') ?? '',
            intention: inner(section('tool_step'), 'step_intention') ?? '',
          }),
        }
      : null,
    abilities: readAbilities(section('mcp_base_prompt')),
    abilitiesOf: (server: string) => readAbilities(section('mcp_base_prompt'), server),
    history: [
      ...readBefore(
        items.filter((item) => !isHere(item)),
        step.yourGoal,
      ),
      ...own,
      ...coming.filter(isHere),
    ],
    /** Items of the history that are calls of the current tool run; null: the section is missing. */
    toolHistory: sections.has('tool_history') ? callsOfRun(section('tool_history'), own) : null,
    memory: elements(section('persistent_memory'), 'note').map(({ body }) => body.trim()),
  }
}

/** What earlier parts of the agent read, unless a person has added a file since. */
const readBefore = (earlier: readonly ShownStep[], goal: string): ShownStep[] =>
  lastJob(goal)?.constraints.some(({ kind }) => kind === 'file_added')
    ? []
    : earlier.filter(
        ({ state, call }) => state === 'finished' && call !== null && READS.includes(kindOfCall(call.name)),
      )

const READS: readonly (string | null)[] = ['list', 'read', 'search']

function readRole(text: string, available: string) {
  const fields = promptFields(text)
  const skills = promptFields(available).get('skills') ?? ''
  return {
    name: need(fields, 'name', 'field '),
    id: need(fields, 'id', 'field '),
    manages: need(fields, 'manages', 'field ') === 'yes',
    /** Names alone, or one line with its guide for each. */
    skills: skills.startsWith('- ') ? guides(skills).map((guide) => guide.name) : skills.split(', ').filter(Boolean),
    tools: guides(fields.get('tools') ?? ''),
  }
}

function callsOfRun(text: string, items: ShownStep[]): ShownStep[] {
  const numbers = new Set([...(promptFields(text).get('calls') ?? '').matchAll(/\d+/g)].map(([n]) => Number(n)))
  return items.filter(({ n }) => numbers.has(n))
}

/** Steps that took in a message of one of these agents or persons. */
export const tookIn = (items: readonly ShownStep[], ...names: string[]): ShownStep[] =>
  items.filter(
    ({ executor, state, intention }) =>
      executor === 'process_message' && state === 'finished' && names.some((name) => intention.includes(name)),
  )
