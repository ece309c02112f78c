/** The source of the thread in which `readOfficeFile` reads. A text, because the server is one bundled file. It loads packages of its starter. */
export const DOCUMENT_WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const load = require('node:module').createRequire(workerData.from)
const { kind, bytes, most } = workerData

// Cells are as the file stores them: numbers as they are written, of a formula its last value, days without a time of day.
const cell = (value) => {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\\.000Z$/, '').replace('T', ' ').replace(/(\\.000)?Z$/, '')
  return String(value)
}

const sheets = async () => {
  const read = load('read-excel-file/node').default
  const found = await read(Buffer.from(bytes), { trim: false, parseNumber: (text) => text })
  let left = most.cells
  return {
    kind: 'sheets',
    sheets: found.slice(0, most.sheets).map(({ sheet, data }) => {
      const rows = []
      for (const row of data) {
        left -= row.length
        if (left < 0) break
        rows.push(row.map(cell))
      }
      return { name: sheet, rows, left: data.length - rows.length }
    }),
    left: Math.max(0, found.length - most.sheets),
  }
}
const words = async () => {
  const { value } = await load('mammoth').extractRawText({ buffer: Buffer.from(bytes) })
  const text = value.trim()
  return { kind: 'words', text: text.slice(0, most.characters), left: Math.max(0, text.length - most.characters) }
}

const reading = kind === 'sheets' ? sheets() : words()
reading.then(
  (document) => parentPort.postMessage(document),
  () => parentPort.postMessage({ kind: 'none', why: 'broken' }),
)
`
