/** Calls of the HTTP API with their answers checked; a refusal is thrown with its sentence. */
import type * as z from 'zod'
import { refusalBody } from '@/lib/wire/http'
import type { ApiCall, McpCaller, McpServerParts } from '@/server/mcpServer'

/** A refusal of the API. code: of the Fault; message: its sentence, for the client */
export class ApiRefused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

const textOf = (content: Uint8Array): string => new TextDecoder().decode(content)

/** in: answers: the schema of the route. Throws ApiRefused. */
export async function ask<T>(caller: McpCaller, call: ApiCall, answers: z.ZodType<T>): Promise<T> {
  return answers.parse(JSON.parse(textOf((await answered(caller, call)).content)))
}

/** What a route answers with bytes. Throws ApiRefused. */
export async function answered(caller: McpCaller, call: ApiCall): Promise<{ mime: string; content: Uint8Array }> {
  const { status, mime, content } = await caller.call(call)
  if (status < 400) return { mime, content }
  const refused = refusalBody.safeParse(jsonOf(textOf(content)))
  throw new ApiRefused(refused.data?.error ?? 'INTERNAL', refused.data?.message ?? `The server answered ${status}.`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The head of a command that is sent now. */
export const headNow = ({ newId, deadline }: Pick<McpServerParts, 'newId' | 'deadline'>) => ({
  id: newId(),
  until: deadline(),
})
