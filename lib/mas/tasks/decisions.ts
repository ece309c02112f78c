/** What people were asked in a task and what they decided, from its requests; and the records that a fact's source names. */

import { isNumbered } from '../asks/requests'
import type { AgentId, MessageId, RequestId, StepId, TaskId } from '../ids'
import type { Decision, Language, RequestKind, RequestRecord, StepRecord, World } from '../records'
import { textIn } from '../said'
import { stepIn, stepsOfAll } from '../steps/ownSteps'
import { stepTitle } from '../steps/stepTitle'

export type TaskDecision = {
  request: RequestId
  kind: RequestKind
  /** The question; of a call to confirm what it does. */
  title: string
  decision: Decision
  text: string
  by: AgentId
  at: number
}

const requestsOf = (world: World, task: TaskId): RequestRecord[] =>
  Object.values(world.requests[task] ?? {}).filter(isNumbered)

/** In their order. in: language: of the sentences of the program */
export function selectDecisions(world: World, task: TaskId, language: Language): TaskDecision[] {
  return requestsOf(world, task)
    .flatMap((request): TaskDecision[] => {
      const { id, kind, answer } = request
      if (answer === null) return []
      const { decision, text, by, at } = answer
      return [{ request: id, kind, title: titleOf(world, request, language), decision, text, by, at }]
    })
    .sort((a, b) => a.at - b.at)
}

function titleOf(world: World, request: RequestRecord, language: Language): string {
  const step = request.kind === 'confirm' ? stepOf(world, request) : undefined
  const { question, said } = request
  return step ? stepTitle(step, language) : textIn(language, { text: question, ...(said && { said }) })
}

function stepOf(world: World, { task, step }: RequestRecord): StepRecord | undefined {
  if (step === null) return undefined
  const owns = Object.values(world.steps[task] ?? {})
  return owns.map((own) => stepIn(own, step)).find((found) => found !== undefined)
}

/** questions: that agents and tools put to people; approvals: calls that people allowed */
export function countAsked(world: World, task: TaskId): { questions: number; approvals: number } {
  const requests = requestsOf(world, task)
  const isApproval = ({ kind, answer }: RequestRecord): boolean =>
    kind === 'confirm' && (answer?.decision === 'approve' || answer?.decision === 'approve_edited')
  return {
    questions: requests.filter(({ kind }) => kind === 'answer' || kind === 'tool').length,
    approvals: requests.filter(isApproval).length,
  }
}

export type SourceRecord = { kind: 'step'; id: StepId } | { kind: 'message'; id: MessageId }

const STEP_NUMBER = /^#(\d{1,9})$/

/** The step (`#14`, or its id) or message of the task that a source names; null: it names none. */
export function recordOfSource(world: World, task: TaskId, source: string | null): SourceRecord | null {
  if (source === null) return null
  const number = STEP_NUMBER.exec(source)?.[1]
  const isStep = (step: StepRecord): boolean =>
    number === undefined ? step.id === source : step.number === Number(number)
  const step = stepsOfAll(world.steps[task]).find(isStep)
  if (step) return { kind: 'step', id: step.id }
  const message = world.messages[task]?.[source as MessageId]
  return message ? { kind: 'message', id: message.id } : null
}
