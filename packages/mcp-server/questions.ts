/** A request to a person as a form of MCP, and its answer as a body of the API. */
import { inputRequired } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { RequestRow } from '@/lib/wire'
import { argumentsAnswer } from '@/lib/wire/http'
import type { McpCaller } from '@/server/mcpServer'
import { ask } from './api'

type Request = RequestRow['request']
type FormRequest = ReturnType<typeof inputRequired.elicit>

/** What one request shows to a program. arguments: of a confirmation, exactly what would run, of a plan its stages; digest: of them, for the answer */
export type ShownQuestion = {
  id: string
  task: string
  kind: Request['kind']
  question: string
  choices: string[]
  arguments: string | null
  digest: string | null
  due: number | null
}

/** Longer arguments are read in the page. */
const MOST_ARGUMENTS = 8_000

/** Throws ApiRefused. */
export async function questionOf(
  caller: McpCaller,
  { request, taskName }: Pick<RequestRow, 'request' | 'taskName'>,
): Promise<ShownQuestion> {
  const { id, kind, question, choices, call, plan, due = null } = request
  const held =
    call === null && plan === undefined
      ? null
      : await ask(caller, { method: 'GET', path: `/api/requests/${id}/arguments` }, argumentsAnswer)
  return {
    id,
    task: taskName,
    kind,
    question,
    choices,
    arguments: held?.text ?? null,
    digest: held?.digest ?? null,
    due,
  }
}

/** null: it cannot be answered by a form; the page has what it needs. */
export function formOf({ kind, question, choices, arguments: held, task }: ShownQuestion): FormRequest | null {
  const message = `${task}: ${question}`
  switch (kind) {
    case 'answer':
    case 'part': {
      const schema = choices.length > 0 ? z.enum(choices) : z.string().min(1)
      return inputRequired.elicit({ message, requestedSchema: z.object({ answer: schema }) })
    }
    case 'confirm':
    case 'plan':
      if (held === null || held.length > MOST_ARGUMENTS) return null
      return inputRequired.elicit({
        message: `${message}\n\n${held}`,
        requestedSchema: z.object({ decision: z.enum(['approve', 'refuse']), reason: z.string().optional() }),
      })
    case 'limit':
    case 'judge':
    case 'tool':
      return null
  }
}

const written = z.object({ answer: z.string() })
const decided = z.object({ decision: z.enum(['approve', 'refuse']), reason: z.string().optional() })

/** The body of POST /api/requests/<id>/answer for what the form holds. in: digest: of what the client was shown. out: null: it does not fit */
export function answerInForm(kind: Request['kind'], digest: string | null, content: unknown) {
  const none = { arguments: null, digest }
  if (kind === 'confirm' || kind === 'plan') {
    const read = decided.safeParse(content).data
    return read ? { ...none, decision: read.decision, text: read.reason ?? '' } : null
  }
  const read = written.safeParse(content).data
  return read
    ? { ...none, decision: kind === 'part' ? ('done' as const) : ('answer' as const), text: read.answer }
    : null
}
