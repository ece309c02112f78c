/** Answers with tags as a model gives them that is asked with functions. */
import { gather } from '@/lib/gather'
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { ANSWER_TAGS, TAG_FORMATS } from '@/lib/mas/formats'
import type { Json } from '@/lib/mas/records'
import type { FunctionCall, FunctionTool, Model, ModelPiece, Turn } from '@/server/models/model'
import { abilitiesList } from '@/server/tools/servers/abilitiesList'

/** The answer's tags as calls of these functions, in their order; words: the text beside them. */
export function callsIn(answer: string, functions: readonly FunctionTool[], newId: () => string) {
  const tags = new RegExp(`<(${ANSWER_TAGS.join('|')}|more_history)>([\\s\\S]*?)</\\1>`, 'g')
  const calls: FunctionCall[] = []
  const add = (name: string, value: Json, isText: boolean): void => {
    const wanted = functions.find((one) => one.name === name)
    const isWrapped = wanted !== undefined && 'value' in fieldsIn(wanted.schema.properties)
    // What is no JSON is sent as it was written.
    const written = typeof value === 'object' || isText ? JSON.stringify(value) : String(value)
    calls.push({ id: newId(), name, arguments: isWrapped ? `{"value": ${written}}` : written })
  }
  const words = answer.replace(tags, (_, name: string, content: string) => {
    const tag = ANSWER_TAGS.find((one) => one === name)
    const isText = tag !== undefined && TAG_FORMATS[tag].holds === 'text'
    const value = isText ? content.trim() : (jsonValueOf(content) ?? content)
    for (const [called, one] of toolCallsIn(name, value, functions)) add(called, one, isText)
    return ''
  })
  return { calls, words: words.trim() }
}

/** Calls of tools by their own functions; all else by the function of the tag. */
function toolCallsIn(tag: string, value: Json, functions: readonly FunctionTool[]): [string, Json][] {
  const written = tag === 'tool_instruction' ? [value].flat() : tag === 'tool_decision' ? fieldsIn(value).calls : null
  if (!Array.isArray(written) || written.length === 0) return [[tag === 'think' ? 'result' : tag, value]]
  return written.map((call: unknown): [string, Json] => {
    const { tool_name: tool, arguments: args, last } = fieldsIn(call)
    const known = functions.find(({ name }) => name.endsWith(`__${String(tool)}`))
    if (known === undefined) return [tag, call as Json]
    return [known.name, { ...fieldsIn(args), ...(last === true ? { last } : {}) } as Json]
  })
}

/** The same model on a server that takes functions. It reads its conversation in tags, as it wrote it. */
export function nativeForm(model: Model): Model {
  const said = new Map<string, string>()
  let count = 0
  return {
    name: model.name,
    provider: model.provider,
    contextTokens: model.contextTokens,
    takesFunctions: true,
    async *call(turns, options): AsyncGenerator<ModelPiece> {
      const { functions = [] } = options
      let text = ''
      for await (const piece of model.call(inTags(turns, functions, said), options)) {
        if (piece.type !== 'end') {
          if (piece.type === 'text') text += piece.text
          continue
        }
        const { calls, words } = callsIn(text, functions, () => `call_${++count}`)
        for (const { id } of calls) said.set(id, text)
        if (words !== '' || calls.length === 0) yield { type: 'text', text: calls.length === 0 ? text : words }
        yield { ...piece, ...(calls.length === 0 ? {} : { finish: 'calls', calls }) }
      }
    },
  }
}

/**
 * The conversation as a model without functions has it: answers with their tags, results among the items of the history, the tools
 * as a list.
 *
 * in      said: the whole answers, by the id of each of their calls
 */
export const inTags = (
  turns: readonly Turn[],
  functions: readonly FunctionTool[],
  said: ReadonlyMap<string, string>,
): Turn[] => withAbilities(withItemsOf(turns, said), functions)

function withItemsOf(turns: readonly Turn[], said: ReadonlyMap<string, string>): Turn[] {
  const calls = new Map(
    turns.flatMap((turn) => (turn.role === 'assistant' ? (turn.calls ?? []) : [])).map((call) => [call.id, call]),
  )
  const read: Turn[] = []
  let results: string[] = []
  for (const turn of turns) {
    if (turn.role === 'tool') {
      results.push(withCall(turn.content, calls.get(turn.call)))
      continue
    }
    const [first] = turn.role === 'assistant' ? (turn.calls ?? []) : []
    const own = first === undefined ? undefined : said.get(first.id)
    if (turn.role === 'assistant') read.push({ role: 'assistant', content: own ?? turn.content })
    else read.push(results.length === 0 ? turn : { ...turn, content: withItems(turn.content, results) })
    if (turn.role === 'user') results = []
  }
  return read
}

/** The tools, as the prompts of models without functions list them. */
function withAbilities(turns: readonly Turn[], functions: readonly FunctionTool[]): Turn[] {
  const servers = gather(
    functions.filter(({ name }) => name.includes('__')),
    ({ name }) => [name.split('__')[0] ?? ''],
  )
  const lists = [...servers].map(([server, own]) => {
    const tools = own.map(({ name, schema: { properties, ...schema }, description }) => {
      const { last: _, ...args } = fieldsIn(properties)
      return { name: name.split('__')[1] ?? '', description, inputSchema: { ...schema, properties: args } }
    })
    const offer = { tools, resources: [], prompts: [] } as unknown as Parameters<typeof abilitiesList>[0]
    return `abilities of ${server}:\n${abilitiesList(offer)}`
  })
  const part = `<section name="mcp_base_prompt">\n${lists.join('\n\n')}\n</section>\n`
  const first = turns.findIndex(({ role }) => role === 'user')
  return turns.map((turn, at) => (at === first ? { ...turn, content: `${part}${turn.content}` } : turn))
}

const OPEN = '<section name="history_step">\n'

const withItems = (content: string, items: readonly string[]): string =>
  content.includes(OPEN)
    ? content.replace(OPEN, () => `${OPEN}${items.join('\n')}\n`)
    : `${OPEN}${items.join('\n')}\n</section>\n${content}`

/** An item with its call, which stands above it. */
function withCall(item: string, call: FunctionCall | undefined): string {
  const tool = call?.name.split('__')[1]
  if (call === undefined || tool === undefined || item.includes('<call>')) return item
  const { last: _, ...args } = fieldsIn(jsonValueOf(call.arguments))
  const written = `<call>${JSON.stringify({ tool_name: tool, arguments: args })}</call>`
  return item.replace(/^(<history_item [^>]*>)/, (opening) => `${opening}\n${written}`)
}
