/** The dialog of a new request: its draft, paths of the workspace, templates, sending. */
import { describe, expect, it, vi } from 'vitest'
import { openPage, type PageServer, refused, saying, screen, waitFor, within } from '@/test/dom'
import { ANA } from '@/test/gallery/fixtures/people'
import { AskDialog } from './AskDialog'

const turned = vi.fn()
const ask = (isOpen = true) => (
  <AskDialog isOpen={isOpen} onOpenChange={turned} me={ANA.id} baseTask="base" again={null} template={null} />
)
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
    await user.type(wish(), 'Compare these lists:')
    await user.type(screen.getByRole('textbox', { name: 'Pasted text' }), 'wine: 4.10')
    await user.click(send())
    await waitFor(() => expect(turned).toHaveBeenCalledWith(false))
    expect(server.called('POST', '/api/work')).toEqual([
      expect.objectContaining({ wish: 'Compare these lists:', pasted: 'wine: 4.10' }),
    ])
    expect(wish().value).toBe('')
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
    expect(turned).toHaveBeenCalledWith(false)
    rerender(ask(false))
    rerender(ask())
    await waitFor(() => expect(wish().value).toBe('Count the lines of '))
  })

  it('takes the path of a file of the workspace where one writes', async () => {
    const entries = [{ path: 'barn/east.csv', kind: 'file', bytes: 12 }]
    const { user } = await openDialog((made) =>
      made.answer('GET /api/files', { root: 'workspace', folder: '', entries, more: 0, isWhole: true }),
    )
    await user.type(wish(), 'Count the lines of ')
    await user.click(await screen.findByRole('button', { name: 'Add barn/east.csv to the request' }))
    await waitFor(() => expect(wish().value).toMatch(/^Count the lines of .*barn\/east\.csv/))
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
