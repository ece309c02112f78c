/** Converts sections of the configuration file: camelCase keys, times in ms, null for omitted values. */
import type { z } from 'zod'
import { isSameValue } from '@/lib/json'

const UNIT_MS = { s: 1_000, min: 60_000, h: 3_600_000 } as const
type Unit = keyof typeof UNIT_MS

type CamelKey<Key extends string> = Key extends `${infer Name}_${Unit}`
  ? `${CamelKey<Name>}Ms`
  : Key extends `${infer Head}_${infer Next}`
    ? `${Head}${Capitalize<CamelKey<Next>>}`
    : Key

/** `time_limit_s?: number` → `timeLimitMs: number | null`; other values are unchanged. */
export type Camel<Section> = {
  [Key in keyof Section & string as CamelKey<Key>]-?:
    | Exclude<Section[Key], undefined>
    | (undefined extends Section[Key] ? null : never)
}

type Shape<Key extends string = string> = { shape: Readonly<Record<Key, z.ZodType>> }

/** in: a section and its schema, which lists the optional keys */
export function camelKeys<Section extends object>(
  { shape }: Shape<keyof Section & string>,
  section: Section,
): Camel<Section> {
  const values = new Map<string, unknown>(Object.entries(section))
  const entries = Object.keys(shape).map((key) => {
    const { name, inMs } = namedInCamel(key)
    const value = values.get(key) ?? null
    return [name, typeof value === 'number' ? value * inMs : value]
  })
  return Object.fromEntries(entries) as Camel<Section>
}

/** The way back; undefined for what the file need not say. */
export function fileKeys({ shape }: Shape, fields: object): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(fields))
  const entries = Object.entries(shape).map(([key, schema]) => {
    const { name, inMs } = namedInCamel(key)
    const value = values.get(name) ?? undefined
    const said = typeof value === 'number' ? value / inMs : value
    return [key, isSameValue(said, schema.safeParse(undefined).data) ? undefined : said]
  })
  return Object.fromEntries(entries)
}

/** inMs: the factor of a time */
function namedInCamel(key: string): { name: string; inMs: number } {
  const unit = /_(s|min|h)$/.exec(key)?.[1] as Unit | undefined
  const name = unit === undefined ? key : key.replace(/_[a-z]+$/, '_ms')
  return {
    name: name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    inMs: unit === undefined ? 1 : UNIT_MS[unit],
  }
}
