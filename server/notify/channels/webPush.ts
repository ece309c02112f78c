/** Web Push: encrypted for one browser, sent by its push service. A second push with the same tag replaces the first. */
import { createHash } from 'node:crypto'
import type { Language } from '@/lib/language'
import type { AgentId } from '@/lib/mas/ids'
import { type Outbound, PrivateAddressError } from '../../net'
import type { Browser, PushSubscriptions } from '../people'
import type { ChannelResult, OutsideNote } from '../types'
import { failureSentence } from './sentenceOf'

/** The payload for the service worker. */
type PushContent =
  | {
      kind: 'show'
      tag: string
      title: string
      text: string
      /** A path of this console. */
      path: string
      isUrgent: boolean
      isSilent: boolean
      waiting: number
      language: Language
    }
  | { kind: 'close'; tag: string; waiting: number }

/** Time to live of a push. A later one repeats the alert. */
const LIVES_S = { urgent: 30 * 60, other: 12 * 3_600 }
const GONE = [404, 410]

type WebPushParts = {
  people: PushSubscriptions
  outbound: Outbound
  /** Contact for push services: mailto: or https:. */
  subject: string
}

export function openWebPush({ people, outbound, subject }: WebPushParts) {
  async function give(person: AgentId, browser: Browser, content: PushContent): Promise<ChannelResult> {
    const isUrgent = content.kind === 'close' || content.isUrgent
    try {
      // Loaded on first use, so that it does not delay the start.
      const { default: webPush } = await import('web-push')
      const details = webPush.generateRequestDetails(browser, JSON.stringify(content), {
        vapidDetails: { subject, ...people.keys },
        TTL: isUrgent ? LIVES_S.urgent : LIVES_S.other,
        urgency: isUrgent ? 'high' : 'normal',
        topic: createHash('sha256').update(content.tag).digest('base64url').slice(0, 32),
      })
      // The HTTP client sets the length of the bytes that it sends.
      const { 'Content-Length': _, ...headers } = details.headers
      const { status } = await outbound(details.endpoint, {
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        ...(details.body ? { body: details.body } : {}),
      })
      if (status >= 200 && status < 300) return { ok: true }
      if (GONE.includes(status)) {
        await people.dropBrowser(person, browser.id)
        return { ok: false, why: 'the browser does not take pushes any more', again: false }
      }
      return { ok: false, why: `the push service answers ${status}`, again: status === 429 || status >= 500 }
    } catch (error) {
      return { ok: false, why: failureSentence(error), again: !(error instanceof PrivateAddressError) }
    }
  }

  const contentOf = (note: OutsideNote): PushContent => ({
    kind: 'show',
    tag: note.tag,
    title: note.title,
    text: note.text,
    path: pathOf(note.url),
    isUrgent: note.because === 'rings',
    isSilent: note.isSilent,
    waiting: note.waiting,
    language: note.language,
  })

  return {
    sendTo: (browser: Browser, person: AgentId, note: OutsideNote): Promise<ChannelResult> =>
      give(person, browser, contentOf(note)),
    async send(note: OutsideNote): Promise<ChannelResult> {
      const person = note.person.id
      const all = await Promise.all(people.browsersOf(person).map((one) => give(person, one, contentOf(note))))
      // One that may still be reached is worth another try, whatever became of the others.
      const told = all.find(({ ok }) => ok) ?? all.find((one) => !one.ok && one.again) ?? all[0]
      return told ?? { ok: false, why: 'no browser takes pushes', again: false }
    },
    /** Remove the displayed pushes of an item, and pending ones. Errors are ignored. */
    async close(person: AgentId, tag: string, waiting: number): Promise<void> {
      await Promise.all(people.browsersOf(person).map((one) => give(person, one, { kind: 'close', tag, waiting })))
    },
  }
}

const pathOf = (address: string): string => {
  const url = new URL(address)
  return `${url.pathname}${url.search}`
}
