/** Converts sections of the configuration file: camelCase keys, times in ms, null for omitted values. */
import type { z } from 'zod'

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

/** in: a section and its schema, which lists the optional keys */
export function camelKeys<Section extends object>(
  { shape }: { shape: Readonly<Record<keyof Section & string, z.ZodType>> },
  section: Section,
): Camel<Section> {
  const values = new Map<string, unknown>(Object.entries(section))
  const entries = Object.keys(shape).map((key) => {
    const unit = /_(s|min|h)$/.exec(key)?.[1] as Unit | undefined
    const name = unit === undefined ? key : key.replace(/_[a-z]+$/, '_ms')
    const value = values.get(key) ?? null
    return [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      unit !== undefined && typeof value === 'number' ? value * UNIT_MS[unit] : value,
    ]
  })
  return Object.fromEntries(entries) as Camel<Section>
}
