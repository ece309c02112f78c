/** Opens the pool of one server (the first argument is its program), prints its children's ids, and waits to be ended. */
import { openToolPool } from '@/server/tools/index'

const silent = () => {}
const isGentle = process.argv.includes('--gentle')
const pool = openToolPool(
  [
    {
      name: 'child',
      command: 'node',
      args: [process.argv[2] ?? '', ...(isGentle ? [] : ['--stubborn'])],
      guide: '',
      confirm: 'never',
      repeat: [],
      tools: {},
    },
  ],
  { log: { debug: silent, info: silent, warn: silent, error: silent } },
)

const ids: string[] = []
for (const name of isGentle ? ['pid'] : ['pid', 'grandchild']) {
  const outcome = await pool.call('child', { kind: 'tool', name, arguments: {} }, {})
  const first = outcome.ok ? outcome.result.content[0] : undefined
  ids.push(first?.type === 'text' ? first.text : JSON.stringify(outcome))
}
process.stdout.write(`${ids.join(' ')}\n`)
if (process.argv.includes('--handles-sigterm'))
  process.on('SIGTERM', () => void pool.close().then(() => process.exit(0)))
if (process.argv.includes('--exits')) process.exit(0)
setInterval(() => {}, 1000)
