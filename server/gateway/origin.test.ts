/** Which Origin is ours. */
import { describe, expect, it } from 'vitest'
import { isOwnOrigin } from './origin'

const PUBLIC = 'https://convene.example'

describe('an Origin', () => {
  it.each([
    [undefined, 'anything.example', PUBLIC, true],
    [PUBLIC, 'inner:3000', PUBLIC, true],
    ['http://convene.example', 'convene.example', PUBLIC, false],
    ['http://rebound.example:3000', 'rebound.example:3000', PUBLIC, false],
    ['http://203.0.113.9:3000', '203.0.113.9:3000', PUBLIC, false],
    ['http://localhost:3000', 'localhost:3000', PUBLIC, true],
    ['http://127.0.0.1:3000', '127.0.0.1:3000', PUBLIC, true],
    ['http://[::1]:3000', '[::1]:3000', PUBLIC, true],
    ['http://localhost.evil.example', 'localhost.evil.example', PUBLIC, false],
    ['http://evil.example', 'localhost:3000', PUBLIC, false],
    ['null', 'localhost:3000', PUBLIC, false],
    ['http://team:3000', 'team:3000', null, true],
    ['http://evil.example', 'team:3000', null, false],
    ['http://evil.example', undefined, null, false],
  ])('[R67] %s at %s with PUBLIC_URL %s: %s', (origin, host, publicUrl, own) => {
    expect(isOwnOrigin(origin, host, publicUrl)).toBe(own)
  })
})
