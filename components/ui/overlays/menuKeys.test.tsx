import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import { MenuKey } from './MenuBody'

const display = { keys: { y: 'm', 'Shift+u': '' }, singleKeys: true }
vi.mock('@/client/theme', () => ({ useDisplay: <T,>(select: (all: typeof display) => T): T => select(display) }))

it.each([
  { chord: 'y', shown: 'm' },
  { chord: 'Shift+u', shown: '' },
  { chord: '/', shown: '/' },
])('[R427] a menu prints the key that its reader chose for $chord: $shown', ({ chord, shown }) => {
  expect(renderToStaticMarkup(<MenuKey chord={chord} />).replace(/<[^>]*>/g, '')).toBe(shown)
})
