/** What a plain loop did: its model calls, its tool calls, and who said what. */
import type { JSONValue } from 'ai'
import type { ProviderModelConfig } from '@/server/models'
import { usageOf } from '@/server/models/usage'
import type { CountedCall } from '../countPrompts'
import type { Asked, Told } from '../job'
import { type JobFigures, sumFigures } from '../measure'
import type { AiSdk, LoopModel } from './sdk'

type CallOptions = Parameters<LoopModel['doGenerate']>[0]
type CallResult = Awaited<ReturnType<LoopModel['doGenerate']>>
type Message = CallOptions['prompt'][number]
type Part = Exclude<Message['content'], string>[number] | CallResult['content'][number]

/** error: why the call has no answer */
type LoopCall = CountedCall & { error: string | null; figures: JobFigures }

/** call: the number of the model call that made it. repair: the arguments or the name were wrong, so nothing ran. */
type LoopToolCall = {
  call: number
  agent: string
  tool: string
  input: string
  outcome: string
  state: 'finished' | 'failed'
  repair: 'form' | 'name' | null
  changes: boolean
}

export type LoopLog = {
  calls: LoopCall[]
  toolCalls: LoopToolCall[]
  asked: Asked[]
  told: Told[]
  saidAmongAgents: Told[]
  /** States of the calls of other agents and of a person's reviews. */
  stages: ('finished' | 'failed')[]
}

export const emptyLog = (): LoopLog => ({
  ...{ calls: [], toolCalls: [], asked: [], told: [], saidAmongAgents: [], stages: [] },
})

/** The number of an agent's newest call, from 1; 0: it made none. */
export const callOf = ({ calls }: LoopLog, agent: string): number =>
  calls.findLastIndex((call) => call.agent === agent) + 1

type Logging = { sdk: AiSdk; log: LoopLog; price: ProviderModelConfig['price'] }

/** The model for an agent; its calls, failed ones too, are in the log. */
export function loggedModel(model: LoopModel, agent: string, { sdk, log, price }: Logging): LoopModel {
  return sdk.wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v3',
      wrapGenerate: async ({ doGenerate, params }) => {
        const begun = performance.now()
        const prompt = promptOf(params)
        const msSince = (): number => performance.now() - begun
        try {
          const result = await doGenerate()
          const answer = result.content.map(sayPart).join('\n')
          const figures = figuresOf(prompt, answer, result.usage, price ?? null, msSince())
          log.calls.push({
            agent,
            prompt,
            answer,
            error: null,
            figures,
          })
          return result
        } catch (error) {
          const figures = { ...sumFigures([]), calls: 1, lostCalls: 1, modelMs: msSince() }
          const said = error instanceof Error ? error.message : String(error)
          log.calls.push({ agent, prompt, answer: '', error: said, figures })
          throw error
        }
      },
    },
  })
}

function figuresOf(
  prompt: readonly string[],
  answer: string,
  { inputTokens, outputTokens }: CallResult['usage'],
  price: NonNullable<ProviderModelConfig['price']> | null,
  modelMs: number,
): JobFigures {
  const counted = {
    prompt: inputTokens.total ?? null,
    completion: outputTokens.total ?? null,
    cached: inputTokens.cacheRead ?? null,
    cacheWritten: inputTokens.cacheWrite ?? null,
    reasoning: outputTokens.reasoning ?? null,
  }
  const usage = usageOf(counted, [{ role: 'user', content: prompt.join('\n') }], answer, price)
  return {
    ...sumFigures([]),
    calls: 1,
    tokens: {
      sent: usage.promptTokens ?? 0,
      cached: usage.cachedTokens ?? 0,
      got: usage.completionTokens ?? 0,
      estimated: usage.estimated,
    },
    cost: usage.costUsd,
    modelMs,
  }
}

/** in the order of a request: functions, then messages */
const promptOf = ({ tools, prompt }: CallOptions): string[] => [
  ...(tools ?? []).map((tool) =>
    tool.type === 'function'
      ? JSON.stringify({ name: tool.name, description: tool.description, parameters: tool.inputSchema })
      : JSON.stringify(tool),
  ),
  ...prompt.map(({ role, content }) =>
    [`${role}:`, ...(typeof content === 'string' ? [content] : content.map(sayPart))].join('\n'),
  ),
]

function sayPart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return `${part.toolName} ${typeof part.input === 'string' ? part.input : JSON.stringify(part.input)}`
    case 'tool-result':
      return 'output' in part ? sayOutput(part.output) : sayValue(part.result)
    case 'tool-approval-request':
    case 'tool-approval-response':
    case 'file':
    case 'source':
      return JSON.stringify(part)
  }
}

type Output = Extract<Part, { type: 'tool-result'; output: unknown }>['output']

function sayOutput(output: Output): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return sayValue(output.value)
    case 'execution-denied':
      return output.reason ?? ''
    case 'content':
      return JSON.stringify(output.value)
  }
}

const sayValue = (value: JSONValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
