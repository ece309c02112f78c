/** A server of very many tools, and one that tells its progress very often. */
import { serve, text } from './serve.mjs'

const count = Number(process.argv[2] ?? 20_000)
const tool = { description: 'does nothing much', run: () => text('done') }
const tools = Object.fromEntries(Array.from({ length: count }, (_, at) => [`tool_${at}`, tool]))

await serve(
  {
    ...tools,
    // Written by hand: the SDK waits for each line.
    flood: {
      run: ({ lines }, { _meta, requestId }) => {
        const token = JSON.stringify(_meta.progressToken)
        const line = (at) =>
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${at}}}\n`
        process.stdout.write(Array.from({ length: lines }, (_, at) => line(at + 1)).join(''))
        process.stdout.write(`{"jsonrpc":"2.0","id":${requestId},"result":{"content":[]}}\n`)
        return new Promise(() => {})
      },
    },
  },
  { pageSize: 1_000_000 },
)
