/** The turns of a conversation as if all stood in one prompt: the newest of each section, every item of the history. */
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { findLastTag, tagsOfObject } from '@/lib/mas/formats'
import type { Json } from '@/lib/mas/records'
import type { Turn } from '@/server/models/model'
import { lastJob, withWholeJob } from './job'
import {
  type AskedStep,
  elements,
  type PlacedItem,
  promptSections,
  readAskedStep,
  readComing,
  readItems,
  type TeamMember,
} from './readParts'

/** What was said to or by the agent. */
export type SaidText = { from: string; text: string }

/** Sections whose new parts add to what stands above. */
const GROWING = ['stages', 'mcp_base_prompt', 'history_step', 'messages']
/** Sections of the step at hand alone. */
const OF_A_STEP = ['tool_step', 'tool_history', 'attachments']

/** asked: the last step; null: no turn asks for one */
export function readConversation(turns: readonly Turn[]) {
  const sections = new Map<string, string>()
  const items: PlacedItem[] = []
  const said: SaidText[] = []
  const planned: Planned = { texts: new Map(), messages: new Map() }
  let coming: PlacedItem[] = []
  let asked = null as AskedStep | null
  let answer: string | null = null
  /** A turn does not repeat what a plan above it says of a step. */
  const textOf = ({ text, intention }: Pick<PlacedItem, 'text' | 'intention'>): string =>
    withWholeJob(text || (planned.texts.get(intention) ?? ''), lastJob(asked?.yourGoal ?? ''))
  for (const { role, content } of turns) {
    if (role === 'assistant') {
      answer = tagsOfObject(content)
      addPlans(planned, answer)
    }
    if (role !== 'user') continue
    const found = promptSections(content)
    if (!found.has('current_step')) continue
    if (asked !== null && answer !== null) items.push(answeredItem(asked, answer))
    answer = null
    for (const name of OF_A_STEP) sections.delete(name)
    for (const [name, text] of found) {
      const before = GROWING.includes(name) ? sections.get(name) : undefined
      sections.set(name, before === undefined ? text : `${before}\n${text}`)
    }
    asked = readAskedStep(sections)
    const isTaken = asked.answersTo !== null || asked.message !== null
    asked = isTaken ? asked : { ...asked, text: textOf(asked) }
    for (const item of readItems(found.get('history_step') ?? '', asked.stageId)) {
      const sent = item.executor === 'send_message' ? (planned.messages.get(item.intention) ?? '') : ''
      addItem(items, { ...item, text: textOf(item), result: item.result || sent })
    }
    said.push(
      ...elements(found.get('messages') ?? '', 'message').map(({ given, body }) => ({
        from: given.from ?? '',
        text: body,
      })),
    )
    if (found.has('steps_to_come')) coming = readComing(found.get('steps_to_come') ?? '', asked.stageId)
  }
  const isOver = new Set([...items.map(({ n }) => n), asked?.n])
  return {
    sections,
    asked,
    items: withWholeTexts(items),
    said,
    coming: coming.filter(({ n }) => !isOver.has(n)),
    textOf,
  }
}

/** The texts and messages of planned steps, by their intentions: the newest of each. */
type Planned = { texts: Map<string, string>; messages: Map<string, string> }

const PLANS = ['planned_step', 'reflection_step', 'decision_step', 'react_action', 'get_more_info']

function addPlans({ texts, messages }: Planned, answer: string): void {
  // A list without its tag is taken, too.
  const plans = [answer, ...PLANS.map((name) => findLastTag(answer, name))]
  for (const step of plans.flatMap((plan) => [jsonValueOf(plan ?? '')].flat())) {
    const { step_intention, text_content, send_message } = fieldsIn(step)
    if (typeof step_intention !== 'string') continue
    texts.set(step_intention, String(text_content ?? ''))
    if (send_message) messages.set(step_intention, String(fieldsIn(send_message).message))
  }
}

/** What the system says of an answered step completes the answer. */
function addItem(items: PlacedItem[], item: PlacedItem): void {
  const at = items.findIndex(({ n }) => n === item.n)
  const before = items[at]
  if (before === undefined) items.push(item)
  else
    items[at] = {
      ...before,
      state: item.state,
      failure: item.failure,
      result: [before.result, item.result].filter(Boolean).join('\n'),
    }
}

/** The step of an answer, as a history shows it. */
function answeredItem(step: AskedStep, answer: string): PlacedItem {
  const { n, skill, stageId, intention, answersTo, message } = step
  return {
    n,
    stage: stageId,
    state: 'finished',
    type: 'skill',
    executor: skill,
    answers: answersTo !== null,
    cut: false,
    intention,
    text: step.text || (answersTo ?? message)?.text || '',
    call: null,
    result: resultIn(answer),
    isError: false,
    failure: null,
  }
}

const TEXTS = ['result', 'process_message', 'quick_think', 'summary']

/** The text that an answer gives: plans and calls have none. */
function resultIn(answer: string): string {
  for (const name of TEXTS) {
    const text = findLastTag(answer, name)
    if (text !== null) return text
  }
  const { receiver, message, choices } = fieldsIn(jsonValueOf(findLastTag(answer, 'send_message') ?? ''))
  if (typeof message === 'string')
    return [
      `to ${listOf(receiver).join(', ')}: ${message}`,
      ...(choices ? [`[${listOf(choices).join(' | ')}]`] : []),
    ].join('\n')
  const { action, task_name, stages } = fieldsIn(jsonValueOf(findLastTag(answer, 'task_instruction') ?? ''))
  if (action !== 'add_task') return ''
  const goals = listOf(stages).flatMap((stage) => goalsIn(fieldsIn(stage).agent_allocation))
  return [`add_task ${String(task_name)}`, ...goals].join('\n')
}

/** By agent; an answer that is an object has a list. */
const goalsIn = (allocation: unknown): unknown[] =>
  Array.isArray(allocation) ? allocation.map((one) => fieldsIn(one).goal) : Object.values(fieldsIn(allocation))

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const CUT = /^([\s\S]*) … \[(\d+) characters\]$/

/** Long arguments stand in the conversation as the result of another step. */
function withWholeTexts(items: readonly PlacedItem[]): PlacedItem[] {
  const whole = (value: Json): Json => {
    const [, head, length] = (typeof value === 'string' ? CUT.exec(value) : null) ?? []
    if (head === undefined) return value
    return items.find(({ result }) => result.length === Number(length) && result.startsWith(head))?.result ?? value
  }
  return items.map((item) =>
    item.call === null
      ? item
      : {
          ...item,
          call: {
            ...item.call,
            arguments: Object.fromEntries(
              Object.entries(item.call.arguments).map(([key, value]) => [key, whole(value)]),
            ),
          },
        },
  )
}

/** A step of another stage that sent or took in a message, as that message. */
export function saidByItem(item: PlacedItem, members: readonly TeamMember[], self: string): SaidText[] {
  if (item.state !== 'finished') return []
  if (item.executor === 'send_message') return [{ from: self, text: item.result }]
  if (item.executor !== 'process_message') return []
  const sender = members.find(({ name }) => item.intention.includes(name))
  return sender === undefined ? [] : [{ from: sender.name, text: item.text }]
}
