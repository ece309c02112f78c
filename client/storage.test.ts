import { afterEach, expect, it, vi } from 'vitest'
import { tabStorage } from './storage'

afterEach(() => vi.unstubAllGlobals())

/** A tab whose storage is full or forbidden, or keeps what it is given. */
function tab(isBroken: boolean): void {
  const held = new Map<string, string>()
  const fail = (): never => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  const works = {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, text: string) => held.set(key, text),
  }
  vi.stubGlobal('window', { sessionStorage: isBroken ? { getItem: fail, setItem: fail } : works })
}

it('[R237] a value of a tab comes back after a reload', () => {
  tab(false)
  tabStorage('folded').write(['a'])
  expect([tabStorage('folded').read(), tabStorage('other').read()]).toEqual([['a'], null])
})

it('[R237] a tab whose storage fails keeps nothing, and nothing breaks', () => {
  tab(true)
  expect(() => tabStorage('folded').write(['a'])).not.toThrow()
  expect(tabStorage('folded').read()).toBeNull()
})
