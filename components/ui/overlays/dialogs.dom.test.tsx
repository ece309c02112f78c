/** Dialogs, confirmations, menus and toasts as one uses them: by pointer, by keys, with a screen reader. */
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { useDraft } from '@/client/drafts'
import { navigate } from '@/client/nav'
import { act, openPage, saying, screen, waitFor, within } from '@/test/dom'
import { Button } from '../Button'
import { AlertDialog, ConfirmDialog, Dialog, Sheet } from './Dialog'
import { Menu, type MenuEntry } from './Menu'
import { closeToast, showToast } from './toast'

type OverlayProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

function Opener({ children }: { children: (props: OverlayProps) => React.ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <main>
      <h1 tabIndex={-1}>The page</h1>
      <Button onClick={() => setOpen(true)}>open it</Button>
      {children({ isOpen, onOpenChange: setOpen })}
    </main>
  )
}

async function openOverlay(children: (props: OverlayProps) => React.ReactNode) {
  const page = await openPage(<Opener>{children}</Opener>)
  const opener = screen.getByRole('button', { name: 'open it' })
  await page.user.click(opener)
  return { ...page, opener }
}

/** A sheet whose opener is gone while it is open. */
function Gone() {
  const [isOpen, setOpen] = useState(false)
  return (
    <main>
      <h1 tabIndex={-1}>The page</h1>
      {isOpen ? null : <Button onClick={() => setOpen(true)}>open it</Button>}
      <Sheet isOpen={isOpen} onOpenChange={() => undefined} title="More">
        <Button onClick={() => setOpen(false)}>leave</Button>
      </Sheet>
    </main>
  )
}

const confirmed = vi.fn()
function Release({ failure = null, ...props }: OverlayProps & { failure?: string | null }) {
  const draft = useDraft('act:release')
  return (
    <ConfirmDialog
      {...props}
      title="Release this wait?"
      action="Release"
      reasonLabel="Reason"
      isReasonNeeded
      draft={draft}
      failure={failure}
      onConfirm={confirmed}
    >
      Tester continues without an answer.
    </ConfirmDialog>
  )
}

describe('a dialog', () => {
  const ask = (props: OverlayProps) => (
    <Dialog {...props} title="Ask Coder back" foot={<Button>Send</Button>}>
      <input aria-label="text" />
    </Dialog>
  )

  it('takes the focus to its first field, and gives it back to its opener on Escape', async () => {
    const { user, opener } = await openOverlay(ask)
    expect(await screen.findByRole('dialog', { name: 'Ask Coder back' })).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('text')))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(opener)
  })

  it('closes by its button, and hides the page from screen readers while it is open', async () => {
    const { user } = await openOverlay(ask)
    await screen.findByRole('dialog')
    expect(screen.queryByRole('button', { name: 'open it' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.getByRole('button', { name: 'open it' })).toBeTruthy()
  })

  it('makes way for the address that a link of it leads to', async () => {
    await openOverlay(ask)
    await screen.findByRole('dialog')
    act(() => navigate('/tasks'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.activeElement?.textContent).toBe('The page')
  })

  it('whose opener is gone puts the focus where it is told, else on the heading', async () => {
    const { user } = await openPage(<Gone />)
    await user.click(screen.getByRole('button', { name: 'open it' }))
    await user.click(await screen.findByRole('button', { name: 'leave' }))
    await waitFor(() => expect(document.activeElement?.textContent).toBe('The page'))
  })
})

describe('a confirmation', () => {
  const release = (props: OverlayProps) => <Release {...props} />

  it('has its first focus off the act, and Escape does nothing but close it', async () => {
    const { user } = await openOverlay(release)
    const dialog = await screen.findByRole('alertdialog', { name: 'Release this wait?' })
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
    expect(document.activeElement).not.toBe(within(dialog).getByRole('button', { name: 'Release' }))
    await user.keyboard('{Escape}')
    expect([screen.queryByRole('alertdialog'), confirmed.mock.calls]).toEqual([null, []])
  })

  it('needs its reason, which outlives a cancel', async () => {
    const { user } = await openOverlay(release)
    await user.click(await screen.findByRole('button', { name: 'Release' }))
    expect(confirmed).not.toHaveBeenCalled()
    await user.type(screen.getByRole('textbox', { name: 'Reason' }), 'It runs without it.')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(screen.getByRole('button', { name: 'open it' }))
    expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Reason' })).value).toBe(
      'It runs without it.',
    )
    await user.click(screen.getByRole('button', { name: 'Release' }))
    expect(confirmed.mock.calls).toEqual([['It runs without it.']])
  })

  it('stays open with the refusal of the server', async () => {
    await openOverlay((props) => <Release {...props} failure="Ben released it 4 s before you." />)
    expect((await screen.findByRole('alert')).textContent).toBe('Ben released it 4 s before you.')
  })
})

describe('an alert', () => {
  it('is not closed by a press beside it, and has its heading focused', async () => {
    const { user } = await openOverlay((props) => (
      <AlertDialog {...props} isUrgent title="Urgent from Coder">
        The oven is on fire.
      </AlertDialog>
    ))
    const dialog = await screen.findByRole('alertdialog', { name: 'Urgent from Coder' })
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Urgent from Coder'))
    await user.click(dialog.parentElement ?? document.body)
    expect(screen.getByRole('alertdialog')).toBeTruthy()
  })
})

describe('a menu', () => {
  const pressed = vi.fn()
  const ENTRIES: MenuEntry[] = [
    { label: 'Ask back', onSelect: () => pressed('ask') },
    { label: 'Take it', isDisabled: true, reason: 'You have it', onSelect: () => pressed('take') },
    { kind: 'line' },
    { label: 'Release', onSelect: () => pressed('release') },
    { kind: 'link', label: 'Tasks', href: '/tasks' },
  ]
  const openMenu = () => openPage(<Menu label="More" entries={ENTRIES} />)

  it('opens by a press, says what an entry does not do and why, and gives the focus back', async () => {
    const { user } = await openMenu()
    const button = screen.getByRole('button', { name: 'More' })
    await user.click(button)
    const off = await screen.findByRole('menuitem', { name: 'Take it' })
    expect([off.getAttribute('aria-disabled'), off.getAttribute('aria-description')]).toEqual(['true', 'You have it'])
    await user.click(off)
    expect(pressed).not.toHaveBeenCalled()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' }))
  })

  it.each(['{Enter}', ' ', '{ArrowDown}'])('is walked by keys from %j on', async (key) => {
    const { user } = await openMenu()
    act(() => screen.getByRole('button', { name: 'More' }).focus())
    await user.keyboard(key)
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Ask back'))
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('Release')
    await user.keyboard('{Enter}')
    expect(pressed.mock.calls).toEqual([['release']])
  })

  it('leads to an address without loading the page', async () => {
    const { user } = await openMenu()
    await user.click(screen.getByRole('button', { name: 'More' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Tasks' }))
    expect(window.location.pathname).toBe('/tasks')
  })
})

describe('a toast', () => {
  it('is shown with its act, and closed by it', async () => {
    const undone = vi.fn()
    const { user } = await openPage(null)
    act(() => void showToast('done', 'Marked as done.', { actions: [{ label: 'Undo', onPress: undone }] }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(undone).toHaveBeenCalledOnce()
    await waitFor(() => expect(screen.queryByText(saying('Marked as done.'))).toBeNull())
  })

  it('of an error stays, can be closed, and is read out at once', async () => {
    const { user } = await openPage(null)
    act(() => void showToast('error', 'Lee is not in this task.'))
    expect(document.getElementById('announce-assertive')?.textContent).toBe('Lee is not in this task.')
    await user.click(await screen.findByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByText('Lee is not in this task.', { ignore: 'p, script' })).toBeNull())
  })

  it('with the same id replaces the one before, and goes when what it tells is over', async () => {
    await openPage(null)
    act(() => void showToast('info', 'One waits.', { id: 'waiting' }))
    expect(await screen.findByText(saying('One waits.'))).toBeTruthy()
    act(() => void showToast('info', 'Two wait.', { id: 'waiting' }))
    await waitFor(() => expect(screen.queryByText(saying('One waits.'))).toBeNull())
    act(() => closeToast('waiting'))
    await waitFor(() => expect(screen.queryByText(saying('Two wait.'))).toBeNull())
  })
})
