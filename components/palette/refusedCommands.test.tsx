/** Commands of the palette that the server refuses: each says so. */
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FixturesContext } from '@/client/fixtures'
import { drawToasts, type ToastNote } from '@/components/ui/overlays/toast'
import words from '@/messages/en.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import type { PaletteCommand } from './commands'
import { useCommands } from './useCommands'

function Probe({ take }: { take: (commands: readonly PaletteCommand[]) => void }) {
  take(useCommands('', { page: 'all', turnTo: () => undefined, ask: () => undefined }).commands)
  return null
}

/** The commands of the palette, for code outside of components. */
function commandsNow(): readonly PaletteCommand[] {
  let found: readonly PaletteCommand[] = []
  const take = (commands: readonly PaletteCommand[]): void => {
    found = commands
  }
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={words} timeZone="UTC">
      <FixturesContext value={PAGE_FIXTURES}>
        <Probe take={take} />
      </FixturesContext>
    </IntlProvider>,
  )
  return found
}

describe('a command of the palette that the server does not take', () => {
  const notes: ToastNote[] = []
  beforeEach(() => {
    notes.length = 0
    vi.stubGlobal('fetch', () => Promise.reject(new Error('no connection')))
    vi.stubGlobal('document', { getElementById: () => null })
    drawToasts({ show: (note) => void notes.push(note), close: () => undefined })
    return () => drawToasts(null)
  })

  it.each(['sign-out', 'rest'])('the command %s says that it was refused, and why', async (id) => {
    commandsNow()
      .find((command) => command.id === id)
      ?.run?.()
    await vi.waitFor(() => expect(notes.map(({ text }) => text).join()).toContain(words.error.noAnswer))
  })
})
