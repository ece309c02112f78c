/** Results of steps under the field names of the documents. */
import { asJson, isJsonObject, jsonOrText } from '@/lib/json'
import { withoutNotesIn } from '@/lib/mas/builtInNotes'
import { type AnswerTag, parseAnswer, TAG_FORMATS, type TakenTag, tagsOfObject } from '@/lib/mas/formats'
import type { Json, StepRecord } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/team/agents'
import { readCalls, routeStep, type StepRoute, tagsOfRecorded } from '@/server/skills'
import type { State, StateScope } from './stateShapes'

/** Tags with another field name in the documents; others keep their own. */
const RESULT_NAMES: { [Tag in AnswerTag]?: string } = {
  tool_instruction: 'instruction_generation',
  result: 'think',
  ask_info: 'ask_instruction',
}

const nameOfTag = (tag: AnswerTag): string => RESULT_NAMES[tag] ?? tag

/** The tool call that this step prepared, in the documents' fields; null: none. */
export function readInstruction({ texts }: StateScope, step: StepRecord): Json {
  const { instruction } = step
  switch (instruction?.kind) {
    case undefined:
      return null
    case 'get_description':
      return { instruction_type: 'get_description' }
    case 'none':
      return { instruction_type: 'none', reason: instruction.reason }
    case 'call':
      return {
        instruction_type: 'function_call',
        [`${instruction.target}_name`]: instruction.name,
        arguments: texts.json(instruction.arguments, `/api/steps/${step.id}/tool`),
      }
  }
}

/**
 * out     null: no result yet. Else the parsed answer under its name, `error` with the reason of a failed step, and `made`: ids
 *         and refusals, our own fields. A step recorded without a model call has its text instead
 */
export function resultOf(scope: StateScope, step: StepRecord): Json {
  const error: State = step.state === 'failed' ? { error: step.reason ?? 'failed' } : {}
  const { result } = step
  if (!result) return step.state === 'failed' ? error : null
  const made: State = result.made === null ? {} : { made: result.made }
  const fields = { ...fieldsOf(scope, step), ...error, ...made }
  return step.type === 'skill' ? withoutNotesIn(fields) : fields
}

function fieldsOf(scope: StateScope, step: StepRecord): State {
  const said = saidOf(scope, step)
  const route = routeStep(scope.world, step)
  if (route.type !== 'skill')
    return isEmptyText(said) ? {} : { [nameOfToolResult(step)]: unnamed(parsed(said), nameOfToolResult(step)) }
  const answered = answerOf(scope, step, route)
  if (answered !== null) return step.executor === 'ask_info' ? { ...answered, answer: said } : answered
  const written = step.executor === 'instruction_generation' ? writtenCall(scope, step) : null
  if (written !== null) return { instruction_generation: written }
  return isEmptyText(said) ? {} : { [nameOfText(step, route)]: said }
}

/** True for a failed step without a text. */
const isEmptyText = (said: Json): boolean => said === ''

function saidOf({ texts }: StateScope, { id, result }: StepRecord): Json {
  if (!result) return ''
  const href = `/api/steps/${id}/result`
  return result.body === null ? texts.own(result.text, href) : texts.text(result.body, href, result.text)
}

type SkillRoute = Extract<StepRoute, { type: 'skill' }>

/** The parsed answer; null: its text says everything, or no model was called. */
function answerOf({ texts }: StateScope, step: StepRecord, { skill }: SkillRoute): State | null {
  if (skill.asks.oneOf.every((tag) => TAG_FORMATS[tag].holds === 'text')) return null
  const call = step.calls.findLast(({ outcome }) => outcome === 'taken')
  const taken = call?.calls ?? call?.answer ?? null
  // A call that the plan wrote is read as its tool step has it.
  const answer = taken ?? (step.boundTo === null ? step.ahead : null) ?? null
  if (answer === null) return null
  const text = texts.text(answer, `/api/steps/${step.id}/response`, step.result?.text)
  if (typeof text !== 'string') return { [nameOfText(step, { type: 'skill', skill })]: text }
  const tags = answer === call?.calls ? tagsOfRecorded(readCalls(text)) : tagsOfObject(text)
  const reading = parseAnswer(tags, skill.asks)
  if (!reading.ok) return skipped(tags)
  const { main, also } = reading.answer
  const beside = Object.entries(also).map(([tag, value]) => [tag, asJson(value)])
  return { [nameOfTag(main.tag)]: parsedValue(main), ...Object.fromEntries(beside) }
}

/** One call as in the documents; several as a list. */
function parsedValue({ tag, value }: TakenTag<AnswerTag>): Json {
  if (tag !== 'tool_instruction') return asJson(value)
  return asJson(value.length === 1 ? value[0] : value)
}

function skipped(text: string): State | null {
  const reading = parseAnswer(text, { oneOf: ['skip'], also: [] })
  return reading.ok ? { skip: reading.answer.main.value } : null
}

function writtenCall(scope: StateScope, step: StepRecord): Json {
  const tool = step.boundTo === null ? null : selectStep(scope.world, step.task, step.agent, step.boundTo)
  return tool === null ? null : readInstruction(scope, tool)
}

/** The first tag that a skill expects names its text. */
function nameOfText(step: StepRecord, { skill }: SkillRoute): string {
  if (step.result?.kind === 'none') return 'not_called'
  const [first] = skill.asks.oneOf
  return first === undefined ? step.executor : nameOfTag(first)
}

function nameOfToolResult({ executor, result }: StepRecord): string {
  switch (result?.kind) {
    case undefined:
    case 'text':
    case 'json':
      return executor
    case 'tool':
      return 'mcp_server_result'
    case 'description':
      return 'capabilities_list_description'
    case 'none':
      return 'not_called'
  }
}

/** Tool results are already stored under their name. */
export function unnamed(value: Json, name: string): Json {
  return isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : value
}

const parsed = (text: Json): Json => (typeof text === 'string' ? jsonOrText(text) : text)
