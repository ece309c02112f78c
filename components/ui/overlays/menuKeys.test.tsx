import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it, vi } from 'vitest'

vi.hoisted(() => {
  // What this browser keeps is read once, as the page is loaded.
  const kept = JSON.stringify({ keys: { y: 'm', 'Shift+u': '' } })
  vi.stubGlobal('window', { localStorage: { getItem: () => kept } })
})

const { MenuKey } = await import('./MenuBody')

it.each([
  { chord: 'y', shown: 'm' },
  { chord: 'Shift+u', shown: null },
  { chord: '/', shown: '/' },
])('[R427] a menu prints the key that its reader chose for $chord: $shown', ({ chord, shown }) => {
  const text = renderToStaticMarkup(<MenuKey chord={chord} />).replace(/<[^>]*>/g, '')
  expect(text).toBe(shown ?? '')
})
