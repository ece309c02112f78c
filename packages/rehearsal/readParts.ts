/** The parts of a prompt: sections, elements, fields, the step at hand, the items of a history. Foreign text keeps its escaping. */
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { unescapeAttribute } from '@/lib/mas/formats/escape'
import { ModelError } from '@/server/models/model'

export type TeamMember = ReturnType<typeof readMembers>[number]
export type AskedStep = ReturnType<typeof readAskedStep>
/** stage: the handle of its stage, or no_relative */
export type PlacedItem = ReturnType<typeof readItems>[number]
export type ShownStep = Omit<PlacedItem, 'stage'>

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

export const promptSections = (content: string): Map<string, string> =>
  new Map(
    elements(content, 'section').map(({ given, body }) => [
      given.name ?? '',
      body.replace(/^\n/, '').replace(/\n$/, ''),
    ]),
  )

export function need(values: Map<string, string>, name: string, kind = ''): string {
  const text = values.get(name)
  if (text === undefined) throw new ModelError('MODEL_PROMPT', `the prompt has no ${kind}${name}`, false)
  return text
}

/** The fields at the beginning of lines. A value of several lines continues with indented lines or a list. */
export const promptFields = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/^([a-z_]+):[ \t]*(.*(?:\n(?![a-z_]+:).*)*)/gm)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  )

/** `- name: guide`, one line for each. */
export const guides = (text: string): { name: string; guide: string }[] =>
  [...text.matchAll(/^- ([^:\n]+?)(?::[ \t]*(.*))?$/gm)].map(([, name = '', guide = '']) => ({
    name: name.trim(),
    guide,
  }))

export function readAskedStep(sections: Map<string, string>) {
  const current = need(sections, 'current_step', 'section ')
  // Outside of a part the step says so itself: what stands above is another step's part.
  const part = /^stage: /m.test(current) ? '' : (sections.get('current_part') ?? '')
  const text = [need(sections, 'current_task', 'section '), part, current].join('\n')
  const firstTag = text.search(/<(task_state|answers_to|message|step_intention)\b/)
  const head = promptFields(firstTag < 0 ? text : text.slice(0, firstTag))
  return {
    skill: need(head, 'skill'),
    n: Number(/\d+/.exec(need(head, 'step'))?.[0] ?? 0),
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
    /** What people said of plans of this step that they sent back, oldest first. */
    sentBack: elements(text, 'plan_sent_back').map(({ body }) => {
      const fields = promptFields(body)
      return { by: fields.get('by') ?? '', said: fields.get('comment') ?? '' }
    }),
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
  const { from = '', kind = '', id = '' } = found.given
  return { from, kind, id, text: found.body }
}

/** stage: of the step at hand */
export function readItems(text: string, here: string) {
  return elements(text, 'history_item').map(({ given: { n, state, type, executor, answers, cut, stage }, body }) => {
    const result = inner(body, 'result') ?? ''
    const isError = /^\s*isError: true\n?/.test(result)
    return {
      n: Number(n ?? 0),
      stage: stage ?? here,
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
export function readComing(text: string, here: string): PlacedItem[] {
  return [...text.matchAll(/^- #(\d+) (tool )?(\S+)( \(a reply\))?(?: \((.*?)\))?: (.*)$/gm)].map(
    ([, n, tool, executor = '', reply, stage, intention = '']) => ({
      n: Number(n ?? 0),
      stage: stage ?? here,
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
