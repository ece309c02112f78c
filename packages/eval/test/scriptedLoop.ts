/** Language models of the AI SDK that say what a script holds, for the plain loop of the evaluation. */
import { MockLanguageModelV3 } from 'ai/test'
import { z } from 'zod'
import type { LoopModel } from '../plainLoop/sdk'
import { readScript } from './scriptLines'

/** arguments: a text is sent as it is. */
const lineShape = z.strictObject({
  agent: z.string(),
  text: z.string().optional(),
  calls: z.array(z.strictObject({ tool: z.string(), arguments: z.unknown() })).optional(),
})
export type LoopLine = z.infer<typeof lineShape>

/** in: a file of JSON lines */
export const readLoopScript = (file: string): LoopLine[] => readScript(file, lineShape)

const TOKENS = { prompt: 1_000, cached: 600, completion: 50 }

/**
 * in      answers; each agent takes its own, in their order. More calls than answers is a fault of the model
 * out     the model for an agent; `left`: how many answers nobody took. Each call reports the tokens above
 */
export function scriptedLoop(lines: readonly LoopLine[]): { modelFor: (agent: string) => LoopModel; left(): number } {
  const open = [...lines]
  return {
    left: () => open.length,
    modelFor: (agent) =>
      new MockLanguageModelV3({
        modelId: 'scripted-1',
        doGenerate: async () => {
          const at = open.findIndex((line) => line.agent === agent)
          const [line] = at === -1 ? [] : open.splice(at, 1)
          if (line === undefined) throw new Error(`the script has no more answers of ${agent}`)
          const calls = line.calls ?? []
          return {
            content: [
              ...(line.text === undefined ? [] : [{ type: 'text' as const, text: line.text }]),
              ...calls.map((call, index) => ({
                type: 'tool-call' as const,
                toolCallId: `${open.length}-${index}`,
                toolName: call.tool,
                input: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
              })),
            ],
            finishReason: { unified: calls.length > 0 ? ('tool-calls' as const) : ('stop' as const), raw: undefined },
            usage: {
              inputTokens: {
                ...{ total: TOKENS.prompt, cacheRead: TOKENS.cached, noCache: TOKENS.prompt - TOKENS.cached },
                cacheWrite: undefined,
              },
              outputTokens: { total: TOKENS.completion, text: TOKENS.completion, reasoning: undefined },
            },
            warnings: [],
          }
        },
      }),
  }
}
