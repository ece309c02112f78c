/** One tool step: its instruction carried out, or held until a person has decided. */
import { firstSentence } from '@/lib/format/firstSentence'
import { isJsonObject } from '@/lib/json'
import { stepSeesFile } from '@/lib/mas/access/access'
import { previewOf } from '@/lib/mas/bodies'
import type { BodyRef, HeldCall, Json, StepInput, StepRecord, StepResult, ToolRule, World } from '@/lib/mas/records'
import type { Said } from '@/lib/mas/said'
import { missingFile } from '@/lib/mas/steps/failureCause'
import { plainOutcome, type StepOutcome } from '@/lib/mas/steps/outcome'
import { strictRuleFor } from '@/lib/mas/steps/toolRules'
import { selectName, selectStep } from '@/lib/mas/team/agents'
import { sayInLanguage } from '@/lib/mas/words'
import type { FilesFound, FileWatch } from '../../files'
import { EXCESS_WORDS, parseBounded } from '../../shared/boundedJson'
import type { BodyCache } from '../../skills/port'
import {
  capabilitiesList,
  checkArguments,
  type ServerRequestHandlers,
  type ToolCallOptions,
  type ToolInfo,
  type ToolOutcome,
  type ToolPool,
  type ToolProgress,
  type ToolResult,
  toolDefinition,
  unreadInWords,
} from '../../tools'
import { callTitle } from './callTitle'
import type { ReadAhead } from './readAhead'
import { givenInput, stepInput, withInput } from './toolInput'

type ToolRun = {
  world: World
  step: StepRecord
  bodies: BodyCache
  pool: ToolPool
  ahead: ReadAhead
  signal: AbortSignal
  /** How far the call is, a line at a time. */
  onProgress(text: string): void
  /** Answers the server's questions during the call. */
  asks: ServerRequestHandlers
  /** Written down before the call goes out, so that a crash in the middle is known. */
  onEffect(): Promise<void>
  /** Compares the workspace before and after a call that may write; absent: nothing is compared. */
  files?: FileWatch
  /** Files changed while the call ran. */
  onFiles(found: FilesFound): Promise<void>
}

/** Over, or held: what would run is shown to people first, or they are asked what its server needs to know. */
export type ToolEnd =
  | { held: false; outcome: StepOutcome }
  | { held: true; until: { type: 'holdStep'; call: HeldCall; title?: Said } | { type: 'askInput'; input: StepInput } }

/** Run a tool step that has its instruction. Aborts reject; everything else is an outcome. */
export async function runTool(run: ToolRun): Promise<ToolEnd> {
  const { step, world } = run
  const server = step.executor
  if (!world.agents[step.agent]?.tools.includes(server))
    return over(failed(`${server} is not among this agent's tools`, false))
  const { instruction } = step
  if (instruction === null) return over(failed('it has no instruction', false))
  switch (instruction.kind) {
    case 'none':
      return over(plainOutcome(instruction.reason))
    case 'get_description':
      return over(await askAbilities(run, server))
    case 'call':
      return callTool(run, server, instruction)
    default:
      return instruction satisfies never
  }
}

/** An instruction is at most this long. */
const ARGUMENT_BYTES = 1024 * 1024

const over = (outcome: StepOutcome): ToolEnd => ({ held: false, outcome })

const failed = (reason: string, decides: boolean, result?: StepResult, made: Json = null): StepOutcome => ({
  ...plainOutcome(reason),
  state: 'failed',
  reason,
  failureCause: missingFile(reason) === null ? 'tool' : 'file',
  result: result ?? { kind: 'tool', text: previewOf(reason), body: null, made },
  sync: { need_tool_decision: decides, send_shared_info: { content: reason } },
})

async function askAbilities({ world, pool, bodies, signal }: ToolRun, server: string): Promise<StepOutcome> {
  const answer = await pool.describe(server, signal)
  if (!answer.ok) return failed(answer.message, false)
  const text = JSON.stringify(
    { capabilities_list_description: capabilitiesList(answer.description, world.team.language) },
    null,
    1,
  )
  return {
    ...plainOutcome(''),
    result: { kind: 'description', text: previewOf(text), body: bodies.make(text, 'application/json'), made: null },
    sync: { need_tool_decision: true, send_shared_info: { content: `asked ${server} what it can do` } },
  }
}

type CallInstruction = Extract<NonNullable<StepRecord['instruction']>, { kind: 'call' }>

async function callTool(run: ToolRun, server: string, instruction: CallInstruction): Promise<ToolEnd> {
  const { pool, bodies, signal, step, world } = run
  const described = await pool.describe(server, signal)
  if (!described.ok) return over(failed(described.message, false))
  const info = described.description.tools.find(
    (tool) => instruction.target === 'tool' && tool.name === instruction.name,
  )
  if (instruction.arguments.bytes > ARGUMENT_BYTES) return over(failed('its arguments are larger than 1 MiB', true))
  const args = parseArguments(await bodies.text(instruction.arguments))
  if (typeof args === 'string') return over(failed(args, true))
  if (info) {
    const fits = await checkArguments(info, args)
    if (!fits.ok) return over(failed(fits.message, true))
    const rule = strictRuleFor(world, step, { server, tool: info.name })
    if (rule?.rule === 'off') return over(failed(offWords(world, rule, `${server}.${info.name}`), true))
    const isConfirmed = step.approvedBy?.digest === instruction.arguments.sha
    if (step.byHand && info.confirmByHand && !isConfirmed) {
      // It needed no confirmation when it was started: only the person who started it may confirm what would run now.
      return over(failed(sayInLanguage(world.team.language, 'unconfirmed', { call: `${server}.${info.name}` }), false))
    }
    if (!step.byHand && (info.confirm || rule !== null) && !isConfirmed) {
      const title = await callTitle(info, args, async (path) => {
        const found = (await run.files?.find(path)) ?? null
        return found !== null && stepSeesFile(world, step, found.path) ? found : null
      })
      const held = callOf(server, info, instruction.arguments)
      return { held: true, until: { type: 'holdStep', call: held, ...(title && { title }) } }
    }
  }
  await run.onEffect()
  const { target, name } = instruction
  const { asks, ahead } = run
  const onProgress = (progress: ToolProgress): void => run.onProgress(`${progressLine(progress)}\n`)
  const nobody = askingNobody()
  if (info?.readOnly)
    ahead.begin(world, step, described.description.tools, (...next) => callAhead(run, server, nobody, ...next))
  const call = { kind: target, name, arguments: args }
  const given = await givenInput(world, step, bodies)
  const send = () =>
    withInput(run, given, (answers) => {
      const options = { ...optionsOf(world, step), signal, asks, onProgress, ...(answers && { answers }) }
      return pool.call(server, call, options)
    })
  const isReading = target !== 'tool' || info?.readOnly === true
  const early = step.input ? null : await ahead.take(step, signal)
  signal.throwIfAborted()
  const answer = early ?? (await (isReading ? send() : watched(run, args, send)))
  const input = answer.ok ? undefined : answer.input
  if (input !== undefined && input.questions.length > 0) {
    const asked = stepInput(step, input, bodies)
    return typeof asked === 'string'
      ? over(failed(asked, true))
      : { held: true, until: { type: 'askInput', input: asked } }
  }
  const edit = editOf(world, step)
  if (!answer.ok) {
    signal.throwIfAborted()
    const decides = answer.code === 'TOOL_ARGUMENTS' || answer.code === 'TOOL_UNKNOWN'
    return over(failed(answer.message, decides, undefined, edit))
  }
  return over(resultOutcome(run, `${server}.${name}`, answer.result, edit))
}

const offWords = (world: World, { by }: ToolRule, call: string): string =>
  sayInLanguage(world.team.language, 'toolOff', { call, who: selectName(world, by) })

/** The call, with what changed in the workspace while it ran recorded, however it ends. */
async function watched(run: ToolRun, args: unknown, send: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  const watch = await run.files?.before(args, (run.step.attempt?.number ?? 1) > 1)
  try {
    return await send()
  } finally {
    const found = (await watch?.after()) ?? null
    if (found !== null) await run.onFiles(found)
  }
}

const optionsOf = (world: World, step: StepRecord): ToolCallOptions => ({
  group: step.task,
  caller: callerOf(step),
  isHidden: (path) => !stepSeesFile(world, step, path),
})

/** For calls whose step does not run yet: only a running step can ask people or its model. */
function askingNobody() {
  const asks = {
    asksNobody: true as const,
    /** How often a server has asked something. */
    times: 0,
    async question() {
      asks.times += 1
      return { action: 'cancel' } as const
    },
    async sample() {
      asks.times += 1
      return { ok: false, reason: 'the step of this call does not run yet' } as const
    },
  } satisfies ServerRequestHandlers & { times: number }
  return asks
}

/**
 * The call of a step that waits behind the one that runs; null when its arguments do not fit, or when a server asked something
 * meanwhile: on a shared pipe it is not known during which of these calls.
 */
async function callAhead(
  { world, pool, bodies }: ToolRun,
  server: string,
  asks: ReturnType<typeof askingNobody>,
  next: StepRecord,
  tool: ToolInfo,
  signal: AbortSignal,
): Promise<ToolOutcome | null> {
  if (next.instruction?.kind !== 'call') return null
  const args = parseArguments(await bodies.text(next.instruction.arguments))
  if (typeof args === 'string' || !(await checkArguments(tool, args)).ok) return null
  const { times } = asks
  const call = { kind: 'tool' as const, name: tool.name, arguments: args }
  const answer = await pool.call(server, call, { ...optionsOf(world, next), signal, asks })
  const isAsking = asks.times !== times || (!answer.ok && answer.input !== undefined)
  return isAsking ? null : answer
}

const callerOf = ({ agent, task, stage, id: step }: StepRecord) => ({ agent, task, stage, step })

/** `3/10 reading pages`, as far as the server says. */
const progressLine = ({ progress, total, message }: ToolProgress): string =>
  [total === undefined ? String(progress) : `${progress}/${total}`, message ?? ''].join(' ').trim()

const callOf = (server: string, info: ToolInfo, args: BodyRef): HeldCall => ({
  server,
  tool: info.name,
  arguments: args,
  digest: args.sha,
  changes: firstSentence(info.description ?? ''),
  ...(info.confirmRule === 'always' ? { always: true as const } : {}),
  definition: toolDefinition(info),
})

/** The note for the agent and its later prompts when people changed the call. */
function editOf(world: World, step: StepRecord): Json {
  const notes = [editAtRetry(world, step), editAtApproval(world, step)].filter((note) => note !== null)
  return notes.length === 0 ? null : { note: notes.join('; ') }
}

/** Who changed the arguments when the step was done again, and what they were. */
function editAtRetry(world: World, step: StepRecord): string | null {
  if (step.editedBy === undefined) return null
  const argumentsIn = (one: StepRecord) => (one.instruction?.kind === 'call' ? one.instruction.arguments : null)
  // The new step was retried as it was: what was changed is further back.
  let before: StepRecord | null = step
  do before = before.retryOf && selectStep(world, before.task, before.agent, before.retryOf)
  while (before?.editedBy !== undefined && argumentsIn(before)?.sha === argumentsIn(step)?.sha)
  const was = (before && argumentsIn(before)?.preview) ?? ''
  return sayInLanguage(world.team.language, 'editedBefore', { who: selectName(world, step.editedBy), was })
}

/** Who changed the arguments when they approved the call, and what they were. */
function editAtApproval(world: World, step: StepRecord): string | null {
  if (!step.approvedBy?.edited) return null
  const asked = Object.values(world.requests[step.task] ?? {}).findLast(
    (request) =>
      request.kind === 'confirm' && request.step === step.id && request.answer?.decision === 'approve_edited',
  )
  const who = selectName(world, step.approvedBy.by)
  return sayInLanguage(world.team.language, 'editedBefore', { who, was: asked?.call?.arguments.preview ?? '' })
}

function resultOutcome(
  { bodies, world }: ToolRun,
  call: string,
  { unread, ...result }: ToolResult,
  made: Json,
): StepOutcome {
  const notes = (unread ?? []).map((one) => unreadInWords(world.team.language, one))
  const kept = { ...result, ...(notes.length === 0 ? {} : { notes }) }
  const body = bodies.make(JSON.stringify({ mcp_server_result: kept }), 'application/json')
  const text = [textOf(result), ...notes.map((note) => `[${note}]`)].join('\n\n')
  const shown: StepResult = { kind: 'tool', text: previewOf(text), body, made }
  if (result.isError) return failed(previewOf(text), true, shown)
  return {
    ...plainOutcome(''),
    result: shown,
    sync: { need_tool_decision: true, send_shared_info: { content: `called ${call}` } },
  }
}

/** What lists show of a result: its texts, anything else named by its kind. */
const textOf = (result: ToolResult): string =>
  result.content
    .map((part) => {
      switch (part.type) {
        case 'text':
          return part.text
        case 'image':
        case 'audio':
          return `[${part.type} ${part.mimeType}]`
        case 'resource':
          return part.text ?? `[resource ${part.uri}]`
        case 'resource_link':
          return `[link ${part.uri}]`
        default:
          return part satisfies never
      }
    })
    .join('\n\n')

/** out: the arguments, or what is wrong with them. */
function parseArguments(text: string): Record<string, Json> | string {
  const read = parseBounded(text)
  if (read.ok) return isJsonObject(read.value) ? read.value : 'its arguments are no JSON object'
  return read.why === 'syntax'
    ? 'its arguments are no JSON object'
    : `the text of its arguments ${EXCESS_WORDS[read.why]}`
}
