import { describe, expect, it, vi } from 'vitest'
import { createScreen } from './onScreen'

const ROOT = 800

/** A page without a browser: an observer that reports where the test puts its elements. */
function page() {
  const parts: { receive: (entries: readonly IntersectionObserverEntry[]) => void } = { receive: () => undefined }
  const places = new Map<Element, { top: number; height: number }>()
  const watched = new Set<Element>()
  const tells = new Map<string, (target: Node) => void>()
  let now = 1_000
  const report = (target: Element): void => {
    const place = places.get(target)
    if (place === undefined || !watched.has(target)) return
    const [top, bottom] = [Math.max(0, place.top), Math.min(ROOT, place.top + place.height)]
    const height = Math.max(0, bottom - top)
    const isIntersecting = bottom > top
    parts.receive([
      // The values of a browser's entry are no properties of its own.
      Object.create({
        target,
        isIntersecting,
        intersectionRatio: height / place.height,
        intersectionRect: { height, top, bottom },
        boundingClientRect: { height: place.height, top: place.top, bottom: place.top + place.height },
        rootBounds: { height: ROOT },
      }),
    ])
  }
  const screen = createScreen({
    observer: (receive) => {
      parts.receive = receive
      return { observe: (one) => void watched.add(one), unobserve: (one) => void watched.delete(one) }
    },
    listen: (name, tell) => void tells.set(name, tell),
    now: () => now,
  })
  return {
    screen,
    watched,
    pass: (ms: number) => (now += ms),
    put: (element: Element, top: number, height: number) => {
      places.set(element, { top, height })
      report(element)
    },
    /** Scroll a pane, or focus a field, that holds these or is in one of them. */
    tell: (name: 'scroll' | 'focusin' | 'focusout', target: Node) => tells.get(name)?.(target),
  }
}

/** As much of an element as the store asks for. */
const element = (...inside: unknown[]): Element & Node =>
  ({ contains: (node: unknown) => inside.includes(node) }) as unknown as Element

describe('what is on screen', () => {
  it('[R701] an item is on screen from when any of its card came into view until the card has left', () => {
    const { screen, put, pass } = page()
    const card = element()
    const end = screen.observe(card, 'a', 'card')
    put(card, 790, 200)
    pass(500)
    put(card, 100, 200)
    expect(screen.sightOf('a')).toMatchObject({ since: 1_000, kind: 'card', element: card })
    put(card, 900, 200)
    expect(screen.sightOf('a')).toBeNull()
    put(card, 100, 200)
    expect(screen.sightOf('a')).toMatchObject({ since: 1_500 })
    end()
    expect(screen.sightOf('a')).toBeNull()
  })

  it('[R238] where a card and the strip above it name one request, the card counts, and the strip while the card is out of view', () => {
    const { screen, put } = page()
    const [strip, card] = [element(), element()]
    screen.observe(strip, 'r', 'strip')
    screen.observe(card, 'r', 'card')
    put(strip, 80, 40)
    put(card, 1_200, 200)
    expect(screen.sightOf('r')).toMatchObject({ kind: 'strip' })
    put(card, 300, 200)
    expect(screen.sightOf('r')).toMatchObject({ kind: 'card' })
  })

  it.each([
    { of: 'a whole card', top: 300, height: 200, isHalf: true, isMost: true },
    { of: 'half a card', top: 700, height: 200, isHalf: true, isMost: false },
    { of: 'less than half a card', top: 701, height: 200, isHalf: false, isMost: false },
    { of: 'the end of a card', top: -190, height: 200, isHalf: false, isMost: true },
    { of: 'half a window of a long card', top: 400, height: 1_300, isHalf: true, isMost: false },
    { of: 'the middle of a long card', top: -100, height: 1_600, isHalf: true, isMost: false },
    { of: 'the end of a long card', top: -901, height: 1_300, isHalf: false, isMost: true },
  ])('[R426] half of a card, or of the window, and most of a card or its last line are known: $of', (cell) => {
    const { screen, put } = page()
    const card = element()
    screen.observe(card, 'a', 'card')
    put(card, cell.top, cell.height)
    expect(screen.sightOf('a')).toMatchObject({ isHalf: cell.isHalf, isMost: cell.isMost })
  })

  it('a card of which a part is in view is looked at anew when its pane scrolls, and another one is not', () => {
    const { screen, put, tell, watched } = page()
    const [long, short] = [element(), element()]
    for (const one of [long, short]) screen.observe(one, 'a', 'card')
    put(long, -100, 1_300)
    put(short, 100, 50)
    const observed: Element[] = []
    const add = watched.add.bind(watched)
    watched.add = (one) => {
      observed.push(one)
      return add(one)
    }
    tell('scroll', element())
    expect(observed).toEqual([])
    tell('scroll', element(long, short))
    tell('scroll', element(long, short))
    expect(observed).toEqual([long])
  })

  it('subscribers hear of a change only when what is known of a card has changed', () => {
    const { screen, put } = page()
    const card = element()
    screen.observe(card, 'a', 'card')
    const heard = vi.fn()
    screen.changes.subscribe(heard)
    put(card, 100, 200)
    put(card, 120, 200)
    expect(heard).toHaveBeenCalledTimes(1)
    put(card, 720, 200)
    expect(heard).toHaveBeenCalledTimes(2)
  })

  it('the scrolling of the pane of a card, and the focus in the card, are its use', () => {
    const { screen, put, tell, pass } = page()
    const field = element()
    const card = element(field)
    screen.observe(card, 'a', 'card')
    put(card, 100, 200)
    pass(9_000)
    tell('scroll', element())
    tell('focusin', element())
    expect(screen.sightOf('a')).toMatchObject({ scrolledAt: 0, hasFocus: false })
    tell('scroll', element(card))
    tell('focusin', field)
    expect(screen.sightOf('a')).toMatchObject({ scrolledAt: 10_000, hasFocus: true })
    tell('focusout', field)
    expect(screen.sightOf('a')).toMatchObject({ scrolledAt: 10_000, hasFocus: false })
  })

  it('an element of which the browser has said nothing yet is pending, and no longer afterwards', () => {
    const { screen, put } = page()
    const card = element()
    screen.observe(card, 'a', 'card')
    expect(screen.sightOf('a')).toBe('pending')
    put(card, 2_000, 100)
    expect(screen.sightOf('a')).toBeNull()
    expect(screen.sightOf('b')).toBeNull()
  })
})
