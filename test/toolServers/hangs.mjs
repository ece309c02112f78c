/** A server that never answers `hang` (and notes when it is told to stop), answers `late`, and is deaf after `block`. */
import { serve, text } from './serve.mjs'

const begun = []
const cancelled = []

await serve({
  hang: {
    run: (args, extra) =>
      new Promise(() => {
        begun.push(args.name ?? 'hang')
        extra.signal.addEventListener('abort', () => cancelled.push(args.name ?? 'hang'))
      }),
  },
  begun: { annotations: { readOnlyHint: true }, run: () => text(begun.join(',')) },
  cancelled: { annotations: { readOnlyHint: true }, run: () => text(cancelled.join(',')) },
  late: { run: (args) => new Promise((resolve) => setTimeout(() => resolve(text('late')), args.delayMs)) },
  block: {
    run: () => {
      for (;;);
    },
  },
})
