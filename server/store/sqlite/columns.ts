/**
 * Columns as they can be read after damage: the driver ends the whole process where a text is not UTF-8, and a changed byte
 * can make a text of anything. So texts and blobs are read as bytes, and numbers only where they are some.
 */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Select a text or a blob so. */
export const asBytes = (column: string, name: string): string => `cast(${column} as blob) as ${name}`

/** Select an integer so: null where something else stands in its place. */
export const asInteger = (column: string, name: string): string =>
  `case typeof(${column}) when 'integer' then ${column} end as ${name}`

/** faults: TypeError: it is not UTF-8 */
export const decodeText = (bytes: ArrayBuffer): string => decoder.decode(bytes)
