/** Ready teams and team files: shown before they are imported; a refusal says why; this team is saved as a file. */
import { expect, it } from 'vitest'
import { openPage, type PageServer, refused, screen, waitFor, within } from '@/test/dom'
import { ME } from '@/test/gallery/fixtures/people'
import { TeamFilesButton } from './TeamFilesButton'

const READY = {
  teams: [{ id: 'writers', format: 'convene-team', version: 1, name: 'Writers', about: 'They write.', agents: [] }],
}
const CHECKED = {
  name: 'Writers',
  about: 'They write.',
  agents: [{ id: 'writer-2', name: 'Writer 2', role: 'writer', tools: ['files'] }],
  templates: ['Page'],
  rules: [{ agent: 'Writer 2', tool: 'files.write_file', rule: 'ask' }],
  notes: [{ about: 'agent', name: 'Writer', why: 'renamed', detail: 'Writer 2' }],
  digest: 'd1',
}

async function openTeams(prepare?: (server: PageServer) => void) {
  const page = await openPage(<TeamFilesButton />, {
    prepare: (server) => {
      server.answer('GET /api/team/ready', READY)
      server.answer('POST /api/team/check', CHECKED)
      prepare?.(server)
    },
  })
  await page.user.click(screen.getByRole('button', { name: 'Ready teams…' }))
  return page
}

it('[R836] a ready team is looked at, with what is otherwise here, and then imported as it was shown', async () => {
  const { user, server } = await openTeams()
  await user.click(await screen.findByRole('button', { name: 'Look at Writers' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Import Writers' }))
  expect(dialog.getByRole('region', { name: '1 new agent' }).textContent).toContain('Writer 2')
  expect(dialog.getByRole('region', { name: 'Different here' }).textContent).toBe(
    'Different hereWriter is called Writer 2 here: the name is taken.',
  )
  expect(dialog.getByText('Writer 2 asks before each call of files.write_file.')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Import team' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.called('POST', '/api/team/import')).toEqual([expect.objectContaining({ digest: 'd1' })])
})

it('[R837] a file that is refused says where and why', async () => {
  const { user } = await openTeams((server) =>
    server.answer('POST /api/team/check', refused('BAD_INPUT', { why: 'The file of a team: version' })),
  )
  await user.click(await screen.findByRole('button', { name: 'Look at Writers' }))
  expect((await screen.findByRole('alert')).textContent).toContain('version')
})

it('[R836] is not offered to people who are no operators', async () => {
  const me = { ...ME, person: { ...ME.person, access: 'participant' as const } }
  await openPage(<TeamFilesButton />, { me })
  expect(screen.queryByRole('button')).toBeNull()
})
