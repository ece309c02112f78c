/** Files sent with messages: their types and limits. */

/** More or larger files of one message are not sent. */
export const MOST_SENT_FILES = 20
export const MOST_SENT_BYTES = 6 * 1024 * 1024

const MIMES: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
}

/** By the extension of its name. */
export const mimeOfFile = (name: string): string =>
  MIMES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'
