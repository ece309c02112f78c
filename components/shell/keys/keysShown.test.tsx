/** Every place that names a key. */
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoundAction } from '@/client/actions/keyboard'
import { FixturesContext } from '@/client/fixtures'
import type { PaletteCommand } from '@/components/palette/commands'
import { useCommands } from '@/components/palette/useCommands'
import { OwnKeysPart } from '@/components/settings/OwnKeys'
import { JumpButtons } from '@/components/tree/TreeToolbar'
import { ActionEntry } from '@/components/ui/overlays/MenuBody'
import words from '@/messages/en.json'
import { PAGE_FIXTURES } from '@/test/gallery/fixtures/pageFixtures'
import { KeysTable } from './KeysTable'

const display = vi.hoisted(() => ({ keys: {} as Record<string, string>, singleKeys: true }))
vi.mock('@/client/theme', async (original) => ({
  ...(await original<typeof import('@/client/theme')>()),
  useDisplay: <T,>(select: (all: typeof display) => T): T => select(display),
}))
const bound = vi.hoisted<{ now: readonly BoundAction[] }>(() => ({ now: [] }))
vi.mock('@/client/actions/keyboard', async (original) => ({
  ...(await original<typeof import('@/client/actions/keyboard')>()),
  useBoundActions: () => bound.now,
}))

const drawn = (part: ReactElement): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={words} timeZone="UTC">
      <FixturesContext value={PAGE_FIXTURES}>{part}</FixturesContext>
    </IntlProvider>,
  )

/** The keys in the table's row with this text, in one line. */
function keysOfRow(part: ReactElement, text: string): string {
  const rows = drawn(part).match(/<tr[ >].*?<\/tr>/g) ?? []
  const row = rows.find((html) => html.includes(text)) ?? ''
  return [...row.matchAll(/<kbd[^>]*>([^<]*)<\/kbd>/g)].map(([, sign]) => sign).join('+')
}

let offered: readonly PaletteCommand[] = []
function Probe() {
  offered = useCommands('', { page: 'all', turnTo: () => undefined, ask: () => undefined }).commands
  return null
}

function hintInPalette(label: string): string | undefined {
  drawn(<Probe />)
  const command = offered.find((one) => one.label === label)
  return command && (command.hint ?? '')
}

const TREE = { id: 'tree', at: 'task', href: '/tasks/1/tree', run: () => undefined } as const
/** The key of the task's tree as each surface names it; '' where it names none. */
const SURFACES: Record<string, () => string | undefined> = {
  'a menu': () => drawn(<ActionEntry action="tree" />).match(/<kbd[^>]*>([^<]*)</)?.[1] ?? '',
  'the palette': () => hintInPalette('Tree'),
  'the keys of this page': () => keysOfRow(<KeysTable />, '>Tree<'),
  'the keys of other pages': () => {
    bound.now = []
    return keysOfRow(<KeysTable />, 'Task tree')
  },
  'Own keys': () => keysOfRow(<OwnKeysPart />, 'Task tree'),
}

describe('a key that is named', () => {
  beforeEach(() => {
    bound.now = [TREE]
    Object.assign(display, { keys: {}, singleKeys: true })
  })

  it.each(Object.keys(SURFACES))('[R427] %s names the key that everybody has, then one’s own, or none', (surface) => {
    const shown = SURFACES[surface]
    expect(shown?.()).toBe('2')
    bound.now = [TREE]
    display.keys = { tree: 'q' }
    expect(shown?.()).toBe('q')
    bound.now = [TREE]
    display.keys = { tree: '' }
    expect(shown?.()).toBe('')
  })

  it.each(Object.keys(SURFACES).filter((surface) => surface !== 'Own keys'))(
    '[R427] while single keys are switched off %s names none of them',
    (surface) => {
      display.singleKeys = false
      expect(SURFACES[surface]?.()).toBe('')
    },
  )

  it('[R427] a button tells assistive software the key that its reader chose', () => {
    const shortcuts = (): string[] =>
      [...drawn(<JumpButtons jump={() => undefined} />).matchAll(/aria-keyshortcuts="([^"]*)"/g)].map(
        ([, keys]) => keys ?? '',
      )
    expect(shortcuts()).toEqual(['E', 'W'])
    display.keys = { nextError: 'Shift+q', nextWait: '' }
    expect(shortcuts()).toEqual(['Shift+Q'])
  })
})
