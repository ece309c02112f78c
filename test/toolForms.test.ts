/** Forms of real tools: the schemas that the installed servers offer, each as a form and back again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Field, fieldsOf, typedFrom } from '@/components/form/schemaFields'
import { valuesOf } from '@/components/form/schemaValues'
import type { Json } from '@/lib/mas/records'
import { packageProgram } from '@/server/config/placeholders'
import { checkArguments, openToolPool, type ToolInfo } from '@/server/tools'

const server = (name: string, ...args: string[]) => ({
  name,
  command: 'node',
  args: [packageProgram(`@modelcontextprotocol/server-${name}`), ...args],
  guide: '',
  confirm: 'risky' as const,
  repeat: [],
  tools: {},
})
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const pool = openToolPool([server('filesystem', process.cwd()), server('everything'), server('memory')], {
  log: silent,
})
const offered = new Map<string, ToolInfo>()

beforeAll(async () => {
  for (const { name } of pool.servers()) {
    const described = await pool.describe(name)
    if (!described.ok) throw new Error(described.message)
    for (const tool of described.description.tools) offered.set(tool.name, tool)
  }
})
afterAll(() => pool.close())

const formOf = (tool: ToolInfo): Field[] => {
  const fields = fieldsOf(JSON.parse(JSON.stringify(tool.inputSchema)) as Json)
  if (fields === null) throw new Error(`${tool.name} has no form`)
  return fields
}
const named = (name: string): ToolInfo => {
  const tool = offered.get(name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool
}
const kinds = (fields: readonly Field[]): string[] =>
  fields.flatMap((field) => [field.kind, ...kinds(field.fields), ...(field.item ? kinds([field.item]) : [])])

/** Something for every box. */
function example(field: Field): Json {
  switch (field.kind) {
    case 'number':
    case 'whole':
      return 3
    case 'yesNo':
      return true
    case 'choice':
      return field.choices[0]?.value ?? ''
    case 'group':
      return Object.fromEntries(field.fields.map((inner) => [inner.name, example(inner)]))
    case 'list':
      return field.item ? [example(field.item), example(field.item)] : []
    default:
      return field.format === 'uri' ? 'https://example.org/a' : 'a text'
  }
}

describe('a form of a real tool', () => {
  it('is there for every tool of three servers, with a box for everything in it', () => {
    expect(offered.size).toBeGreaterThan(30)
    for (const tool of offered.values()) expect([tool.name, kinds(formOf(tool))]).not.toContain('json')
  })

  it('gives arguments that the tool takes, and comes back the same from them', async () => {
    for (const tool of offered.values()) {
      const fields = formOf(tool)
      const values = Object.fromEntries(fields.map((field) => [field.name, example(field)]))
      expect([tool.name, await checkArguments(tool, values)]).toEqual([tool.name, { ok: true }])
      const typed = typedFrom(fields, values)
      expect([tool.name, typed && valuesOf(fields, typed)]).toEqual([tool.name, { ok: true, values }])
    }
  })

  it('asks for what is needed, takes the defaults, and sends nothing that nobody wrote', () => {
    const list = formOf(named('list_directory_with_sizes'))
    expect(list.map(({ name, isNeeded }) => [name, isNeeded])).toEqual([
      ['path', true],
      ['sortBy', false],
    ])
    expect(valuesOf(list, {})).toEqual({ ok: false, troubles: { path: 'needed' } })
    expect(valuesOf(list, { path: '.' })).toEqual({ ok: true, values: { path: '.', sortBy: 'name' } })
    expect(valuesOf(formOf(named('read_text_file')), { path: 'a' })).toEqual({ ok: true, values: { path: 'a' } })
    expect(valuesOf(formOf(named('list_allowed_directories')), {})).toEqual({ ok: true, values: {} })
    expect(kinds(formOf(named('create_entities')))).toEqual(['list', 'group', 'long', 'long', 'list', 'long'])
  })
})
