/** A server whose answers are too large, or never end. */
import { serve, text } from './serve.mjs'

const MEBIBYTE = 1024 * 1024

await serve({
  // The text holds what a careless search for the id would find.
  large: {
    annotations: { readOnlyHint: true },
    run: (args) => text('"id":0,}{'.padEnd(args.mebibytes * MEBIBYTE, 'x')),
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
