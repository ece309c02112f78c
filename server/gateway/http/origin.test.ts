/** Which Origin is ours. */
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { assertOwnRequest, isOwnHost, isOwnOrigin } from './origin'

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

describe('a foreign request', () => {
  const at = (publicUrl: string | null) => ({ publicUrl, address: () => 'http://127.0.0.1:3000' })
  const sent =
    (origin: string | undefined, host: string, publicUrl: string | null = null) =>
    () =>
      assertOwnRequest({ headers: { origin, host } }, at(publicUrl))

  it('[R67] a foreign Origin is refused with its first 200 characters, and one of ours passes', () => {
    expect(sent('http://team:3000', 'team:3000')).not.toThrow()
    const long = `http://${'x'.repeat(300)}`
    expect(sent(long, 'team:3000')).toThrow(
      expect.objectContaining({ code: 'FOREIGN_ORIGIN', data: { origin: long.slice(0, 200) } }),
    )
  })

  it('[R350] without PUBLIC_URL a foreign Host is refused, whatever the Origin; with it the Origin decides', () => {
    const refused = expect.objectContaining({ code: 'FOREIGN_HOST', data: { host: 'evil.example:3000' } })
    expect(sent('http://evil.example:3000', 'evil.example:3000')).toThrow(refused)
    expect(sent(undefined, 'evil.example:3000')).toThrow(refused)
    expect(sent(undefined, 'inner.example:3000', PUBLIC)).not.toThrow()
    expect(sent('http://evil.example:3000', 'evil.example:3000', PUBLIC)).toThrow(
      expect.objectContaining({ code: 'FOREIGN_ORIGIN' }),
    )
  })
})

describe('a Host without PUBLIC_URL', () => {
  const machine = hostname().toLowerCase()
  it.each([
    ['localhost:3000', true],
    ['LOCALHOST:3000', true],
    ['convene.localhost', true],
    ['localhost.', true],
    ['127.0.0.2', true],
    ['[::1]:3000', true],
    // A phone in the same network, and a container behind a mapped port.
    ['10.0.0.7:3000', true],
    ['[fd00::7]:3000', true],
    ['team:3000', true],
    [machine, true],
    [`${machine}.local`, true],
    ['desk.lan:3000', true],
    ['DESK.lan.', true],
    ['10.0.0.7.evil.example', false],
    ['127.0.0.1.nip.io', false],
    ['desk.lan.evil.example', false],
    ['localhost.evil.example', false],
    [`${machine}.evil`, false],
    ['evil.example', false],
    ['evil.local', false],
    ['not a host', false],
    ['a@evil.example', false],
    ['evil.example#.localhost', false],
    ['', false],
    [undefined, false],
  ])('[R350] Host %s is ours: %s', (host, own) => {
    expect(isOwnHost(host, 'http://desk.lan:3000')).toBe(own)
  })
})
