/**
 * A push service and a browser behind it: takes pushes as real ones do, checks who sent them, and decrypts them.
 *
 * RFC 8030 (the request), 8291 (the encryption), 8292 (the sender's signature).
 */
import { createDecipheriv, createECDH, createHmac, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type PushService = {
  /** What the browser hands to the console. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string }; name: string }
  /** What arrived, decrypted, in order. */
  got: { content: Record<string, unknown>; topic: string; urgency: string; ttl: number; signedBy: string }[]
  /** What the next pushes are answered with; 201 after those. */
  answers: number[]
  close: () => void
}

export async function openPushService(): Promise<PushService> {
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = randomBytes(16)
  const got: PushService['got'] = []
  const answers: number[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const status = answers.shift() ?? 201
      if (status === 201) {
        got.push({
          content: JSON.parse(decrypt(Buffer.concat(pieces), browser, auth)) as Record<string, unknown>,
          topic: String(request.headers.topic),
          urgency: String(request.headers.urgency),
          ttl: Number(request.headers.ttl),
          signedBy: signerOf(String(request.headers.authorization)),
        })
      }
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    subscription: {
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/push/abc`,
      keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
      name: 'Test browser',
    },
    got,
    answers,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const hmac = (key: Buffer, ...data: (Buffer | string)[]): Buffer => {
  const made = createHmac('sha256', key)
  for (const piece of data) made.update(piece)
  return made.digest()
}

function decrypt(body: Buffer, browser: ECDH, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const shared = hmac(auth, browser.computeSecret(sender))
  const both = hmac(shared, 'WebPush: info\0', browser.getPublicKey(), sender, '\x01')
  const seed = hmac(salt, both)
  const key = hmac(seed, 'Content-Encoding: aes128gcm\0\x01').subarray(0, 16)
  const nonce = hmac(seed, 'Content-Encoding: nonce\0\x01').subarray(0, 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce)
  cipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')
}

/** The public key by which the request is signed; throws when the signature is not right. */
function signerOf(authorization: string): string {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(\S+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33, 65).toString('base64url'),
    },
    format: 'jwk',
  })
  const signed = Buffer.from(`${head}.${claims}`)
  const isRight = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isRight) throw new Error('the push is not signed by that key')
  return key
}
