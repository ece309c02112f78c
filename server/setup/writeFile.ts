/** What the page changed, written into the text of convene.yaml: only what is otherwise, so comments and order stay. */
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { isSameValue } from '@/lib/json'
import { SKILLS, type World } from '@/lib/mas/records'
import {
  type AgentSetup,
  type HumanSetup,
  type ModelSetup,
  SETUP_KINDS,
  type SetupRecord,
  type ToolSetup,
} from '@/lib/mas/setupRecords'
import { keyInText, readDocument } from '../config'

/** A value as the file's keys have it; undefined: the key is left out. */
type FileKeys = Record<string, unknown>

export class UnwritableError extends Error {
  override readonly name = 'UnwritableError'
}

/** out: a valid file that says what the page says. Throws UnwritableError with the reason. */
export function fileWith(text: string, { setup }: Pick<World, 'setup'>): string {
  if (SETUP_KINDS.every((kind) => Object.values(setup[kind]).every(({ page }) => page === null))) return text
  const document = parseDocument(text)
  const model = setup.team.team?.page?.value?.model
  if (model !== undefined) document.setIn(['team', 'model'], model)
  for (const record of changed(setup.model)) write(document, ['models', record.id], record, modelKeys)
  for (const record of changed(setup.tool))
    write(document, ['tools', record.id], record, (tool) =>
      toolKeys(tool, document.getIn(['tools', record.id, 'headers'])),
    )
  for (const record of changed(setup.agent)) writeListed(document, 'agents', record, agentKeys)
  for (const record of changed(setup.human)) writeListed(document, 'humans', record, humanKeys)
  const result = document.toString({ lineWidth: 120 })
  const read = readDocument(result, 'convene.yaml')
  if (read.ok) return result
  throw new UnwritableError(read.problems.map(({ at, message }) => `${at} ${message}`.trim()).join('; '))
}

const changed = <Value>(records: Readonly<Record<string, SetupRecord<Value>>>): SetupRecord<Value>[] =>
  Object.values(records).filter(({ page }) => page !== null)

function write<Value>(
  document: Document,
  path: (string | number)[],
  { file, page }: SetupRecord<Value>,
  keysOf: (value: Value) => FileKeys,
): void {
  const value = page?.value ?? null
  if (value === null) {
    document.deleteIn(path)
    return
  }
  const wanted = keysOf(value)
  const before = file === null ? {} : keysOf(file)
  if (!document.hasIn(path)) {
    document.setIn(path, document.createNode(wanted))
    return
  }
  for (const [key, next] of Object.entries(wanted)) {
    if (isSameValue(next, before[key])) continue
    if (next === undefined) document.deleteIn([...path, key])
    // A plain value takes the place of the old one in its node, whose comment stays.
    else document.setIn([...path, key], next)
  }
}

/** An agent or a person: one of a list, by id. */
function writeListed<Value>(
  document: Document,
  key: 'agents' | 'humans',
  record: SetupRecord<Value>,
  keysOf: (value: Value) => FileKeys,
): void {
  const list = document.get(key)
  if (!isSeq(list)) throw new UnwritableError(`${key} is no list`)
  const found = list.items.findIndex((item) => isMap(item) && (item as YAMLMap).get('id') === record.id)
  if (found < 0) {
    const value = record.page?.value ?? null
    if (value !== null) list.add(document.createNode({ id: record.id, ...keysOf(value) }))
    return
  }
  write(document, [key, found], record, keysOf)
}

/** undefined for what the file need not say. */
const unless = <Value>(value: Value, usual: Value): Value | undefined => (isSameValue(value, usual) ? undefined : value)

const agentKeys = (agent: AgentSetup): FileKeys => ({
  name: agent.name,
  role: unless(agent.role, ''),
  profile: unless(agent.profile, ''),
  groups: unless(agent.groups, []),
  model: unless(agent.model, 'default'),
  skills: SKILLS.every((skill) => agent.skills.includes(skill)) ? undefined : agent.skills,
  tools: unless(agent.tools, []),
  manager: unless(agent.manager, false),
  may_wait: unless(agent.mayWait, false),
  start: unless(agent.start, true),
  limits: agent.limits === undefined ? undefined : limitKeys(agent.limits),
})

const humanKeys = (human: HumanSetup): FileKeys => ({
  name: human.name,
  role: unless(human.role, ''),
  profile: unless(human.profile, ''),
  groups: unless(human.groups, []),
  tools: unless(human.tools, []),
  access: human.access,
})

const limitKeys = ({ stepsPerPart, reflectionsPerPart }: NonNullable<AgentSetup['limits']>) => ({
  steps_per_part: stepsPerPart,
  reflections_per_part: reflectionsPerPart,
})

const modelKeys = (model: ModelSetup): FileKeys => ({
  provider: model.provider,
  base_url: model.baseUrl ?? undefined,
  model: model.model ?? undefined,
  key_env: model.key !== null && 'env' in model.key ? model.key.env : undefined,
  key_stored: model.key !== null && 'stored' in model.key ? model.key.stored : undefined,
  temperature: model.temperature ?? undefined,
  context_tokens: unless(model.contextTokens, 32_768),
  price: model.price === null ? undefined : priceKeys(model.price),
  structured: unless(model.structured, 'auto'),
  reasoning_effort: model.reasoningEffort ?? undefined,
  extra: unless(model.extra, {}),
  accepts: unless(model.accepts, []),
  time_limit_s: unless(model.timeLimitMs / 1_000, 120),
  parallel: unless(model.parallel, 4),
})

const priceKeys = ({ input, output, cached }: NonNullable<ModelSetup['price']>) => ({
  input,
  output,
  ...(cached === null ? {} : { cached }),
})

/** inFile: the headers there; a value that is no key stays as it is. */
const toolKeys = (tool: ToolSetup, inFile: unknown): FileKeys => ({
  baseurl: tool.address ?? undefined,
  command: tool.command ?? undefined,
  args: unless(tool.args, []),
  headers: unless(
    Object.fromEntries(
      tool.headers.map(({ name, key }) => [
        name,
        key !== null ? keyInText(key) : isMap(inFile) ? inFile.get(name) : undefined,
      ]),
    ),
    {},
  ),
  guide: unless(tool.guide, ''),
  confirm: unless(tool.confirm, 'risky'),
  tools: unless(Object.fromEntries(Object.entries(tool.rules).map(([name, confirm]) => [name, { confirm }])), {}),
})
