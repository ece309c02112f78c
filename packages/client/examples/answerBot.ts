/** A bot that answers what its person is asked, as far as it knows an answer; the rest waits for the person. */
import { type ConveneClient, contentOf } from '..'
import { asProgram } from './asProgram'

type Question = { question: string; choices: readonly string[] }

/**
 * in      answerFor: null leaves the question to the person; the token has `answer` and `read`
 * out     ends it
 */
export function answerBot(client: ConveneClient, answerFor: (question: Question) => string | null): () => void {
  const tried = new Set<string>()
  return client.watch('me', (shown) => {
    if (shown.status !== 'open') return
    for (const row of shown.rows) {
      if (row.kind !== 'request' || row.group === 'done' || row.request.kind !== 'answer') continue
      const { id, question, choices } = row.request
      const text = tried.has(id) ? null : answerFor({ question, choices })
      tried.add(id)
      if (text !== null) void answer(id, text)
    }
  })

  async function answer(id: string, text: string): Promise<void> {
    const body = { ...client.head(), decision: 'answer' as const, text, arguments: null, digest: null }
    const answered = await client.api.POST('/api/requests/{id}/answer', { params: { path: { id } }, body })
    // Somebody else was first: nothing is left to do.
    if (answered.response.status !== 409) contentOf(answered)
  }
}

await asProgram(import.meta.url, (client) => answerBot(client, ({ choices: [first] }) => first ?? null))
