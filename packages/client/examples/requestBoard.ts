/** A board of what waits for people: one line each, those that need an operator first, drawn again at every change. */
import { print } from '@/server/terminal'
import type { ConveneClient } from '..'
import { asProgram } from './asProgram'

/** in: draw: gets all lines; the token has `read`. out: ends it */
export function requestBoard(client: ConveneClient, draw: (lines: readonly string[]) => void): () => void {
  return client.watch('waits', (shown) => {
    if (shown.status === 'closed') return draw([`Nothing may be shown: ${shown.reason}.`])
    draw(
      shown.rows.map(
        ({ taskName, who, forWhom, what }) =>
          `${taskName}: ${who.name} waits for ${forWhom.map(({ name }) => name).join(', ')}: ${what}`,
      ),
    )
  })
}

await asProgram(import.meta.url, (client) =>
  requestBoard(client, (lines) => print(`${new Date().toISOString()}\n${lines.join('\n') || 'Nothing waits.'}\n`)),
)
