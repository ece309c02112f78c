/** Parses a prompt by its fixed sections. Foreign text keeps its escaping. */
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { unescapeAttribute } from '@/lib/mas/formats/escape'
import { ModelError, type Turn } from '../model'
import { readAbilities } from './abilities'

/** A parsed prompt. Kind `outside`: an agent of another system. */
export type RehearsalPrompt = ReturnType<typeof parsePrompt>
export type TeamMember = ReturnType<typeof readMembers>[number]
/** The message of a step: the one that it answers or takes in. */
export type ShownMessage = NonNullable<RehearsalPrompt['step']['message']>
export type ShownStep = ReturnType<typeof readItems>[number]

/** Required sections of some skills, beside those of all prompts. */
const ALSO: Record<string, string[]> = {
  instruction_generation: ['tool_step', 'mcp_base_prompt', 'history_step'],
  tool_decision: ['history_step', 'tool_history', 'mcp_base_prompt'],
  planning: ['available_skills_and_tools'],
  decision: ['available_skills_and_tools'],
  reflection: ['available_skills_and_tools', 'history_step'],
  summary: ['history_step'],
  think: ['history_step'],
  send_message: ['history_step'],
  task_manager: ['history_step'],
}

/** Parses the first two turns; later ones are ignored. Throws ModelError MODEL_PROMPT. */
export function parsePrompt(turns: readonly Turn[]) {
  const system = sectionsOf(turns.find((turn) => turn.role === 'system')?.content ?? '')
  const user = sectionsOf(turns.find((turn) => turn.role === 'user')?.content ?? '')
  const section = (name: string): string => user.get(name) ?? ''
  const said = elements(section('messages'), 'message').map(({ given, body }) => ({
    n: given.n ?? null,
    from: given.from ?? '',
    text: body,
  }))
  const current = need(user, 'current_step', 'section ')
  const step = readStep([need(user, 'current_task', 'section '), section('current_part'), current].join('\n'))
  for (const name of ALSO[step.skill] ?? []) need(user, name, 'section ')
  // The message of the step may be among the others.
  const above = step.message?.n ?? null
  const own = said.find(({ n }) => above !== null && n === above)
  const items = readItems(section('history_step'))
  return {
    systemText: need(system, 'system_prompt', 'section '),
    role: readRole(need(system, 'agent_role', 'section '), section('available_skills_and_tools')),
    step: { ...step, message: step.message && own ? { ...step.message, text: own.text } : step.message },
    /** Results of the stages; for the task's manager only. */
    stages: section('stages'),
    messages: said.filter((one) => one !== own),
    toolStep: user.has('tool_step')
      ? {
          executor: inner(section('tool_step'), 'executor') ?? '',
          text: inner(section('tool_step'), 'step_text') ?? '',
        }
      : null,
    abilities: readAbilities(section('mcp_base_prompt')),
    abilitiesOf: (server: string) => readAbilities(section('mcp_base_prompt'), server),
    history: [...items, ...readComing(section('steps_to_come'))],
    /** Items of the history that are calls of the current tool run; null: the section is missing. */
    toolHistory: user.has('tool_history') ? callsOfRun(section('tool_history'), items) : null,
    memory: elements(section('persistent_memory'), 'note').map(({ body }) => body.trim()),
  }
}

/** The runtime's elements of that name in order, each with its attributes and content. */
export const elements = (text: string, name: string): { given: Record<string, string | undefined>; body: string }[] =>
  [...text.matchAll(new RegExp(`<${name}( [^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map(([, given = '', body = '']) => ({
    given: Object.fromEntries(
      [...given.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, unescapeAttribute(value)]),
    ),
    body,
  }))

/** The content of the first one; null: there is none. */
export const inner = (text: string, name: string): string | null => elements(text, name)[0]?.body ?? null

const sectionsOf = (content: string): Map<string, string> =>
  new Map(
    elements(content, 'section').map(({ given, body }) => [
      given.name ?? '',
      body.replace(/^\n/, '').replace(/\n$/, ''),
    ]),
  )

function need(values: Map<string, string>, name: string, kind = ''): string {
  const text = values.get(name)
  if (text === undefined) throw new ModelError('MODEL_PROMPT', `the prompt has no ${kind}${name}`, false)
  return text
}

/** The fields at the beginning of lines. A value of several lines continues with indented lines or a list. */
const fieldsOf = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/^([a-z_]+):[ \t]*(.*(?:\n(?![a-z_]+:).*)*)/gm)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  )

/** `- name: guide`, one line for each. */
const guides = (text: string): { name: string; guide: string }[] =>
  [...text.matchAll(/^- ([^:\n]+?)(?::[ \t]*(.*))?$/gm)].map(([, name = '', guide = '']) => ({
    name: name.trim(),
    guide,
  }))

function readRole(text: string, available: string) {
  const fields = fieldsOf(text)
  const skills = fieldsOf(available).get('skills') ?? ''
  return {
    name: need(fields, 'name', 'field '),
    id: need(fields, 'id', 'field '),
    manages: need(fields, 'manages', 'field ') === 'yes',
    /** Names alone, or one line with its guide for each. */
    skills: skills.startsWith('- ') ? guides(skills).map((guide) => guide.name) : skills.split(', ').filter(Boolean),
    tools: guides(fields.get('tools') ?? ''),
  }
}

function readStep(text: string) {
  const firstTag = text.search(/<(task_state|answers_to|message|step_intention)\b/)
  const head = fieldsOf(firstTag < 0 ? text : text.slice(0, firstTag))
  return {
    skill: need(head, 'skill'),
    taskId: need(head, 'task_id'),
    taskGoal: need(head, 'task_goal'),
    baseTask: need(head, 'base_task') === 'yes',
    stageId: need(head, 'stage_id'),
    members: readMembers(need(head, 'members')),
    /** Agents that are not in the task; shown to agents that may begin work. */
    others: readOthers(head.get('others') ?? ''),
    time: need(head, 'time'),
    answersTo: readMessage(text, 'answers_to'),
    message: readMessage(text, 'message'),
    intention: inner(text, 'step_intention') ?? '',
    text: inner(text, 'step_text') ?? '',
    /** The agent's part of the stage; empty outside of one. */
    yourGoal: head.get('your_goal') ?? '',
    taskState: inner(text, 'task_state') ?? '',
  }
}

const lines = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []))
const kindOf = (kind: string): 'person' | 'agent' | 'outside' =>
  kind === 'person' || kind === 'outside' ? kind : 'agent'

/** `- Name | agent | role | id | manager`; `-` in place of `manager` */
function readMembers(text: string) {
  return lines(text).map((line) => {
    const [name = '', kind = '', role = '', id = '', manager = ''] = line.split(' | ')
    return { name, kind: kindOf(kind), role, id, manager: manager.trim() === 'manager' }
  })
}

/** `- Name | agent | role. profile | tools: a, b | id`; `outside` in place of `agent` */
function readOthers(text: string) {
  return lines(text).flatMap((line) => {
    const [name = '', kind = '', about = '', tools = '', id] = line.split(' | ')
    if (id === undefined) return []
    const given = tools.replace(/^tools: /, '').split(', ')
    return [{ name, kind: kindOf(kind), id, about, tools: given.filter((tool) => tool !== 'none') }]
  })
}

function readMessage(text: string, name: 'answers_to' | 'message') {
  const [found] = elements(text, name)
  if (found === undefined) return null
  const { n = null, from = '', kind = '', id = '' } = found.given
  return { n, from, kind, id, text: found.body }
}

function callsOfRun(text: string, items: ShownStep[]): ShownStep[] {
  const numbers = new Set([...(fieldsOf(text).get('calls') ?? '').matchAll(/\d+/g)].map(([n]) => Number(n)))
  return items.filter(({ n }) => numbers.has(n))
}

function readItems(text: string) {
  return elements(text, 'history_item').map(({ given: { n, state, type, executor, answers, cut }, body }) => {
    const result = inner(body, 'result') ?? ''
    const isError = /^\s*isError: true\n?/.test(result)
    return {
      n: Number(n ?? 0),
      state: state === 'failed' || state === 'finished' ? state : ('to come' as const),
      type: type === 'tool' ? type : ('skill' as const),
      executor: executor ?? '',
      /** Its text is the reply to a message. */
      answers: answers === 'yes',
      cut: cut === 'yes',
      intention: inner(body, 'intention') ?? '',
      text: inner(body, 'text') ?? '',
      call: readCall(inner(body, 'call')),
      result: isError ? result.replace(/^\s*isError: true\n?/, '') : result,
      isError,
      failure: inner(body, 'failure'),
    }
  })
}

/** `- #12 tool files: read the lists` or `- #13 think: compare them`, one line for each. */
function readComing(text: string): ShownStep[] {
  return [...text.matchAll(/^- (?:#(\d+) )?(tool )?(\S+)( \(a reply\))?: (.*)$/gm)].map(
    ([, n, tool, executor = '', reply, intention = '']) => ({
      n: Number(n ?? 0),
      state: 'to come',
      type: tool === undefined ? 'skill' : 'tool',
      executor,
      answers: reply !== undefined,
      cut: false,
      intention,
      text: '',
      call: null,
      result: '',
      isError: false,
      failure: null,
    }),
  )
}

function readCall(text: string | null) {
  const { tool_name: name, arguments: args } = fieldsIn(jsonValueOf(text ?? ''))
  return typeof name === 'string' ? { name, arguments: { ...fieldsIn(args) } } : null
}

/** Steps that took in a message of one of these agents or persons. */
export const tookIn = (items: readonly ShownStep[], ...names: string[]): ShownStep[] =>
  items.filter(
    ({ executor, state, intention }) =>
      executor === 'process_message' && state === 'finished' && names.some((name) => intention.includes(name)),
  )
