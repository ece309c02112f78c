/** Copying: by a button, and shown to be copied by hand where there is no clipboard. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FaultState } from '@/components/ui/States'
import { openPage, refused, saying, screen, waitFor } from '@/test/dom'
import MarkdownBody from './markdown/MarkdownBody'

const copied = vi.fn((_: string) => Promise.resolve())
const giveClipboard = (clipboard: unknown): void =>
  void Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })

const CODE = <MarkdownBody headingLevel={3} text={'Add:\n\n```\nsalt: 2 g\n```'} />
const FAULT = <FaultState title="It could not be loaded" fault={refused('STOPPING').body} onRetry={() => undefined} />

describe('[R267] what can be copied', () => {
  beforeEach(() => giveClipboard({ writeText: copied }))

  it.each([
    { what: 'code', page: CODE, name: 'Copy', text: 'salt: 2 g' },
    { what: 'the details of a failure', page: FAULT, name: 'Copy details', text: '"error"' },
  ])('$what: is in the clipboard after a press of "$name"', async ({ page, name, text }) => {
    const { user } = await openPage(page)
    giveClipboard({ writeText: copied })
    await user.click(await screen.findByRole('button', { name }))
    await waitFor(() => expect(copied.mock.calls.flat().join()).toContain(text))
    expect(await screen.findByText(saying('Copied'))).toBeTruthy()
  })

  it.each([
    { what: 'code', page: CODE, name: 'Copy', text: 'salt: 2 g' },
    { what: 'the details of a failure', page: FAULT, name: 'Copy details', text: '"error"' },
  ])('$what: is shown where there is no clipboard', async ({ page, name, text }) => {
    const { user } = await openPage(page)
    giveClipboard(undefined)
    await user.click(await screen.findByRole('button', { name }))
    const toasts = await screen.findByRole('region', { name: /^Notifications/ })
    await waitFor(() => expect(toasts.textContent).toContain(text))
  })
})
