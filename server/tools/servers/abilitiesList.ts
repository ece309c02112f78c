import { oneLine } from '@/lib/format/plainText'
import { fieldsIn, isJsonObject } from '@/lib/json'
import type { Language } from '@/lib/mas/records'
import { unreadInWords } from '../foreign/unread'
import type { PromptInfo, ResourceInfo, ServerDescription, ToolInfo } from '../types'

const LONGEST_SENTENCE = 160
const MOST_CHOICES = 8
const DEEPEST = 3

/**
 * Describe the offer of a server, one line per ability.
 *
 * out     `name(arg: type, arg2?: type): first sentence` for tools, `resource Name(uri: "…"): type. first sentence`,
 *         `prompt name(arg, arg2?): first sentence`; '' for an empty offer. Deprecated tools are left out; they can still be
 *         called
 */
export function abilitiesList(description: ServerDescription): string {
  return [
    ...description.tools
      .filter(isCurrentTool)
      .map((tool) => line(`${tool.name}(${argumentList(tool.inputSchema)})`, tool.description ?? tool.title)),
    ...description.resources.map((resource) =>
      line(
        `resource ${oneLine(resource.name)}(uri: ${JSON.stringify(resource.uri)})`,
        [resource.mimeType, resource.description].filter(Boolean).join('. '),
        resource.mimeType === undefined ? 1 : 2,
      ),
    ),
    ...description.prompts.map((prompt) =>
      line(
        `prompt ${prompt.name}(${prompt.arguments.map((arg) => arg.name + (arg.required ? '' : '?')).join(', ')})`,
        prompt.description,
      ),
    ),
  ].join('\n')
}

/** Markers of deprecation in descriptions. A tool that finds deprecated calls in code must not match. */
const DEPRECATED = [
  /\bDEPRECATED\b|\b[Tt]his (?:tool )?(?:is|has been) deprecated\b/,
  /(?:^|[.!?([*]\s*)deprecated\s*(?:$|[-:;.,!)\]*\u2013\u2014]|(?:since|in|use)\b)/i,
]
/** Is a tool not described as deprecated? */
export const isCurrentTool = ({ description = '' }: { description?: string }): boolean =>
  !DEPRECATED.some((said) => said.test(description))

function line(call: string, description: string | undefined, sentences = 1): string {
  const said = firstSentences(description ?? '', sentences)
  return said === '' ? call : `${call}: ${said}`
}

/** The first sentences on one line, shortened. Abbreviations such as "e.g." do not end a sentence. */
function firstSentences(text: string, count: number): string {
  const flat = oneLine(text)
  const ends = [...flat.matchAll(/(?<!\b(?:e\.g|i\.e|etc|vs|cf))[.!?](?=\s|$)|[。！？]/g)]
  const last = ends[count - 1]
  const said = last === undefined ? flat : flat.slice(0, last.index + 1)
  const shown = said.length > LONGEST_SENTENCE ? `${said.slice(0, LONGEST_SENTENCE - 1)}…` : said
  return shown.replace(/\.$/, '')
}

function argumentList(schema: unknown): string {
  return fields(schema, schema, 0).join(', ')
}

function fields(schema: unknown, root: unknown, depth: number): string[] {
  const { required, properties } = fieldsIn(schema)
  const names = Array.isArray(required) ? required : []
  return Object.entries(fieldsIn(properties)).map(
    ([name, inner]) => `${name}${names.includes(name) ? '' : '?'}: ${typeInWords(inner, root, depth + 1)}`,
  )
}

/** A JSON schema as a short type: `string[]`, `"a" | "b"`, `{from: string, to?: string}`. */
function typeInWords(schema: unknown, root: unknown, depth: number): string {
  if (!isJsonObject(schema) || depth > DEEPEST) return 'any'
  const { $ref: reference, enum: choices, anyOf, oneOf, type, properties } = schema
  if (typeof reference === 'string') return typeInWords(resolveReference(reference, root), root, depth + 1)
  if (Array.isArray(choices)) return union(choices.map((choice) => JSON.stringify(choice)))
  if ('const' in schema) return JSON.stringify(schema.const)
  const forms = anyOf ?? oneOf
  if (Array.isArray(forms)) return union(forms.map((form) => typeInWords(form, root, depth + 1)))
  const types = [type ?? (properties ? 'object' : 'any')].flat()
  return union(types.map((one) => oneType(String(one), schema, root, depth)))
}

function oneType(type: string, schema: Record<string, unknown>, root: unknown, depth: number): string {
  if (type === 'array') {
    const item = typeInWords(schema.items ?? {}, root, depth)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  if (type !== 'object') return type
  const inner = depth < DEEPEST ? fields(schema, root, depth) : []
  return inner.length === 0 ? 'object' : `{${inner.join(', ')}}`
}

function union(types: string[]): string {
  const different = [...new Set(types)]
  const shown = different.slice(0, MOST_CHOICES)
  return (different.length > shown.length ? [...shown, '…'] : shown).join(' | ')
}

/** Resolves `#/$defs/name`; other references are not followed. */
function resolveReference(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((inner, part) => fieldsIn(inner)[part], root)
}

/**
 * The value of `capabilities_list_description`, in the words of that language; of resources with equal names the later ones are
 * listed by uri.
 */
export function capabilitiesList(description: ServerDescription, language: Language): Record<string, unknown> {
  const { capabilities, server, guide, instructions, unread } = description
  const has = (name: string): boolean => capabilities.includes(name)
  const names = new Set<string>()
  const nameOf = ({ name, uri }: ResourceInfo): string => {
    const free = names.has(name) ? uri : name
    names.add(free)
    return free
  }
  return {
    capabilities: { prompts: has('prompts'), resources: has('resources'), tools: has('tools') },
    tools: byName(description.tools.map((tool) => [tool.name, toolForm(tool)])),
    resources: byName(description.resources.map((resource) => [nameOf(resource), resourceForm(resource)])),
    prompts: byName(description.prompts.map((prompt) => [prompt.name, promptForm(prompt)])),
    server,
    guide,
    ...(instructions === undefined ? {} : { instructions }),
    ...(unread.length === 0 ? {} : { not_read: unread.map((one) => unreadInWords(language, one)) }),
  }
}

const byName = (entries: [name: string, form: object][]): Record<string, object> => Object.fromEntries(entries)

const toolForm = (tool: ToolInfo): object => ({
  description: tool.description,
  title: tool.title,
  input_schema: tool.inputSchema,
  output_schema: tool.outputSchema,
  required: tool.required,
  read_only: tool.readOnly,
  destructive: tool.destructive,
  idempotent: tool.idempotent,
  open_world: tool.openWorld,
  asks_a_person: tool.confirm,
})

const resourceForm = ({ description, title, uri, mimeType }: ResourceInfo): object => ({
  description,
  title,
  uri,
  mimeType,
})

const promptForm = (prompt: PromptInfo): object => ({
  description: prompt.description,
  title: prompt.title,
  arguments: byName(prompt.arguments.map(({ name, description, required }) => [name, { description, required }])),
})
