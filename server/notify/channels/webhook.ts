/** A webhook: signed JSON. Repeats carry the same Convene-Id. Chat services such as Mattermost show `text`. */
import { createHmac } from 'node:crypto'
import { type Outbound, PrivateAddressError } from '../../net'
import type { ChannelResult, OutsideNote } from '../types'
import { failureSentence } from './sentenceOf'

type WebhookParts = {
  outbound: Outbound
  /** null: not set, so nothing is sent. */
  key: () => string | null
  /** Epoch ms. */
  now: () => number
}

const webhookSignature = (key: string, id: string, seconds: number, body: string): string =>
  `v1=${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('hex')}`

export function openWebhook({
  outbound,
  key,
  now,
}: WebhookParts): (address: string, note: OutsideNote) => Promise<ChannelResult> {
  return async (address, note) => {
    const secret = key()
    if (secret === null) return { ok: false, why: 'there is no key to sign with', again: false }
    const seconds = Math.floor(now() / 1_000)
    const { id, person, because, items } = note
    const body = JSON.stringify({
      type: 'notice',
      id,
      because,
      text: `${note.title}: ${note.text}\n${note.url}`,
      person,
      url: note.url,
      items,
    })
    try {
      const { status } = await outbound(address, {
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          'User-Agent': 'Convene',
          'Convene-Id': id,
          'Convene-Timestamp': String(seconds),
          'Convene-Signature': webhookSignature(secret, id, seconds, body),
        },
        body,
      })
      if (status >= 200 && status < 300) return { ok: true }
      return {
        ok: false,
        why: `the webhook answers ${status}`,
        again: status === 429 || status === 408 || status >= 500,
      }
    } catch (error) {
      return { ok: false, why: failureSentence(error), again: !(error instanceof PrivateAddressError) }
    }
  }
}
