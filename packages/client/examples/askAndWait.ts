/** A script that asks for work, and waits for its result. `CONVENE_URL=… CONVENE_TOKEN=… npx tsx packages/client/examples/askAndWait.ts "Compare …"` */
import { print } from '@/server/terminal'
import { type ConveneClient, contentOf } from '..'
import { asProgram } from './asProgram'

/** out: the sentence of the result; rejects where the work failed. The token has `ask` and `read`. */
export async function askAndWait(client: ConveneClient, wish: string): Promise<string> {
  const body = { ...client.head(), wish, pasted: '', files: [] }
  const { reply } = contentOf(await client.api.POST('/api/work', { body }))
  const id = messageOf(reply)
  const path = { id }
  return new Promise((resolve, reject) => {
    const look = async (): Promise<void> => {
      const work = contentOf(await client.api.GET('/api/work/{id}', { params: { path } }))
      if (work.state === 'finished') settle(() => resolve(work.summary ?? ''))
      else if (work.state === 'failed') settle(() => reject(new Error(work.summary ?? 'The work failed.')))
    }
    // What changes in the work changes what its asker sees of the tasks.
    const stop = client.watch('overview', () => void look().catch((refusal) => settle(() => reject(refusal))))
    const settle = (end: () => void): void => {
      stop()
      end()
    }
  })
}

/** The reply of a command names the messages that it made. */
function messageOf(reply: unknown): string {
  const messages = typeof reply === 'object' && reply !== null && 'messages' in reply ? reply.messages : null
  const [message] = Array.isArray(messages) ? messages : []
  if (typeof message !== 'string') throw new Error('the answer names no message')
  return message
}

await asProgram(import.meta.url, async (client) => {
  print(await askAndWait(client, process.argv[2] ?? ''))
  client.close()
})
