/** Reads columns that may be damaged, as bytes or checked numbers: the driver ends the process on invalid UTF-8. */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** SQL for a text or a blob. */
export const asBytes = (column: string, name: string): string => `cast(${column} as blob) as ${name}`

/** SQL for an integer; null for any other value. */
export const asInteger = (column: string, name: string): string =>
  `case typeof(${column}) when 'integer' then ${column} end as ${name}`

/** faults: TypeError: not UTF-8 */
export const decodeText = (bytes: ArrayBuffer): string => decoder.decode(bytes)

/** For rows that can be rebuilt. out: null: not UTF-8 */
export function textOrNull(bytes: ArrayBuffer): string | null {
  try {
    return decodeText(bytes)
  } catch {
    return null
  }
}
