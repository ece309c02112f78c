/** The arguments of tool calls as people send them, and what the tools of a server take. */
import { Fault } from '@/lib/faults'
import { bodyOf } from '@/lib/mas/bodies'
import type { AgentRecord } from '@/lib/mas/records'
import { EXCESS_WORDS, parseBounded } from '@/server/shared/boundedJson'
import { checkArguments, type ToolInfo } from '@/server/tools'
import { assertSize } from '../commands'
import type { ToolPort } from '../ports'
import { mustFind } from './resolve'

/** Bytes of the arguments of a call; the engine runs no larger ones. */
export const ARGUMENT_BYTES = 1024 * 1024

/** Errors of a server are shown to operators only: they may name hosts and folders. */
export const whyFor = (person: AgentRecord, why: string): string | null => (person.access === 'operator' ? why : null)

/** out: null: its server has no such tool, or cannot be asked */
export async function toolOf(tools: ToolPort, call: { server: string; tool: string }): Promise<ToolInfo | null> {
  const described = await tools.describe(call.server)
  return (described.ok && described.description.tools.find(({ name }) => name === call.tool)) || null
}

/** A tool that is to be called. Throws TOOL_UNREACHABLE, NOT_FOUND. */
export async function neededTool(
  tools: ToolPort,
  person: AgentRecord,
  call: { server: string; tool: string },
): Promise<ToolInfo> {
  const described = await tools.describe(call.server)
  if (!described.ok) {
    throw new Fault('TOOL_UNREACHABLE', { server: call.server, why: whyFor(person, described.message) ?? '' })
  }
  const info = described.description.tools.find(({ name }) => name === call.tool)
  return mustFind(info, `tool of ${call.server}`, call.tool)
}

/** Arguments, or a form, as JSON text. Throws BAD_ARGUMENTS, TOO_LARGE. */
export function readArguments(text: string): { json: unknown } & ReturnType<typeof bodyOf> {
  assertSize(text, 'The arguments', ARGUMENT_BYTES)
  const read = parseBounded(text)
  if (!read.ok)
    throw new Fault('BAD_ARGUMENTS', {
      why: read.why === 'syntax' ? 'they are not valid JSON' : `their text ${EXCESS_WORDS[read.why]}`,
    })
  return { json: read.value, ...bodyOf(text, 'application/json') }
}

/** Throws BAD_ARGUMENTS with which of them does not fit, and why. */
export async function mustFitTool(info: ToolInfo, json: unknown): Promise<void> {
  const checked = await checkArguments(info, json)
  if (!checked.ok) throw new Fault('BAD_ARGUMENTS', { why: checked.message })
}
