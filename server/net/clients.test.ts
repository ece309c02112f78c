/** Whose address a request is counted under, with and without proxies. */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { openClients } from './clients'

function requestFrom(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  const request = new IncomingMessage(socket)
  request.headers = headers
  return request
}
const forwarded = (list: string) => ({ 'x-forwarded-for': list })

describe('what a client is counted under', () => {
  const proxies = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']
  it.each([
    ['nobody is trusted', [], '127.0.0.1', '203.0.113.9', '127.0.0.1'],
    ['a stranger writes the header', proxies, '203.0.113.1', '198.51.100.7', '203.0.113.1'],
    ['a trusted proxy writes it', proxies, '127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['the same by the mapped address', proxies, '::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['the client wrote one before', proxies, '127.0.0.1', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['two proxies', proxies, '127.0.0.1', '1.1.1.1, 198.51.100.7, 10.2.3.4', '198.51.100.7'],
    ['an untrusted proxy between', proxies, '127.0.0.1', '198.51.100.7, 192.0.2.1, 10.2.3.4', '192.0.2.1'],
    ['all are proxies', proxies, '127.0.0.1', '10.1.1.1, 10.2.3.4', '10.1.1.1'],
    ['no header', proxies, '127.0.0.1', '', '127.0.0.1'],
    ['rubbish', proxies, '127.0.0.1', '198.51.100.7, unknown', '127.0.0.1'],
    ['a range of IPv6', proxies, 'fd00::1', '2001:db8::5', '2001:db8:0:0::/64'],
  ])('[R67] is the rightmost that no trusted proxy has: %s', (_, trusted, remote, header, expected) => {
    const { keyOf } = openClients(trusted)
    expect(keyOf(requestFrom(remote, header === '' ? {} : forwarded(header)))).toBe(expected)
  })

  it('[R66] is counted whole for IPv4, and by the /64 for IPv6', () => {
    const { keyOf } = openClients([])
    const keysOf = (...addresses: string[]) => addresses.map((address) => keyOf(requestFrom(address)))
    expect(keysOf('203.0.113.9', '::ffff:203.0.113.9')).toEqual(['203.0.113.9', '203.0.113.9'])
    const [one, same, other] = keysOf('2001:db8:1:2::5', '2001:db8:1:2:ffff::1', '2001:db8:1:3::5')
    expect(one).toBe('2001:db8:1:2::/64')
    expect(same).toBe(one)
    expect(other).not.toBe(one)
  })

  it('[R93] is known of a connection as of a request, but for a proxy and one that is closed', () => {
    const { keyOf, keyOfConnection } = openClients(['10.0.0.0/8'])
    for (const remoteAddress of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1:2::5'])
      expect(keyOfConnection({ remoteAddress })).toBe(keyOf(requestFrom(remoteAddress)))
    expect(keyOfConnection({ remoteAddress: '10.1.2.3' })).toBeNull()
    expect(keyOfConnection({ remoteAddress: undefined })).toBeNull()
  })

  it('[R67] came by https only when a trusted proxy says so', () => {
    const { isHttps } = openClients(['127.0.0.1'])
    const by = (remote: string, proto: string) => isHttps(requestFrom(remote, { 'x-forwarded-proto': proto }))
    expect([by('127.0.0.1', 'https'), by('127.0.0.1', 'http'), by('127.0.0.1', 'https, http')]).toEqual([
      true,
      false,
      false,
    ])
    expect(by('203.0.113.1', 'https')).toBe(false)
  })
})
