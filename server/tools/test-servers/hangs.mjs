/** A server that never answers `hang` (and notes when it is told to stop), answers `late`, and is deaf after `block`. */
import { serve, text } from './serve.mjs'

const cancelled = []

await serve({
  hang: {
    run: (args, extra) =>
      new Promise(() => {
        extra.signal.addEventListener('abort', () => cancelled.push(args.name ?? 'hang'))
      }),
  },
  cancelled: { annotations: { readOnlyHint: true }, run: () => text(cancelled.join(',')) },
  late: { run: (args) => new Promise((resolve) => setTimeout(() => resolve(text('late')), args.delayMs)) },
  block: {
    run: () => {
      for (;;);
    },
  },
})
