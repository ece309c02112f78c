/** A person's own channels: their setup, sending, tests. */
import type { AgentId } from '@/lib/mas/ids'
import { OWN_CHANNELS, type OwnChannel } from '@/lib/mas/records'
import type { MyChannels } from '@/lib/wire'
import type { Config } from '../../config'
import { openOutbound } from '../../net'
import type { PushSubscriptions } from '../people'
import type { ChannelResult, ChannelSender, OutsideNote } from '../types'
import { openEmail } from './email'
import { openWebhook } from './webhook'
import { openWebPush } from './webPush'

export function openChannels(
  { notify, humans, secret }: Pick<Config, 'notify' | 'humans' | 'secret'>,
  people: PushSubscriptions,
  now: () => number,
) {
  const { ownChannelsMs: ownMs, ...times } = notify.times
  const outbound = openOutbound({ allowPrivate: notify.allowPrivate })
  const value = (name: string | null): string | null => (name === null ? null : (secret(name) ?? null))
  const webPush = openWebPush({ people, outbound, subject: subjectOf(notify.mailFrom) })
  const webhook = openWebhook({ outbound, key: () => value(notify.webhookKeyEnv), now })
  const email = openEmail({ server: () => value(notify.smtpEnv), from: notify.mailFrom })

  const configured = (person: AgentId) => humans.find(({ agent }) => agent.id === person)?.channels
  const webhookOf = (person: AgentId): string | null => configured(person)?.webhook ?? notify.webhook
  const emailOf = (person: AgentId): string | null => configured(person)?.email ?? null
  const isReady: Record<OwnChannel, (person: AgentId) => boolean> = {
    push: (person) => people.browsersOf(person).length > 0,
    webhook: (person) => webhookOf(person) !== null && value(notify.webhookKeyEnv) !== null,
    email: (person) => emailOf(person) !== null && value(notify.smtpEnv) !== null,
  }
  const readyFor = (person: AgentId): OwnChannel[] => OWN_CHANNELS.filter((channel) => isReady[channel](person))
  const senders: Record<OwnChannel, ChannelSender> = {
    push: (note) => webPush.send(note),
    webhook: (note) => webhook(webhookOf(note.person.id) ?? '', note),
    email: (note) => email(emailOf(note.person.id) ?? '', note),
  }
  return {
    senders,
    /** Removes a push that may still be displayed. */
    closePush: (person: AgentId, tag: string, waiting: number): Promise<void> => webPush.close(person, tag, waiting),
    /** The channels by which this person can be reached now. */
    readyFor,
    stateFor: (person: AgentId): MyChannels => ({
      pushKey: people.keys.publicKey,
      browsers: people.browsersOf(person).map(({ id, name, at, endpoint }) => ({ id, name, at, endpoint })),
      email: stateOf(emailOf(person), notify.smtpEnv, value),
      // The address may be a secret: only its host is shown.
      webhook: stateOf(hostOf(webhookOf(person)), notify.webhookKeyEnv, value),
      times: { ...times, ownMs },
    }),
    /** browser: to this browser of the person only; null: to all. */
    async sendTest(channel: OwnChannel, browser: string | null, note: OutsideNote): Promise<ChannelResult> {
      const person = note.person.id
      if (channel === 'push' && browser !== null) {
        const one = people.browsersOf(person).find(({ id }) => id === browser)
        return one ? webPush.sendTo(one, person, note) : { ok: false, why: 'this browser is not known', again: false }
      }
      return readyFor(person).includes(channel)
        ? senders[channel](note)
        : { ok: false, why: 'it is not set up', again: false }
    },
  }
}

/** The contact address for push services. */
const subjectOf = (mailFrom: string | null): string => {
  const address = /<([^<>]+)>/.exec(mailFrom ?? '')?.[1] ?? mailFrom
  return `mailto:${address ?? 'nobody@convene.invalid'}`
}

function stateOf(
  to: string | null,
  variable: string | null,
  value: (name: string | null) => string | null,
): MyChannels['email'] {
  if (to === null) return { state: 'none', to: null }
  return { state: value(variable) === null ? 'notReady' : 'ready', to }
}

const hostOf = (address: string | null): string | null => (address === null ? null : new URL(address).host)
