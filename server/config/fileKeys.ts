/** Keys of the configuration file: the names of the fields in snake_case, times in the unit that ends the key. */
import * as z from 'zod'
import { isJsonObject, isSameValue } from '@/lib/json'
import { missingPackage } from '../shared/packages'
import type { Finding } from './ConfigError'
import { hintFor } from './nearest'
import { PACKAGE_OF_KEY } from './sections'

const UNIT_MS = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000 } as const
/** Times that the file does not have in seconds. */
const units = z.registry<{ unit: keyof typeof UNIT_MS }>()

/** A time that the file has in that unit. out: the same schema */
export const inUnit = <Schema extends z.ZodType>(unit: keyof typeof UNIT_MS, schema: Schema): Schema => {
  units.add(schema, { unit })
  return schema
}

/** The key in the file of a field, and what its numbers are multiplied by. */
function keyOf(name: string, schema: z.core.$ZodType): { key: string; times: number } {
  const isTime = name.endsWith('Ms')
  const unit = isTime ? (units.get(schema)?.unit ?? 's') : null
  const words = (isTime ? name.slice(0, -2) : name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return unit === null ? { key: words, times: 1 } : { key: `${words}_${unit}`, times: UNIT_MS[unit] }
}

/** What a schema takes, without what makes it optional. */
type Kind =
  | { is: 'fields'; shape: Readonly<Record<string, z.core.$ZodType>>; isOpen: boolean }
  | { is: 'list' | 'record'; of: z.core.$ZodType }
  | { is: 'value' }

/** in: value: a block of keys where it is one: of several choices that is the one for such. */
function kindOf(schema: z.core.$ZodType, value: unknown): Kind {
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable)
    return kindOf(schema._zod.def.innerType, value)
  if (schema instanceof z.core.$ZodDefault || schema instanceof z.core.$ZodPrefault)
    return kindOf(schema._zod.def.innerType, value)
  if (schema instanceof z.core.$ZodPipe) return kindOf(schema._zod.def.in, value)
  if (schema instanceof z.core.$ZodUnion) {
    const kinds = isJsonObject(value) ? schema._zod.def.options.map((option) => kindOf(option, value)) : []
    return kinds.find(({ is }) => is !== 'value') ?? { is: 'value' }
  }
  if (schema instanceof z.core.$ZodArray) return { is: 'list', of: schema._zod.def.element }
  if (schema instanceof z.core.$ZodRecord) return { is: 'record', of: schema._zod.def.valueType }
  if (schema instanceof z.core.$ZodObject) {
    const { shape, catchall } = schema._zod.def
    return { is: 'fields', shape, isOpen: catchall !== undefined && !(catchall instanceof z.core.$ZodNever) }
  }
  return { is: 'value' }
}

/** In place of a key's missing value, which no schema takes: `null` would be one that was left out. */
const EMPTY = Symbol('empty')

/** Hints for keys whose meaning another key has. */
const RENAMED: Record<string, (known: ReadonlyMap<string, unknown>) => string | null> = {
  structured: (known) => (known.has('form') ? 'Write form: native, schema or tags.' : null),
}

/** A part of the file as its schema takes it, and its unknown keys. */
export function readKeys(schema: z.core.$ZodType, value: unknown): { value: unknown; unknown: Finding[] } {
  const unknown: Finding[] = []
  function read(schema: z.core.$ZodType, value: unknown, path: PropertyKey[]): unknown {
    const kind = kindOf(schema, value)
    if (kind.is === 'list' && Array.isArray(value))
      return value.map((one, index) => read(kind.of, one, [...path, index]))
    if (!isJsonObject(value)) return value
    if (kind.is === 'record')
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, read(kind.of, one, [...path, key])]))
    return kind.is === 'fields' ? readFields(kind, value, path) : value
  }
  function readFields({ shape, isOpen }: Extract<Kind, { is: 'fields' }>, value: object, path: PropertyKey[]): unknown {
    const known = new Map(Object.entries(shape).map(([name, field]) => [keyOf(name, field).key, { name, field }]))
    const entries = Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
      const found = known.get(key)
      if (found === undefined) {
        if (isOpen) return [[key, one]]
        const missing = path.length === 0 ? PACKAGE_OF_KEY[key] : undefined
        const hint =
          missing === undefined
            ? (RENAMED[key]?.(known) ?? hintFor(key, [...known.keys()]))
            : `It needs ${missingPackage(missing)}`
        unknown.push({ path: [...path, key], isKey: true, message: 'unknown key', hint })
        return []
      }
      const { name, field } = found
      if (one === null) return [[name, EMPTY]]
      if (typeof one === 'number') return [[name, timesOf(one, keyOf(name, field).times)]]
      return [[name, read(field, one, [...path, key])]]
    })
    return Object.fromEntries(entries)
  }
  return { value: read(schema, value, []), unknown }
}

const timesOf = (value: number, times: number): number => (times === 1 ? value : Math.round(value * times))

/** The way back; undefined for what the file need not say. */
export function writeKeys(schema: z.core.$ZodType, value: unknown): unknown {
  const kind = kindOf(schema, value)
  if (!isJsonObject(value)) return value
  if (kind.is === 'record')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, writeKeys(kind.of, one)]))
  if (kind.is !== 'fields') return value
  const values = new Map<string, unknown>(Object.entries(value))
  const entries = Object.entries(kind.shape).map(([name, field]) => {
    const { key, times } = keyOf(name, field)
    const one = values.get(name) ?? undefined
    if (one === undefined || isSameValue(one, z.core.safeParse(field, undefined).data)) return [key, undefined]
    return [key, typeof one === 'number' ? one / times : writeKeys(field, one)]
  })
  return Object.fromEntries(entries)
}

/** Where the file has what stands there in the value, and what a number there was multiplied by. */
export function placeInFile(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
): { path: PropertyKey[]; times: number } {
  const [part, ...rest] = path
  if (part === undefined) return { path: [], times: 1 }
  const kind = kindOf(schema, {})
  const within = (field: z.core.$ZodType | undefined, key: PropertyKey, times: number) => {
    if (field === undefined || rest.length === 0) return { path: [key, ...rest], times }
    const { path, times: inner } = placeInFile(field, rest)
    return { path: [key, ...path], times: inner }
  }
  if (kind.is === 'value') return within(undefined, part, 1)
  if (kind.is !== 'fields') return within(kind.of, part, 1)
  const field = kind.shape[String(part)]
  if (field === undefined) return within(undefined, part, 1)
  const { key, times } = keyOf(String(part), field)
  return within(field, key, times)
}
