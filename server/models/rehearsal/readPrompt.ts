/** Parses a prompt by its fixed sections. Foreign text keeps its escaping. */
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { unescapeAttribute } from '@/lib/mas/formats/escape'
import { ModelError, type Turn } from '../model'

/** A parsed prompt. Kind `outside`: an agent of another system. */
export type RehearsalPrompt = ReturnType<typeof parsePrompt>
export type TeamMember = {
  name: string
  kind: 'person' | 'agent' | 'outside'
  role: string
  id: string
  manager: boolean
}

/** The message of a step: the one that it answers or takes in. */
export type ShownMessage = NonNullable<RehearsalPrompt['step']['message']>
export type ShownStep = ReturnType<typeof readItems>[number]

/** Required sections of some skills, beside those of all prompts. */
const ALSO: Record<string, string[]> = {
  instruction_generation: ['tool_step', 'mcp_base_prompt', 'history_step'],
  tool_decision: ['history_step', 'tool_history', 'mcp_base_prompt'],
  planning: ['available_skills_and_tools'],
  decision: ['available_skills_and_tools'],
  reflection: ['available_skills_and_tools', 'history_step', 'persistent_memory'],
  process_message: ['persistent_memory'],
  summary: ['history_step'],
  think: ['history_step'],
  send_message: ['history_step'],
  task_manager: ['history_step'],
}

/** Parses the first two turns; later ones are ignored. Throws ModelError MODEL_PROMPT. */
export function parsePrompt(turns: readonly Turn[]) {
  const system = sectionsOf(turns.find((turn) => turn.role === 'system')?.content ?? '')
  const user = sectionsOf(turns.find((turn) => turn.role === 'user')?.content ?? '')
  const said = readSaid(user.get('messages') ?? '')
  const above = /<message n="(\d+)"/.exec(need(user, 'current_step'))?.[1] ?? null
  const step = withMessage(readStep(stepLines(user)), said.find(({ n }) => above !== null && n === above)?.text)
  for (const name of ALSO[step.skill] ?? []) need(user, name)
  return {
    systemText: need(system, 'system_prompt'),
    role: readRole(need(system, 'agent_role'), user.get('available_skills_and_tools') ?? ''),
    step,
    /** Results of the stages; for the task's manager only. */
    stages: user.get('stages') ?? '',
    messages: said.filter(({ n }) => n === null || n !== above),
    toolStep: readToolStep(user.get('tool_step')),
    abilities: readAbilities(user.get('mcp_base_prompt') ?? ''),
    history: [...readItems(user.get('history_step') ?? ''), ...readComing(user.get('steps_to_come') ?? '')],
    toolHistory: readToolHistory(user.get('tool_history'), readItems(user.get('history_step') ?? '')),
    memory: readMemory(user.get('persistent_memory') ?? ''),
  }
}

/** Content between the runtime's tags, without the surrounding line breaks; null: the tag is missing. */
export function inner(text: string, tag: string): string | null {
  return new RegExp(`<${tag}(?: [^>]*)?>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? null
}

export function attributes(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/([a-z_]+)="([^"]*)"/g)) found[name] = unescapeAttribute(value)
  return found
}

function sectionsOf(content: string): Map<string, string> {
  const sections = new Map<string, string>()
  for (const [, name = '', text = ''] of content.matchAll(/<section name="([a-z_]+)">\n?([\s\S]*?)\n?<\/section>/g))
    sections.set(name, text)
  return sections
}

function need(sections: Map<string, string>, name: string): string {
  const text = sections.get(name)
  if (text === undefined) throw new ModelError('MODEL_PROMPT', `the prompt has no section ${name}`, false)
  return text
}

function field(text: string, name: string): string {
  const found = new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(text)
  if (!found) throw new ModelError('MODEL_PROMPT', `the prompt has no field ${name}`, false)
  return (found[1] ?? '').trim()
}

function readRole(text: string, available: string) {
  const [head = '', tools = ''] = splitAt(text, /^tools:.*$/m)
  const [, skills = ''] = splitAt(available, /^skills:.*$/m)
  const named = /^skills: (.+)$/m.exec(available)?.[1]?.split(', ') ?? []
  return {
    name: field(head, 'name'),
    id: field(head, 'id'),
    manages: field(head, 'manages') === 'yes',
    skills: [...named, ...guides(skills).map((guide) => guide.name)],
    tools: guides(tools),
  }
}

function guides(text: string): { name: string; guide: string }[] {
  return [...text.matchAll(/^- ([^:\n]+?)(?::[ \t]*(.*))?$/gm)].map(([, name = '', guide = '']) => ({
    name: name.trim(),
    guide,
  }))
}

function splitAt(text: string, pattern: RegExp): [string, string] {
  const found = pattern.exec(text)
  return found ? [text.slice(0, found.index), text.slice(found.index + found[0].length)] : [text, '']
}

const HEAD_FIELDS = [
  'task',
  'task_id',
  'task_goal',
  'base_task',
  'members',
  'others',
  'skill',
  'stage',
  'stage_id',
  'stage_goal',
  'your_goal',
  'parts_of_others',
  'time',
]

/** The fields before the first tag; a value of several lines continues until the next field in order. */
function readHead(text: string): Map<string, string> {
  const values = new Map<string, string>()
  let at = -1
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^([a-z_]+):[ \t]?(.*)$/.exec(line) ?? []
    const next = HEAD_FIELDS.indexOf(name)
    const current = HEAD_FIELDS[at]
    if (next > at) {
      at = next
      values.set(name, value)
    } else if (current !== undefined) values.set(current, `${values.get(current) ?? ''}\n${line}`)
  }
  return values
}

/** The description of the step in the order of its fields: the skill, then the position. */
function stepLines(user: Map<string, string>): string {
  const [skill = '', ...rest] = need(user, 'current_step').split('\n')
  const part = user.get('current_part')
  return [need(user, 'current_task'), skill, ...(part === undefined ? [] : [part]), ...rest].join('\n')
}

function readStep(text: string) {
  const firstTag = text.search(/<(task_state|answers_to|message|step_intention)\b/)
  const head = readHead(firstTag < 0 ? text : text.slice(0, firstTag))
  const value = (name: string) => {
    const found = head.get(name)
    if (found === undefined) throw new ModelError('MODEL_PROMPT', `the prompt has no ${name}`, false)
    return found.trim()
  }
  return {
    skill: value('skill'),
    taskId: value('task_id'),
    taskGoal: value('task_goal'),
    baseTask: value('base_task') === 'yes',
    stageId: value('stage_id'),
    members: readMembers(value('members')),
    /** Agents that are not in the task; shown to agents that may begin work. */
    others: readOthers(head.get('others') ?? ''),
    time: value('time'),
    answersTo: readMessage(text, 'answers_to'),
    message: readMessage(text, 'message'),
    intention: inner(text, 'step_intention') ?? '',
    text: inner(text, 'step_text') ?? '',
    /** The agent's part of the stage; empty outside of one. */
    yourGoal: (head.get('your_goal') ?? '').trim(),
    taskState: inner(text, 'task_state') ?? '',
  }
}

function readMembers(text: string): TeamMember[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => {
      const parts = line.slice(2).split(' | ')
      const [manager = '-', id = '', ...before] = parts.reverse()
      const [name = '', kind = '', ...role] = before.reverse()
      return {
        name,
        kind: kind === 'person' || kind === 'outside' ? kind : 'agent',
        role: role.join(' | '),
        id,
        manager: manager.trim() === 'manager',
      }
    })
}

/** `- Name | agent | role. profile | tools: a, b | id`; `outside` in place of `agent` */
function readOthers(text: string) {
  return text.split('\n').flatMap((line) => {
    const [name, kind, about, tools, id] = line.startsWith('- ') ? line.slice(2).split(' | ') : []
    if (name === undefined || about === undefined || tools === undefined || id === undefined) return []
    const given = tools.replace(/^tools: /, '').split(', ')
    const tellsKind = kind === 'outside' ? ('outside' as const) : ('agent' as const)
    return [{ name, kind: tellsKind, id, about, tools: given.filter((tool) => tool !== 'none') }]
  })
}

function readMessage(text: string, tag: 'answers_to' | 'message') {
  const open = new RegExp(`<${tag} ([^>]*)>`).exec(text)
  if (!open) return null
  const end = text.indexOf(`</${tag}>`, open.index)
  const given = attributes(open[1] ?? '')
  return {
    from: given.from ?? '',
    kind: given.kind ?? '',
    id: given.id ?? '',
    text: text.slice(open.index + open[0].length, end < 0 ? undefined : end),
  }
}

/** The step with its message, if that is in the section messages. */
const withMessage = (step: ReturnType<typeof readStep>, text: string | undefined) =>
  step.message === null || text === undefined ? step : { ...step, message: { ...step.message, text } }

/** Messages of earlier stages, or of elsewhere in the thread. */
function readSaid(text: string) {
  return [...text.matchAll(/<message ([^>]*)>([\s\S]*?)<\/message>/g)].map(([, given = '', said = '']) => {
    const { n, from } = attributes(given)
    return { n: n ?? null, from: from ?? '', text: said }
  })
}

function readToolStep(text: string | undefined) {
  if (text === undefined) return null
  return { executor: inner(text, 'executor') ?? '', text: inner(text, 'step_text') ?? '' }
}

/** Items of the history that are calls of the current tool run; null: the section is missing. */
function readToolHistory(text: string | undefined, items: ShownStep[]): ShownStep[] | null {
  if (text === undefined) return null
  const numbers = new Set([...(/^calls: (.*)$/m.exec(text)?.[1] ?? '').matchAll(/\d+/g)].map(([n]) => Number(n)))
  return items.filter(({ n }) => numbers.has(n))
}

/** The lines after the last `abilities of …:`. */
function readAbilities(text: string): string[] {
  const starts = [...text.matchAll(/^abilities of .*:[ \t]*$/gm)].at(-1)
  return starts
    ? text
        .slice(starts.index + starts[0].length)
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    : []
}

function readItems(text: string) {
  return [...text.matchAll(/<history_item ([^>]*)>([\s\S]*?)<\/history_item>/g)].map(([, given = '', body = '']) => {
    const { n, state, type, executor, answers, cut } = attributes(given)
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

const readMemory = (text: string): string[] =>
  [...text.matchAll(/<note [^>]*>([\s\S]*?)<\/note>/g)].map(([, note = '']) => note.trim())

/** Steps that took in a message of one of these agents or persons. */
export const tookIn = (items: readonly ShownStep[], ...names: string[]): ShownStep[] =>
  items.filter(
    ({ executor, state, intention }) =>
      executor === 'process_message' && state === 'finished' && names.some((name) => intention.includes(name)),
  )
