/** A server whose answers are too large, or never end. */
import { serve, text } from './serve.mjs'

const MEBIBYTE = 1024 * 1024

await serve({
  // The text holds what a careless search for the id would find.
  large: {
    annotations: { readOnlyHint: true },
    run: (args) => text('"id":0,}{'.padEnd(args.mebibytes * MEBIBYTE, 'x')),
  },
  // Written by hand: JSON.stringify takes no such depth.
  nested: {
    annotations: { readOnlyHint: true },
    run: ({ levels, values }, { requestId }) => {
      const list = `${'['.repeat(levels)}${Array(values).fill('{}').join()}${']'.repeat(levels)}`
      const result = `{"content":[],"structuredContent":{"list":${list}}}`
      process.stdout.write(`{"jsonrpc":"2.0","result":${result},"id":${requestId}}\n`)
      return new Promise(() => {})
    },
  },
  endless: {
    annotations: { readOnlyHint: true },
    run: () => {
      const piece = 'y'.repeat(MEBIBYTE)
      const more = () => process.stdout.write(piece, more)
      more()
      return new Promise(() => {})
    },
  },
})
