/** Slips of models that are held to a schema: every n-th answer is what servers let through all the same. */
import { NOTES_KEY, tagsOfObject } from '@/lib/mas/formats'
import type { Json } from '@/lib/mas/records'
import type { Model, ModelPiece } from '@/server/models/model'

/** empty: no tag has a value. cut: at the length limit. tags, fenced: the server enforced nothing. misspelt: a name of nobody. */
export const SCHEMA_SLIPS = ['empty', 'cut', 'tags', 'fenced', 'misspelt'] as const
export type SchemaSlip = (typeof SCHEMA_SLIPS)[number]

type Fields = { [key: string]: Json }
type Said = { text: string; finish: 'stop' | 'length'; isObject?: true }

const MAKERS: Record<SchemaSlip, (text: string) => Said> = {
  empty: (text) => {
    const none = Object.fromEntries(Object.keys(JSON.parse(text) as Fields).map((key) => [key, null]))
    return { text: JSON.stringify({ ...none, [NOTES_KEY]: '' }), finish: 'stop', isObject: true }
  },
  cut: (text) => ({ text: text.slice(0, Math.floor(text.length / 2)), finish: 'length', isObject: true }),
  tags: (text) => ({ text: tagsOfObject(text), finish: 'stop' }),
  fenced: (text) => ({ text: `\`\`\`json\n${text}\n\`\`\``, finish: 'stop', isObject: true }),
  misspelt: (text) => ({
    text: text.replace(/"(executor|receiver|agent)":(\[?)"(\w+)"/, '"$1":$2"$3_the_third"'),
    finish: 'stop',
    isObject: true,
  }),
}

/** The same model, whose answers are objects; its slips in turn. An answer that a slip would not change slips in the next way. */
export function schemaSlipping(
  model: Model,
  every: number,
): { model: Model; made: { call: number; slip: SchemaSlip }[] } {
  const made: { call: number; slip: SchemaSlip }[] = []
  let count = 0
  return {
    made,
    model: {
      ...model,
      async *call(turns, options): AsyncGenerator<ModelPiece> {
        count += 1
        const own = count
        let text = ''
        for await (const piece of model.call(turns, options)) {
          if (piece.type !== 'end') {
            if (piece.type === 'text') text += piece.text
            continue
          }
          const slip = piece.isObject && own % every === 0 ? slipFor(text, made.length) : null
          if (slip === null) {
            yield { type: 'text', text }
            yield piece
            continue
          }
          made.push({ call: own, slip })
          const { text: said, ...end } = MAKERS[slip](text)
          const { isObject: _, ...rest } = piece
          yield { type: 'text', text: said }
          yield { ...rest, ...end }
        }
      },
    },
  }
}

function slipFor(text: string, turn: number): SchemaSlip | null {
  const inTurn = SCHEMA_SLIPS.map((_, at) => SCHEMA_SLIPS[(turn + at) % SCHEMA_SLIPS.length])
  return inTurn.find((slip) => slip !== undefined && MAKERS[slip](text).text !== text) ?? null
}
