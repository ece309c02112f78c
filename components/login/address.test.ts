import { describe, expect, it } from 'vitest'
import { linkTokenOf, nextPath } from './address'

describe('after signing in', () => {
  it('after signing in the reader continues to the address they came from', () => {
    expect(nextPath('?next=%2Ftasks%2Ft1%3Fat%3D9')).toBe('/tasks/t1?at=9')
    expect(nextPath('')).toBe('/')
  })

  it('signing in never leads to another site or back to the sign-in page', () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/login',
      '/login?next=/x',
    ]) {
      expect(nextPath(`?next=${encodeURIComponent(next)}`), next).toBe('/')
    }
    expect(nextPath('?next=/logins')).toBe('/logins')
  })
})

describe('a sign-in link', () => {
  it('a sign-in link carries its token after the # or in the query', () => {
    expect(linkTokenOf('', '#link=abc')).toBe('abc')
    expect(linkTokenOf('?next=/x&link=abc', '')).toBe('abc')
    expect(linkTokenOf('?next=/x', '#other')).toBeNull()
  })
})
