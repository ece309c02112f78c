/** `get_task`: what became of new work. It waits, and puts what the person is asked to the client, each question once. */
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { WorkStatus } from '@/lib/wire'
import { commandAnswer, requestAnswer, taskResult, workStatus } from '@/lib/wire/http'
import type { McpCaller, McpServerParts } from '@/server/mcpServer'
import { ApiRefused, ask, headNow } from './api'
import { answerInForm, formOf, questionOf, type ShownQuestion } from './questions'

/** Clients and proxies give up on a call after 30 s or more. */
export const MOST_WAIT_S = 25
/** Decisions come in bursts; the API is asked once for each. */
const LOOK_MS = 250

/** What a client holds between a question and its answer. put: what it was asked: the digest of each confirmation by the request's id */
export const heldState = z.object({ put: z.record(z.string(), z.string().nullable()) })
export type HeldState = z.infer<typeof heldState>

type Asked = {
  caller: McpCaller
  parts: Pick<McpServerParts, 'onDecision' | 'newId' | 'deadline' | 'address'>
  task: string
  waitS: number
  /** Null: the client takes no questions, so they stand in the result. */
  rounds: {
    held: HeldState | null
    responses: Record<string, unknown> | undefined
    sign(state: HeldState): Promise<string>
  } | null
  signal: AbortSignal
}

/** Throws ApiRefused. */
export async function getTask(asked: Asked): Promise<CallToolResult | InputRequiredResult> {
  const { caller, task, waitS, rounds, signal } = asked
  const path = `/api/work/${encodeURIComponent(task)}`
  const look = (): Promise<WorkStatus> => ask(caller, { method: 'GET', path }, workStatus)
  const put = rounds?.held?.put ?? {}
  const notes = await answerAll(asked, put)
  const until = performance.now() + waitS * 1_000
  const changes = watch(asked.parts.onDecision)
  try {
    for (;;) {
      const status = await look()
      const questions = await Promise.all(status.requests.map((row) => questionOf(caller, row)))
      const open = rounds === null ? [] : questions.filter(({ id }) => !Object.hasOwn(put, id))
      const forms = open.flatMap((question) => {
        const form = formOf(question)
        return form === null ? [] : [{ question, form }]
      })
      if (rounds !== null && forms.length > 0) {
        const next = { ...put, ...Object.fromEntries(forms.map(({ question: { id, digest } }) => [id, digest])) }
        return inputRequired({
          inputRequests: Object.fromEntries(forms.map(({ question, form }) => [question.id, form])),
          requestState: await rounds.sign({ put: next }),
        })
      }
      const rest = until - performance.now()
      const isOver = status.state !== 'asked' && status.state !== 'running'
      if (isOver || rest <= 0 || signal.aborted) return shown(asked, status, questions, notes)
      await changes.next(rest, signal)
    }
  } finally {
    changes.stop()
  }
}

/** Answers what the client brings answers to. out: a sentence for each that did not count */
async function answerAll({ caller, parts, rounds }: Asked, put: HeldState['put']): Promise<string[]> {
  const notes: string[] = []
  for (const [id, digest] of Object.entries(put)) {
    const response = inputResponse(rounds?.responses, id)
    if (response.kind !== 'elicit' || response.action !== 'accept') continue
    try {
      const { request } = await ask(caller, { method: 'GET', path: `/api/requests/${id}` }, requestAnswer)
      const fields = answerInForm(request.kind, digest, response.content)
      const body = fields && { ...headNow(parts), ...fields }
      if (body === null) notes.push(`The answer to ${id} does not fit its form.`)
      else await ask(caller, { method: 'POST', path: `/api/requests/${id}/answer`, body }, commandAnswer)
    } catch (error) {
      if (!(error instanceof ApiRefused)) throw error
      notes.push(error.message)
    }
  }
  return notes
}

async function shown(
  { caller, parts, task }: Asked,
  status: WorkStatus,
  questions: readonly ShownQuestion[],
  notes: readonly string[],
): Promise<CallToolResult> {
  const id = status.task?.id ?? null
  const isOver = status.state === 'finished' || status.state === 'failed'
  const result = id !== null && isOver ? await resultOf(caller, id) : null
  const about = {
    task: id ?? status.message ?? task,
    name: status.task?.name ?? null,
    state: status.state,
    progress: status.progress,
    page: id === null ? parts.address() : `${parts.address()}/tasks/${id}`,
    messages: status.messages.map(({ from, text, files, at }) => ({
      from,
      text,
      files,
      at: new Date(at).toISOString(),
    })),
    questions: questions.map(({ due, ...question }) => question),
    ...(result === null ? {} : { result }),
    ...(notes.length === 0 ? {} : { notes }),
  }
  return { content: [{ type: 'text', text: JSON.stringify(about, null, 2) }], structuredContent: about }
}

/** null: the person may not read it. */
async function resultOf(caller: McpCaller, task: string) {
  try {
    const path = `/api/tasks/${encodeURIComponent(task)}/result`
    const { headline, summary, facts, files, leftOut } = await ask(caller, { method: 'GET', path }, taskResult)
    return { headline, summary, facts, leftOut, files: files.map(({ path: file }) => file) }
  } catch (error) {
    if (error instanceof ApiRefused) return null
    throw error
  }
}

/** Wakes at decisions, from the call on: one between two looks is not missed. */
function watch(onDecision: McpServerParts['onDecision']) {
  let isNew = false
  let wake = (): void => {}
  const stop = onDecision(() => {
    isNew = true
    wake()
  })
  /** Ends early at a decision, if asked to, and when the client has gone. */
  const pause = (ms: number, signal: AbortSignal, isWoken: boolean): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done, { once: true })
      if (isWoken) wake = done
    })
  return {
    stop,
    /** Resolves soon after the next decision, after `ms`, or when the client has gone. */
    async next(ms: number, signal: AbortSignal): Promise<void> {
      if (!isNew) await pause(ms, signal, true)
      if (isNew) await pause(Math.min(ms, LOOK_MS), signal, false)
      isNew = false
    },
  }
}
