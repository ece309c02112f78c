/** What the page changed, written into the text of convene.yaml: only what is otherwise, so comments and order stay. */
import { access, constants, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml'
import { Fault } from '@/lib/faults'
import { fieldsIn, isJsonObject, isSameValue } from '@/lib/json'
import type { World } from '@/lib/mas/records'
import { toolServer } from '@/lib/mas/setup/schemas/toolServer'
import {
  type AgentSetup,
  type HumanSetup,
  type ModelSetup,
  SETUP_KINDS,
  type SetupRecord,
  type ToolSetup,
} from '@/lib/mas/setup/setupRecords'
import { fileAgent, fileHuman, fileModel, keyInText, readDocument, writeKeys } from '../config'

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
  for (const { id, page } of changed(setup.budget)) writeBudget(document, id, page?.value?.limit ?? null)
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

/** null: no limit. */
function writeBudget(document: Document, key: string, limit: number | null): void {
  const path = ['limits', key]
  if (limit !== null) document.setIn(path, limit)
  else if (document.hasIn(path)) document.deleteIn(path)
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
  for (const [key, next] of Object.entries(wanted)) put(document, [...path, key], next, before[key])
}

/** Changes in a map what is otherwise than before: what else the file says there stays, with its comments. */
function put(document: Document, path: (string | number)[], next: unknown, before: unknown): void {
  if (isSameValue(next, before)) return
  const [wanted, known] = [fieldsIn(next), fieldsIn(before)]
  const node = document.getIn(path)
  if (isMap(node) && isJsonObject(before) && (next === undefined || isJsonObject(next))) {
    for (const key of new Set([...Object.keys(known), ...Object.keys(wanted)]))
      put(document, [...path, key], wanted[key], known[key])
    if (next === undefined && node.items.length === 0) document.deleteIn(path)
  } else if (next === undefined) document.deleteIn(path)
  // A plain value takes the place of the old one in its node, whose comment stays.
  else document.setIn(path, next)
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
    if (value !== null) list.add(document.createNode({ ...keysOf(value), id: record.id }))
    return
  }
  write(document, [key, found], record, keysOf)
}

const keysWith =
  (schema: Parameters<typeof writeKeys>[0]) =>
  (value: object): FileKeys =>
    fieldsIn(writeKeys(schema, value))

const agentKeys: (agent: AgentSetup) => FileKeys = keysWith(fileAgent)
const humanKeys: (human: HumanSetup) => FileKeys = keysWith(fileHuman)

const modelKeys = ({ key, ...model }: ModelSetup): FileKeys =>
  keysWith(fileModel)({
    ...model,
    keyEnv: key !== null && 'env' in key ? key.env : null,
    keyStored: key !== null && 'stored' in key ? key.stored : null,
  })

/** inFile: the headers there; a value that is no key stays as it is. */
const toolKeys = ({ address, headers, rules, ...tool }: ToolSetup, inFile: unknown): FileKeys =>
  keysWith(toolServer)({
    ...tool,
    baseurl: address,
    headers: Object.fromEntries(
      headers.map(({ name, key }) => [
        name,
        key !== null ? keyInText(key) : isMap(inFile) ? inFile.get(name) : undefined,
      ]),
    ),
    tools: Object.fromEntries(Object.entries(rules).map(([name, confirm]) => [name, { confirm }])),
  })

type FileState = {
  /** Without its folder. */
  name: string
  canWrite: boolean
  /** It says what the page says already. */
  isSame: boolean
  /** With what the page says. */
  text: string
}

/** The file on the disk, and what the page would write into it. Throws FILE_UNFIT where the result would be no valid file. */
export async function openConfigFile(path: string, world: Pick<World, 'setup'>) {
  const before = await readFile(path, 'utf8')
  const text = textWith(before, world)
  const state: FileState = { name: basename(path), canWrite: await mayWrite(path), isSame: text === before, text }
  return {
    ...state,
    /** Whole or not at all: it is written beside, and takes the place of the old one. */
    async write(): Promise<void> {
      const beside = `${path}.new`
      await writeFile(beside, state.text, { mode: (await stat(path)).mode & 0o777 })
      await rename(beside, path)
    },
  }
}

function textWith(text: string, world: Pick<World, 'setup'>): string {
  try {
    return fileWith(text, world)
  } catch (error) {
    if (error instanceof UnwritableError) throw new Fault('FILE_UNFIT', { why: error.message })
    throw error
  }
}

/** The file, and its folder, in which the new one is made first. */
const mayWrite = (path: string): Promise<boolean> =>
  Promise.all([path, dirname(path)].map((one) => access(one, constants.W_OK))).then(
    () => true,
    () => false,
  )
