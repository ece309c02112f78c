/** Slips of models that call functions: every n-th answer is what small models really send. */
import type { FunctionCall, FunctionTool, Model, ModelPiece } from '@/server/models/model'

export const NATIVE_SLIPS = ['wrong_function', 'bad_arguments', 'two_calls', 'no_call', 'text_beside'] as const
export type NativeSlip = (typeof NATIVE_SLIPS)[number]

type Said = { text: string; calls: readonly FunctionCall[] }

const MAKERS: Record<NativeSlip, (calls: readonly FunctionCall[], functions: readonly FunctionTool[]) => Said> = {
  wrong_function: ([first, ...rest], functions) => {
    const other = functions.find(({ name }) => name !== first?.name && name === 'ask_info') ?? functions[0]
    return {
      text: '',
      calls: first === undefined || other === undefined ? [] : [{ ...first, name: other.name }, ...rest],
    }
  },
  bad_arguments: (calls) => ({
    text: '',
    calls: calls.map((call, at) =>
      at > 0 ? call : { ...call, arguments: call.arguments.slice(0, Math.floor(call.arguments.length / 2)) },
    ),
  }),
  two_calls: (calls) => ({
    text: '',
    calls: [...calls, { id: `${calls[0]?.id}_too`, name: 'skip', arguments: '{"value":"done"}' }],
  }),
  no_call: () => ({ text: 'I go on with the work, and then I say what I found.', calls: [] }),
  text_beside: (calls) => ({ text: 'First I think: <summary>nothing is done</summary>.', calls }),
}

/** The same model; its slips in turn. Answers without a call slip not. */
export function nativeSlipping(
  model: Model,
  every: number,
): { model: Model; made: { call: number; slip: NativeSlip }[] } {
  const made: { call: number; slip: NativeSlip }[] = []
  let count = 0
  return {
    made,
    model: {
      ...model,
      async *call(turns, options): AsyncGenerator<ModelPiece> {
        count += 1
        const own = count
        for await (const piece of model.call(turns, options)) {
          const { calls = [] } = piece.type === 'end' ? piece : {}
          if (piece.type !== 'end' || calls.length === 0 || own % every !== 0) {
            yield piece
            continue
          }
          const slip = NATIVE_SLIPS[made.length % NATIVE_SLIPS.length] ?? 'no_call'
          made.push({ call: own, slip })
          const said = MAKERS[slip](calls, options.functions ?? [])
          if (said.text !== '') yield { type: 'text', text: said.text }
          const { calls: _, ...end } = piece
          yield { ...end, ...(said.calls.length === 0 ? { finish: 'stop' } : { finish: 'calls', calls: said.calls }) }
        }
      },
    },
  }
}
