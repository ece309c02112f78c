import { fieldsIn, isJsonObject } from '@/lib/json'
import { DEEPEST_JSON } from '@/server/shared/boundedJson'
import { timeInWords } from '../limits'
import { CHECK_LIMIT_MS, openSchemaChecks, type SchemaError } from '../schemas/schemaChecks'
import type { ToolInfo } from '../types'
import { nearestNames } from './nearestNames'

const checks = openSchemaChecks()
const MOST_REASONS = 5
/** Most allowed values that a reason lists. */
const MOST_LISTED = 50

type Checked = { ok: true } | { ok: false; message: string }

/** May these arguments be sent to this tool? out: up to five reasons: what is missing, the expected type, the probable name */
export async function checkArguments(info: ToolInfo, args: unknown): Promise<Checked> {
  if (!isJsonObject(args)) {
    return { ok: false, message: `${info.name}: the arguments must be an object, not ${kindOf(args)}` }
  }
  const reasons = await reasonsAgainst(info.inputSchema, args)
  if (reasons === null) return missingOnly(info, args)
  return reasons.length === 0 ? { ok: true } : { ok: false, message: `${info.name}: ${reasons.join('; ')}` }
}

/** Does a structured result match the output schema of its tool? */
export async function checkStructured(info: ToolInfo, value: unknown): Promise<Checked> {
  const reasons = (await reasonsAgainst(info.outputSchema, value)) ?? []
  return reasons.length === 0 ? { ok: true } : { ok: false, message: reasons.join('; ') }
}

/** Does a filled-in form match the schema of the server? null: yes; else all reasons. */
export async function checkForm(schema: unknown, content: unknown): Promise<string | null> {
  if (!isJsonObject(content)) return 'it must be an object of fields'
  const reasons = (await reasonsAgainst(schema, content)) ?? []
  return reasons.length === 0 ? null : reasons.join('; ')
}

/** null: the schema is unreadable, so only the server can decide. */
async function reasonsAgainst(schema: unknown, value: unknown): Promise<string[] | null> {
  if (typeof schema !== 'object' || schema === null) return null
  const verdict = await checks(schema, value)
  switch (verdict.end) {
    case 'checked':
      return firstReasons(verdict.errors, schema, value)
    case 'unreadable':
      return null
    case 'deep':
      return [`nested deeper than ${DEEPEST_JSON} levels, so it cannot be checked against its schema`]
    case 'time':
      return [`it could not be checked against its schema within ${timeInWords(CHECK_LIMIT_MS)}`]
    case 'failed':
      return ['it could not be checked against its schema']
    default:
      return verdict satisfies never
  }
}

function firstReasons(errors: SchemaError[], schema: object, value: unknown): string[] {
  const reasons = new Set<string>()
  for (const error of errors) {
    if (reasons.size === MOST_REASONS) break
    reasons.add(inWords(error, schema, value))
  }
  return [...reasons]
}

function inWords(error: SchemaError, schema: unknown, value: unknown): string {
  const place = placeOf(error.instancePath)
  const { params } = error
  switch (error.keyword) {
    case 'required':
      if (place !== '') return `${place}.${String(params.missingProperty)} is missing`
      return `${String(params.missingProperty)} is missing${strangerIn(schema, value)}`
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty)
      const meant = place === '' ? nearestNames(name, propertyNames(schema), 1)[0] : undefined
      return `${place ? `${place}.` : ''}${name} is not known${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
    }
    case 'type':
      return `${place || 'the value'} must be ${withArticle([params.type].flat().join(' or '))}, not ${kindOf(valueAt(value, error.instancePath))}`
    case 'enum':
      return `${place} must be one of ${listOf(params.allowedValues)}`
    case 'const':
      return `${place} must be ${JSON.stringify(params.allowedValue)}`
    case 'anyOf':
    case 'oneOf':
      return `${place || 'the value'} has none of the allowed forms`
    default:
      return `${place || 'the value'} ${error.message ?? 'is not allowed'}`
  }
}

/** `/edits/0/oldText` → `edits[0].oldText` */
function placeOf(pointer: string): string {
  return segments(pointer).reduce(
    (place, part) => (/^\d+$/.test(part) ? `${place}[${part}]` : place ? `${place}.${part}` : part),
    '',
  )
}

function segments(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function valueAt(value: unknown, pointer: string): unknown {
  return segments(pointer).reduce<unknown>(
    (inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  )
}

/** The only unknown name that the schema allows: probably a misspelling of the missing one. */
function strangerIn(schema: unknown, value: unknown): string {
  if (fieldsIn(schema).additionalProperties === false) return ''
  const known = propertyNames(schema)
  const [stranger, another] = Object.keys(fieldsIn(value)).filter((name) => !known.includes(name))
  return stranger === undefined || another !== undefined ? '' : `; ${stranger} is not known`
}

const propertyNames = (schema: unknown): string[] => Object.keys(fieldsIn(fieldsIn(schema).properties))

function missingOnly(info: ToolInfo, args: object): Checked {
  const missing = info.required.filter((name) => !(name in args))
  return missing.length === 0
    ? { ok: true }
    : { ok: false, message: `${info.name}: ${missing.map((name) => `${name} is missing`).join('; ')}` }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : withArticle(typeof value)
}

function withArticle(type: string): string {
  if (type === 'null' || type === 'undefined') return type
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

function listOf(values: unknown): string {
  if (!Array.isArray(values)) return String(values)
  const listed = values.slice(0, MOST_LISTED).map((value) => JSON.stringify(value))
  return (values.length > MOST_LISTED ? [...listed, '…'] : listed).join(', ')
}
