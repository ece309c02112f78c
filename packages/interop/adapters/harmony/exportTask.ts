/** A task as one Harmony list: messages, thoughts and tool calls, in order. Imported messages are exported as they came. */
import { fieldsIn, jsonOrText, jsonValueOf } from '@/lib/json'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import { withAnchors } from '@/lib/mas/cited'
import type { StepId } from '@/lib/mas/ids'
import { selectVoice, selectWorkOf, selectWorkReport } from '@/lib/mas/outside/outsideWork'
import type { WorkState } from '@/lib/mas/outside/records'
import type {
  AgentRecord,
  BodyRef,
  MessageRecord,
  ModelCall,
  RequestRecord,
  StepRecord,
  World,
} from '@/lib/mas/records'
import { isOpen, isStepOver } from '@/lib/mas/statuses'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import {
  type HarmonyMessage,
  type HarmonyMetadata,
  type HarmonyPart,
  toolError,
  toolHalted,
  toolSuccess,
  withoutBytes,
} from '@/lib/protocols/harmony/message'
import { sumKnown } from '@/lib/sumKnown'
import { bodyText } from '@/server/shared/bodyText'
import type { Store } from '@/server/store'
import type { Readable } from './caller'
import { attachedPart, type MediaAddress, videoOf } from './media'
import { originalOf } from './originals'
import { openSources } from './sources'

type Bodies = Pick<Store['bodies'], 'get'>
type Steps = ReadonlyMap<StepId, StepRecord>
type Place = { at: number; seq: number; list: () => Promise<unknown[]> }

/** Skills whose step is represented by its message, or by the tool call that it wrote. */
const SAID_ELSEWHERE = new Set(['send_message', 'instruction_generation'])

/** in: what the caller may read; the addresses of files. out: messages in the order of their creation, made lazily */
export async function* exportTask(readable: Readable, bodies: Bodies, address: MediaAddress): AsyncGenerator<unknown> {
  const { world, task, sight } = readable
  const messages = (Object.values(world.messages[task] ?? {}) as MessageRecord[])
    .filter(({ instruction }) => instruction?.type !== 'update_working_memory')
    .concat(saidOfWork(readable))
    .filter(sight.message)
  const steps = stepsOfAll(world.steps[task]).filter(sight.step)
  const byId: Steps = new Map(steps.map((step) => [step.id, step]))
  const exporter = new Exporter(readable, openSources(readable, byId), bodies, address)
  const places: Place[] = [
    ...firstOfEach(messages).map((message) => ({
      at: message.at,
      seq: message.seq,
      list: () => exporter.message(message, byId),
    })),
    ...steps.flatMap((step) => exporter.placeOf(step, byId)),
  ].sort((a, b) => a.seq - b.seq)
  for (const place of places) yield* await place.list()
}

/** Messages of one dispatch are exported once; `metadata.to` names all receivers. */
function firstOfEach(messages: readonly MessageRecord[]): MessageRecord[] {
  const byAct = new Map<string, Map<string, MessageRecord>>()
  for (const message of messages) {
    const act = message.imported === undefined ? message.dispatch : message.id
    const texts = byAct.get(act) ?? new Map<string, MessageRecord>()
    const first = texts.get(message.text)
    texts.set(message.text, first ? { ...first, receivers: [...first.receivers, ...message.receivers] } : message)
    byAct.set(act, texts)
  }
  return [...byAct.values()].flatMap((texts) => [...texts.values()])
}

/** Messages to and from a peer's agent in the work that it requested, sent as its partner. */
function saidOfWork({ world, task, conversation }: Readable): MessageRecord[] {
  if (conversation === null) return []
  return selectWorkOf(world, task)
    .flatMap((work): MessageRecord[] => Object.values(world.messages[work.id] ?? {}))
    .map((message) =>
      message.sender === conversation.agent
        ? message
        : { ...message, sender: selectVoice(message, conversation), fromStep: null },
    )
}

class Exporter {
  private readonly world: World

  constructor(
    private readonly readable: Readable,
    private readonly sourcesOf: ReturnType<typeof openSources>,
    private readonly bodies: Bodies,
    private readonly address: MediaAddress,
  ) {
    this.world = readable.world
  }

  /** The state of a peer's work, as the message reports it. */
  private statusIn(message: MessageRecord): { task_status?: WorkState } {
    const { conversation } = this.readable
    const isToPeer = conversation !== null && message.receivers.includes(conversation.agent)
    const report = isToPeer ? selectWorkReport(this.world, message, conversation.agent) : null
    return report === null ? {} : { task_status: report.state }
  }

  async message(message: MessageRecord, steps: Steps): Promise<unknown[]> {
    const { imported, sender, at } = message
    if (imported !== undefined) return [await originalOf(message, imported, this.bodies, this.address)]
    const cited = this.sourcesOf(message)
    const text = cited === null ? message.text : withAnchors(message.text, cited)
    const parts: HarmonyPart[] = text === '' ? [] : [{ type: 'text', text: withoutBytes(text) }]
    for (const [index, attachment] of message.attachments.entries()) {
      const part = await attachedPart(attachment, this.address(message.id, index), this.bodies)
      parts.push(part.type === 'text' ? part : { ...part, ...videoOf(message.attachments, index) })
    }
    const from = message.fromStep === null ? undefined : steps.get(message.fromStep)
    const head = { id: message.id, created_at: seconds(at), content: parts.map(withIndex) }
    const metadata: HarmonyMetadata = {
      ...(from ? measured(from.calls) : {}),
      ...this.placeIn(message.fromStep),
      to: message.receivers.map((id) => this.world.agents[id]?.name ?? id),
      ...(cited === null ? {} : { citation_map: cited.map }),
      ...this.statusIn(message),
    }
    if (sender === 'system:task') return [{ ...head, role: 'system', metadata }]
    const speaker = this.world.agents[sender]
    return [{ ...head, role: roleOf(speaker), name: speaker?.name || sender, metadata }]
  }

  /** The messages of a step beside those of the chat; []: none (yet). */
  placeOf(step: StepRecord, steps: Steps): Place[] {
    const isOver = isStepOver(step)
    if (step.type === 'tool') {
      const halted = isOver ? null : this.haltOf(step)
      if (!isOver && halted === null) return []
      if (step.instruction === null || step.instruction.kind === 'none') return []
      const at =
        halted === null
          ? { at: step.endedAt ?? 0, seq: step.endedSeq ?? 0 }
          : { at: halted.openedAt, seq: halted.openedSeq }
      return [{ ...at, list: () => this.call(step, halted, steps) }]
    }
    if (!isOver || (SAID_ELSEWHERE.has(step.executor) && step.state === 'finished')) return []
    return [{ at: step.endedAt ?? 0, seq: step.endedSeq ?? 0, list: () => this.thought(step) }]
  }

  private async thought(step: StepRecord): Promise<HarmonyMessage[]> {
    const said = step.result === null ? '' : await this.textOf(step.result.text, step.result.body)
    const text = said === '' ? (step.reason ?? '') : withoutNotes(said)
    if (text.trim() === '') return []
    return [
      {
        id: step.id,
        role: 'assistant',
        ...this.nameOf(step),
        created_at: seconds(step.endedAt ?? step.createdAt),
        content: [{ type: 'text', text: withoutBytes(text), index: 0 }],
        metadata: { ...measured(step.calls), ...this.placeIn(step.id), skill: step.executor, state: step.state },
      },
    ]
  }

  private async call(step: StepRecord, halted: RequestRecord | null, steps: Steps): Promise<HarmonyMessage[]> {
    const { instruction } = step
    const isCall = instruction?.kind === 'call'
    const name = `${step.executor}.${isCall ? instruction.name : 'get_description'}`.slice(0, 512)
    const args = isCall ? ((await bodyText(this.bodies, instruction.arguments)) ?? '{}') : '{}'
    // The tokens of a call are those of the step that wrote its arguments.
    const wrote = step.boundTo === null ? undefined : steps.get(step.boundTo)
    const made = { created_at: seconds(step.startedAt ?? step.createdAt), ...this.nameOf(step) }
    const answer = halted === null ? await this.answerOf(step) : toolHalted(halted.question)
    return [
      {
        id: `${step.id}:call`,
        role: 'assistant',
        ...made,
        content: null,
        tool_calls: [{ id: step.id, type: 'function', function: { name, arguments: args } }],
        metadata: { ...(wrote ? measured(wrote.calls) : {}), ...this.placeIn(step.id) },
      },
      {
        id: `${step.id}:result`,
        role: 'tool',
        tool_call_id: step.id,
        name,
        created_at: seconds(halted?.openedAt ?? step.endedAt ?? step.createdAt),
        content: answer,
      },
    ]
  }

  /** Ids: people see the task and the step; a peer sees the shared conversation only. */
  private placeIn(step: StepId | null): Pick<HarmonyMetadata, 'session_id' | 'trace_id'> {
    const { task, conversation } = this.readable
    if (conversation !== null) return { session_id: conversation.shared ?? conversation.id }
    return { session_id: task, ...(step === null ? {} : { trace_id: step }) }
  }

  /** The open request that holds the step. */
  private haltOf({ held, task }: StepRecord): RequestRecord | null {
    const request = held === null ? undefined : this.world.requests[task]?.[held]
    return request && isOpen(request) ? request : null
  }

  private async answerOf(step: StepRecord): Promise<string | HarmonyPart[]> {
    const { result, reason } = step
    const text = result === null ? '' : await this.textOf(result.text, result.body)
    if (step.state === 'failed') {
      const isRefused = fieldsIn(result?.made).status === 'refused'
      return toolError(isRefused ? 'Refused' : 'ToolFailed', withoutBytes(reason ?? result?.text ?? ''))
    }
    const kept = fieldsIn(jsonValueOf(text)).mcp_server_result
    const content = fieldsIn(kept).content
    if (!Array.isArray(content)) return toolSuccess(jsonOrText(withoutBytes(text)))
    const pictures = content.flatMap(pictureOf)
    const rest = { ...fieldsIn(kept), content: content.filter((part) => pictureOf(part).length === 0) }
    const words = withoutBytes(toolSuccess(rest))
    return pictures.length === 0 ? words : [{ type: 'text', text: words, index: 0 }, ...pictures]
  }

  private nameOf({ agent }: StepRecord): { name: string } {
    return { name: this.world.agents[agent]?.name || agent }
  }

  private async textOf(short: string, body: BodyRef | null): Promise<string> {
    return body === null ? short : ((await bodyText(this.bodies, body)) ?? short)
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1_000)
const withIndex = (part: HarmonyPart, index: number): HarmonyPart => (part.type === 'text' ? { ...part, index } : part)
const roleOf = (speaker: AgentRecord | undefined): 'user' | 'assistant' =>
  speaker?.kind === 'human' ? 'user' : 'assistant'

/** A picture in a tool result has no address, so its bytes are included. */
function pictureOf(part: unknown): HarmonyPart[] {
  const { type, data, mimeType } = fieldsIn(part)
  if (type !== 'image' || typeof data !== 'string' || typeof mimeType !== 'string') return []
  return [{ type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } }]
}

/** Sums over model calls; unknown numbers are left out. */
function measured(calls: readonly ModelCall[]): HarmonyMetadata {
  const last = calls.at(-1)
  if (last === undefined) return {}
  const sum = (value: (call: ModelCall) => number | null): number | undefined => sumKnown(calls.map(value)) ?? undefined
  const usage = {
    prompt_tokens: sum((call) => call.promptTokens),
    completion_tokens: sum((call) => call.completionTokens),
    total_cost_usd: sum((call) => call.costUsd),
  }
  return {
    token_usage: defined(usage),
    latency_ms: defined({
      ttft: last.firstTokenMs === null ? undefined : Math.round(last.firstTokenMs),
      total_time: sum((call) => Math.round(call.totalMs)),
    }),
    ...(last.modelVersion === null ? { model_version: last.model } : { model_version: last.modelVersion }),
    ...(last.fingerprint === undefined ? {} : { system_fingerprint: last.fingerprint }),
  }
}

const defined = (record: Record<string, number | undefined>): Record<string, number> =>
  Object.fromEntries(Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))
