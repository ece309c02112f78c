/** Columns read as bytes, numbers only where they are numbers: after damage, the driver ends the process on invalid UTF-8. */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Select a text or a blob so. */
export const asBytes = (column: string, name: string): string => `cast(${column} as blob) as ${name}`

/** Select an integer so: null where something else stands in its place. */
export const asInteger = (column: string, name: string): string =>
  `case typeof(${column}) when 'integer' then ${column} end as ${name}`

/** faults: TypeError: it is not UTF-8 */
export const decodeText = (bytes: ArrayBuffer): string => decoder.decode(bytes)

/** For rows that are made anew when they are lost. out: null: it is not UTF-8 */
export function textOrNull(bytes: ArrayBuffer): string | null {
  try {
    return decodeText(bytes)
  } catch {
    return null
  }
}
