/**
 * Reads a prompt by its fixed sections: the only eyes that the rehearsal has.
 *
 * Foreign text keeps its escaping: copied as it stands, it comes out of the answer parser unharmed.
 */

import { unescapeAttribute } from '@/lib/mas/formats/escape'
import { ModelError, type Turn } from '../model'

export type TeamMember = { name: string; kind: 'person' | 'agent'; role: string; id: string; manager: boolean }

/** A message as a step shows it: the one answered (`waits`), or the one to be taken in (`returnsWait`). */
export type ShownMessage = {
  from: string
  kind: string
  id: string
  waits: boolean
  returnsWait: boolean
  text: string
}

export type ShownStep = {
  n: number
  state: 'finished' | 'failed' | 'to come'
  type: 'skill' | 'tool'
  executor: string
  cut: boolean
  intention: string
  text: string
  call: { name: string; arguments: Record<string, unknown> } | null
  result: string
  isError: boolean
  failure: string | null
}

export type ShownNote = { time: string; task: string; ended: boolean; text: string }

export type RehearsalPrompt = {
  systemText: string
  role: {
    name: string
    id: string
    role: string
    profile: string
    manages: boolean
    skills: string[]
    tools: { name: string; guide: string }[]
  }
  step: {
    skill: string
    task: string
    taskId: string
    taskGoal: string
    baseTask: boolean
    stageId: string
    members: TeamMember[]
    time: string
    answersTo: ShownMessage | null
    message: ShownMessage | null
    intention: string
    text: string
  }
  toolStep: { intention: string; executor: string; text: string } | null
  abilities: string[]
  history: ShownStep[]
  toolHistory: ShownStep[] | null
  memory: ShownNote[]
}

/** Sections that a skill cannot work without, over the four that all prompts have. */
const ALSO: Record<string, string[]> = {
  instruction_generation: ['tool_step', 'mcp_base_prompt', 'history_step'],
  tool_decision: ['tool_history'],
  reflection: ['history_step'],
  summary: ['history_step'],
  think: ['history_step'],
  send_message: ['history_step'],
  task_manager: ['history_step'],
}

/**
 * Read the two turns of a prompt; later turns (an answer shown back with its fault) change nothing.
 *
 * faults  ModelError MODEL_PROMPT, with the section or field that is missing
 */
export function parsePrompt(turns: readonly Turn[]): RehearsalPrompt {
  const system = sectionsOf(turns.find((turn) => turn.role === 'system')?.content ?? '')
  const user = sectionsOf(turns.find((turn) => turn.role === 'user')?.content ?? '')
  const step = readStep(need(user, 'current_step'))
  for (const name of ALSO[step.skill] ?? []) need(user, name)
  return {
    systemText: need(system, 'system_prompt'),
    role: readRole(need(system, 'agent_role')),
    step,
    toolStep: readToolStep(user.get('tool_step')),
    abilities: readAbilities(user.get('mcp_base_prompt') ?? ''),
    history: readItems(user.get('history_step') ?? ''),
    toolHistory: user.has('tool_history') ? readItems(user.get('tool_history') ?? '') : null,
    memory: readMemory(need(user, 'persistent_memory')),
  }
}

/** The content of a runtime's own tag, without the line breaks that set it off; null when it is not there. */
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

function readRole(text: string): RehearsalPrompt['role'] {
  const [head = '', after = ''] = splitAt(text, /^skills:.*$/m)
  const [skills = '', tools = ''] = splitAt(after, /^tools:.*$/m)
  return {
    name: field(head, 'name'),
    id: field(head, 'id'),
    role: field(head, 'role'),
    profile: field(head, 'profile'),
    manages: field(head, 'manages') === 'yes',
    skills: guides(skills).map((guide) => guide.name),
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
  'skill',
  'task',
  'task_id',
  'task_goal',
  'base_task',
  'stage',
  'stage_id',
  'stage_goal',
  'members',
  'time',
]

/** The lines before the first tag; a value of several lines goes on until the next field in order. */
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

function readStep(text: string): RehearsalPrompt['step'] {
  const firstTag = text.search(/<(answers_to|message|step_intention)\b/)
  const head = readHead(firstTag < 0 ? text : text.slice(0, firstTag))
  const value = (name: string) => {
    const found = head.get(name)
    if (found === undefined) throw new ModelError('MODEL_PROMPT', `the section current_step has no ${name}`, false)
    return found.trim()
  }
  const stepText = inner(text, 'step_text')
  if (stepText === null) throw new ModelError('MODEL_PROMPT', 'the section current_step has no step_text', false)
  return {
    skill: value('skill'),
    task: value('task'),
    taskId: value('task_id'),
    taskGoal: value('task_goal'),
    baseTask: value('base_task') === 'yes',
    stageId: value('stage_id'),
    members: readMembers(value('members')),
    time: value('time'),
    answersTo: readMessage(text, 'answers_to'),
    message: readMessage(text, 'message'),
    intention: inner(text, 'step_intention') ?? '',
    text: stepText,
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
        kind: kind === 'person' ? 'person' : 'agent',
        role: role.join(' | '),
        id,
        manager: manager.trim() === 'manager',
      }
    })
}

function readMessage(text: string, tag: 'answers_to' | 'message'): ShownMessage | null {
  const open = new RegExp(`<${tag} ([^>]*)>`).exec(text)
  if (!open) return null
  const end = text.indexOf(`</${tag}>`, open.index)
  const given = attributes(open[1] ?? '')
  return {
    from: given.from ?? '',
    kind: given.kind ?? '',
    id: given.id ?? '',
    waits: given.waits === 'yes',
    returnsWait: given.returns_wait === 'yes',
    text: text.slice(open.index + open[0].length, end < 0 ? undefined : end),
  }
}

function readToolStep(text: string | undefined): RehearsalPrompt['toolStep'] {
  if (text === undefined) return null
  return {
    intention: inner(text, 'step_intention') ?? '',
    executor: inner(text, 'executor') ?? '',
    text: inner(text, 'step_text') ?? '',
  }
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

function readItems(text: string): ShownStep[] {
  return [...text.matchAll(/<history_item ([^>]*)>([\s\S]*?)<\/history_item>/g)].map(([, given = '', body = '']) => {
    const { n, state, type, executor, cut } = attributes(given)
    const result = inner(body, 'result') ?? ''
    const isError = /^\s*isError: true\n?/.test(result)
    return {
      n: Number(n ?? 0),
      state: state === 'failed' ? 'failed' : state === 'finished' ? 'finished' : 'to come',
      type: type === 'tool' ? 'tool' : 'skill',
      executor: executor ?? '',
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

function readCall(text: string | null): ShownStep['call'] {
  if (text === null) return null
  try {
    const call: unknown = JSON.parse(text)
    if (typeof call !== 'object' || call === null) return null
    const name: unknown = Reflect.get(call, 'tool_name') ?? Reflect.get(call, 'name')
    const args: unknown = Reflect.get(call, 'arguments')
    if (typeof name !== 'string') return null
    return {
      name,
      arguments: typeof args === 'object' && args !== null ? Object.fromEntries(Object.entries(args)) : {},
    }
  } catch {
    return null
  }
}

function readMemory(text: string): ShownNote[] {
  return [...text.matchAll(/<note ([^>]*)>([\s\S]*?)<\/note>/g)].map(([, given = '', note = '']) => {
    const { time, task, ended } = attributes(given)
    return { time: time ?? '', task: task ?? '', ended: ended === 'yes', text: note.trim() }
  })
}
