/**
 * Texts of rows as bytes: the driver ends the whole process where a text column is not UTF-8, as after damage. So a column is read
 * as a blob and decoded here.
 */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Select a text column so. */
export const asBytes = (column: string, name: string): string => `cast(${column} as blob) as ${name}`

/** faults: TypeError: it is not UTF-8 */
export const decodeText = (bytes: ArrayBuffer): string => decoder.decode(bytes)
