/** A server that writes to its output what does not belong there, before, between and instead of its answers. */
import { serve, text } from './serve.mjs'

process.stdout.write('Server is starting...\n{"half": \n\n[1,2]\n"hello"\n')
setInterval(() => process.stdout.write('tick\n'), 5).unref()

await serve({
  chatty: {
    run: () => {
      process.stdout.write('DEBUG chatty was called\n{"jsonrpc":"2.0","id":9999,"result":{}}\n')
      return text('answered all the same')
    },
  },
  not_an_answer: {
    run: (_args, extra) => {
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: extra.requestId })}\n`)
      return new Promise(() => {})
    },
  },
})
