/** Owns: checking values against a tool's JSON schemas, in words that help to correct them. Used by: pool.ts, and whoever lets a person edit arguments. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { nearestNames } from './nearestNames'
import type { ToolInfo } from './types'

// By schema object: a description is kept as long as its connection, and its validators go with it.
const validators = new WeakMap<object, ValidateFunction | null>()
const MOST_REASONS = 5

export type Checked = { ok: true } | { ok: false; message: string }

/**
 * May these arguments be sent to this tool?
 *
 * in      a tool as described, and what a model or a person wrote
 * out     every reason (five at most): what is missing, of which type it must be, which name was probably meant
 */
export function checkArguments(info: ToolInfo, args: unknown): Checked {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    return { ok: false, message: `${info.name}: the arguments must be an object, not ${kindOf(args)}` }
  }
  const reasons = reasonsAgainst(info.inputSchema, args)
  if (reasons === null) return missingOnly(info, args)
  return reasons.length === 0 ? { ok: true } : { ok: false, message: `${info.name}: ${reasons.join('; ')}` }
}

/** Does a structured result keep to the schema that its tool announced? A tool without one may return anything. */
export function checkStructured(info: ToolInfo, value: unknown): Checked {
  if (info.outputSchema === undefined) return { ok: true }
  if (value === undefined) return { ok: false, message: 'it announces structured results and returned none' }
  const reasons = reasonsAgainst(info.outputSchema, value) ?? []
  return reasons.length === 0 ? { ok: true } : { ok: false, message: reasons.join('; ') }
}

/** Does what a person filled in keep to the form that a server asked with? null: yes; else every reason. */
export function checkForm(schema: unknown, content: unknown): string | null {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return 'it must be an object of fields'
  const reasons = reasonsAgainst(schema, content) ?? []
  return reasons.length === 0 ? null : reasons.join('; ')
}

/** null: the schema itself cannot be read, so only the server can say. */
function reasonsAgainst(schema: unknown, value: unknown): string[] | null {
  const validate = validatorFor(schema)
  if (!validate) return null
  if (validate(value)) return []
  const errors = validate.errors ?? []
  // The branches of a choice each complain; the choice as a whole says it once.
  const choices = errors.filter(isChoice).map((error) => `${error.schemaPath}/`)
  const own = errors.filter((error) => !choices.some((path) => error.schemaPath.startsWith(path)))
  return [...new Set(own.map((error) => inWords(error, schema, value)))].slice(0, MOST_REASONS)
}

function validatorFor(schema: unknown): ValidateFunction | null {
  if (typeof schema !== 'object' || schema === null) return null
  const known = validators.get(schema)
  if (known !== undefined) return known
  const validate = compile(schema)
  validators.set(schema, validate)
  return validate
}

function compile(schema: object): ValidateFunction | null {
  // Formats are notes in the newest draft, and the server checks its own; one Ajv each, since two servers may use one $id.
  const options = {
    strict: false,
    validateFormats: false,
    validateSchema: false,
    allErrors: true,
    logger: false,
  } as const
  const isOlder = '$schema' in schema && typeof schema.$schema === 'string' && schema.$schema.includes('draft-0')
  try {
    return (isOlder ? new Ajv(options) : new Ajv2020(options)).compile(schema)
  } catch {
    return null
  }
}

function inWords(error: ErrorObject, schema: unknown, value: unknown): string {
  const place = placeOf(error.instancePath)
  const params: Record<string, unknown> = error.params
  switch (error.keyword) {
    case 'required':
      return `${place ? `${place}.` : ''}${String(params.missingProperty)} is missing`
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

function isChoice(error: ErrorObject): boolean {
  return error.keyword === 'anyOf' || error.keyword === 'oneOf'
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

function propertyNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return []
  return typeof schema.properties === 'object' && schema.properties !== null ? Object.keys(schema.properties) : []
}

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
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : String(values)
}
