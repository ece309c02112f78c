/** How far a person has read at a place: asked for when the place is opened and with each connection, and never set back by a late answer. */
import { expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import { act, openPage, screen, waitFor } from '@/test/dom'
import { ME } from '@/test/gallery/fixtures/people'
import { useReadCursor } from './readCursors'

function Cursor({ place }: { place: string }) {
  return <output>{`${useReadCursor(place)}`}</output>
}
const shows = (text: string): Promise<void> => waitFor(() => expect(screen.getByRole('status').textContent).toBe(text))
const note = (place: string, seq: number) => ({
  kind: 'read' as const,
  person: ME.person.agent_id as AgentId,
  place,
  seq,
})

it('[R724] a place is not shown as unread before the server said how far it was read, each time it is opened', async () => {
  let seq: number | null = null
  const { rerender, server } = await openPage(<Cursor place="task:one" />, {
    prepare: (made) => made.answer('GET /api/read/task%3Aone', () => ({ seq })),
  })
  await shows('null')
  rerender(null)
  seq = 7
  rerender(<Cursor place="task:one" />)
  expect(screen.getByRole('status').textContent).toBe('undefined')
  await shows('7')
  expect(server.called('GET', '/api/read/task%3Aone')).toHaveLength(2)
})

it('[R724] what another page of the person read meanwhile counts, also where an older answer comes late, and so after a new connection', async () => {
  let give = (): void => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  const { server } = await openPage(<Cursor place="task:two" />, {
    prepare: (made) => made.answer('GET /api/read/task%3Atwo', () => given.then(() => ({ seq: 3 }))),
  })
  act(() => server.note(note('task:two', 9)))
  await act(async () => give())
  await shows('9')
  act(() => server.setUp(false))
  server.answer('GET /api/read/task%3Atwo', { seq: 12 })
  act(() => server.setUp(true))
  await shows('12')
})
