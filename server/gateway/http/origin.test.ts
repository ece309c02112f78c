/** Which Origin is ours. */
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { assertOwnOrigin, isOwnHost, isOwnOrigin } from './origin'

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
    ['http://undefined', undefined, null, false],
  ])('[R67] Origin %s at Host %s with PUBLIC_URL %s is ours: %s', (origin, host, publicUrl, own) => {
    expect(isOwnOrigin(origin, host, publicUrl)).toBe(own)
  })
})

describe('a request with a foreign Origin', () => {
  it('[R67] a foreign Origin is refused with its first 200 characters, and one of ours passes', () => {
    // Only the headers are looked at.
    const from = (origin: string) => ({ headers: { origin, host: 'team:3000' } }) as IncomingMessage
    expect(() => assertOwnOrigin(from('http://team:3000'), null)).not.toThrow()
    const long = `http://${'x'.repeat(300)}`
    expect(() => assertOwnOrigin(from(long), null)).toThrow(
      expect.objectContaining({ code: 'FOREIGN_ORIGIN', data: { origin: long.slice(0, 200) } }),
    )
  })
})

describe('a Host in a link', () => {
  const machine = hostname().toLowerCase()
  it.each([
    ['localhost:3000', '10.0.0.7', true],
    ['convene.localhost', '10.0.0.7', true],
    ['localhost.', '10.0.0.7', true],
    ['127.0.0.2', '10.0.0.7', true],
    ['[::1]:3000', '10.0.0.7', true],
    ['10.0.0.7:3000', '10.0.0.7', true],
    ['10.0.0.7:3000', '::ffff:10.0.0.7', true],
    ['10.0.0.8:3000', '10.0.0.7', false],
    ['10.0.0.7:3000', undefined, false],
    ['10.0.0.7.evil.example', '10.0.0.7', false],
    [machine, '10.0.0.7', true],
    [`${machine}.local`, '10.0.0.7', true],
    [`${machine}.evil`, '10.0.0.7', false],
    ['evil.example', '10.0.0.7', false],
    ['evil.local', '10.0.0.7', false],
    ['not a host', '10.0.0.7', false],
    ['', '10.0.0.7', false],
    [undefined, '10.0.0.7', false],
  ])('[R67] Host %s on a connection to %s may stand in a link: %s', (host, localAddress, own) => {
    // Only the Host and the address of the socket are looked at.
    expect(isOwnHost({ headers: { host }, socket: { localAddress } } as IncomingMessage)).toBe(own)
  })
})
