/** The dialog of a new request: its draft, paths of the workspace, templates, sending. */
import { describe, expect, it, vi } from 'vitest'
import { openPage, type PageServer, refused, saying, screen, waitFor, within } from '@/test/dom'
import { ANA } from '@/test/gallery/fixtures/people'
import { AGENT_ROWS } from '@/test/gallery/fixtures/rows'
import AskDialog from './AskDialog'

const turned = vi.fn()
const ask = (isOpen = true) =>
  isOpen ? <AskDialog onClose={turned} me={ANA.id} again={null} template={null} isOwnTask={false} /> : null
const openDialog = async (prepare?: (server: PageServer) => void) => {
  const page = await openPage(ask(), { at: '/tasks', prepare })
  await screen.findByRole('dialog', { name: 'New request' })
  return page
}
const wish = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'What do you need?' })
const send = () => screen.getByRole('button', { name: 'Send request' })

describe('a new request', () => {
  it('is sent with what was pasted, and its draft is gone', async () => {
    const { user, server } = await openDialog((made) => made.answer('POST /api/work', { seq: 1, reply: {}, saved: [] }))
    expect(send().getAttribute('aria-disabled')).toBe('true')
    await user.type(wish(), 'Compare these lists: ')
    await user.paste('short')
    const pasted = 'cellar:\nwine: 4.10\n\nkitchen:\nwine: 4.60'
    await user.paste(pasted)
    expect(screen.getByRole('list', { name: 'Files' }).textContent).toContain('Pasted text, 5 lines')
    await user.click(send())
    await waitFor(() => expect(turned).toHaveBeenCalled())
    expect(server.called('POST', '/api/work')).toEqual([
      expect.objectContaining({ wish: 'Compare these lists: short', pasted }),
    ])
    expect(wish().value).toBe('')
    expect(screen.queryByRole('list', { name: 'Files' })).toBeNull()
  })

  it('[R835] shows its plan first when that is ticked, which is kept with the draft', async () => {
    const { user, server, rerender } = await openDialog((made) =>
      made.answer('POST /api/work', { seq: 1, reply: {}, saved: [] }),
    )
    const tick = () => screen.getByRole<HTMLInputElement>('checkbox', { name: 'Show me the plan first' })
    await user.type(wish(), 'Count the lines')
    expect(tick().checked).toBe(false)
    await user.click(tick())
    rerender(ask(false))
    rerender(ask())
    await waitFor(() => expect(tick().checked).toBe(true))
    await user.click(send())
    await waitFor(() => expect(server.called('POST', '/api/work')).toHaveLength(1))
    expect(server.called('POST', '/api/work')[0]).toMatchObject({ wish: 'Count the lines', reviewPlans: true })
  })

  it('that is refused keeps all of it, and says why', async () => {
    const { user } = await openDialog((made) => made.answer('POST /api/work', refused('STOPPING')))
    await user.type(wish(), 'Count the lines')
    await user.click(send())
    expect((await screen.findAllByRole('alert')).map((one) => one.textContent).join()).toMatch(/./)
    expect([wish().value, turned.mock.calls]).toEqual(['Count the lines', []])
  })

  it('that is not sent is kept, and is there when the dialog opens again', async () => {
    const { user, rerender } = await openDialog()
    expect(screen.queryByText(saying('Draft saved'))).toBeNull()
    await user.type(wish(), 'Count the lines of ')
    expect(screen.getByText(saying('Draft saved'))).toBeTruthy()
    await user.keyboard('{Escape}')
    expect(turned).toHaveBeenCalled()
    rerender(ask(false))
    rerender(ask())
    await waitFor(() => expect(wish().value).toBe('Count the lines of '))
  })

  it('[R762] offers files of the workspace by @, takes one by Enter where one writes, and none by Escape', async () => {
    const entries = [
      { path: 'barn', kind: 'folder', bytes: 0 },
      { path: 'barn/east.csv', kind: 'file', bytes: 12 },
    ]
    const { user } = await openDialog((made) =>
      made.answer('GET /api/files', { root: 'workspace', folder: '', entries, more: 0, isWhole: true }),
    )
    await user.type(wish(), 'Count the lines of @ea')
    expect(await screen.findByRole('option', { name: /barn\/east\.csv/ })).toBeTruthy()
    expect(screen.getAllByRole('option')).toHaveLength(1)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(wish().value).toBe('Count the lines of barn/east.csv '))
    await user.keyboard('and @')
    expect(await screen.findAllByRole('option')).toHaveLength(2)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('option')).toBeNull()
    expect(turned).not.toHaveBeenCalled()
  })

  it('[R762] takes a file that is pasted or chosen, and says why it does not take another', async () => {
    const { user } = await openDialog((made) => made.answer('POST /api/attachments', refused('STOPPING')))
    const input = document.querySelector<HTMLInputElement>('input[type=file]')
    if (!input) throw new Error('files can be chosen')
    await user.upload(input, [
      new File(['a,1'], 'list.csv', { type: 'text/csv' }),
      new File([new Uint8Array([0, 1, 2, 0])], 'photo.png', { type: 'image/png' }),
    ])
    expect(await screen.findByText('list.csv')).toBeTruthy()
    expect((await screen.findByRole('alert')).textContent).toContain('photo.png')
    await user.click(screen.getByRole('button', { name: 'Remove list.csv' }))
    expect(screen.queryByText('list.csv')).toBeNull()
  })

  it('[R762] by an operator with members of their own choice is a task, which is named by its first words', async () => {
    const { user, server } = await openPage(ask(), {
      at: '/tasks',
      rows: { agents: AGENT_ROWS, overview: [] },
      prepare: (made) => made.answer('POST /api/tasks', { seq: 1, reply: {} }),
    })
    await user.type(await screen.findByRole('textbox', { name: 'What do you need?' }), 'Choose a colour')
    await user.click(screen.getByRole('checkbox', { name: 'Choose the members myself' }))
    const make = screen.getByRole('button', { name: 'Create task' })
    expect(make.getAttribute('aria-disabled')).toBe('true')
    await user.click(screen.getByRole('combobox', { name: 'Manager' }))
    await user.click(await screen.findByRole('option', { name: 'Manager · manager' }))
    await user.click(make)
    await waitFor(() =>
      expect(server.called('POST', '/api/tasks')).toEqual([
        expect.objectContaining({ name: 'Choose a colour', intention: 'Choose a colour', members: [], stages: [] }),
      ]),
    )
  })

  it('by a template is a form, which names the field that is missing', async () => {
    const template = {
      id: 't1',
      name: 'Compare lists',
      text: 'Compare {a}',
      fields: [{ name: 'a', kind: 'text', required: true }],
      removed: false,
    }
    const { user } = await openDialog((made) => made.answer('GET /api/templates', { templates: [template] }))
    await user.click(await screen.findByRole('combobox', { name: 'Template' }))
    await user.click(await screen.findByRole('option', { name: 'Compare lists' }))
    expect(send().title).toContain('a')
    expect(screen.queryByRole('textbox', { name: 'What do you need?' })).toBeNull()
    await user.type(within(screen.getByRole('dialog')).getByRole('textbox', { name: /^a/ }), 'the list')
    expect(send().getAttribute('aria-disabled')).not.toBe('true')
  })
})
