/** Tests the configured channels: signs in at the mail server, sends a test to each webhook. Pushes are tested in Settings. */
import { randomUUID } from 'node:crypto'
import { sayerOf } from '@/lib/i18n/sentences'
import { asId } from '@/lib/mas/ids'
import type { Language } from '@/lib/mas/records'
import { CHANNEL_TRIAL_EN } from '@/messages/reports.en'
import { CHANNEL_TRIAL_ZH } from '@/messages/reports.zh'
import type { Config } from '../config'
import { openOutbound } from '../net'
import { withoutSecrets } from './channels/email'
import { failureSentence } from './channels/sentenceOf'
import { openWebhook } from './channels/webhook'
import { testNote } from './notes'

const say = sayerOf(CHANNEL_TRIAL_EN, CHANNEL_TRIAL_ZH)

type TriedChannel = { ok: boolean; words: string; hint: string | null }
type Parts = Pick<Config, 'notify' | 'humans' | 'secret' | 'team'>

const MAIL = 'mail server'
const webhookName = (who: string): string => `webhook of ${who}`
const LIMIT_MS = 10_000

/** Each webhook once, even if several people share it. */
function webhooksOf({ notify, humans }: Parts): Map<string, string> {
  const found = new Map<string, string>()
  const own = humans.map(({ agent, channels }) => [agent.name, channels.webhook] as const)
  for (const [who, address] of [...own, ['everyone', notify.webhook] as const]) {
    if (address !== null && ![...found.values()].includes(address)) found.set(webhookName(who), address)
  }
  return found
}

/** The names that tryChannel accepts. */
export const channelsToTry = (config: Parts): string[] => [
  ...(config.notify.smtpEnv === null ? [] : [MAIL]),
  ...webhooksOf(config).keys(),
]

/** null: not configured. Never throws. */
export async function tryChannel(config: Parts, name: string): Promise<TriedChannel | null> {
  if (name === MAIL) return config.notify.smtpEnv === null ? null : tryMail(config)
  const address = webhooksOf(config).get(name)
  return address === undefined ? null : tryWebhook(config, address)
}

async function tryMail({ notify, secret, team }: Parts): Promise<TriedChannel> {
  const address = notify.smtpEnv === null ? undefined : secret(notify.smtpEnv)
  if (address === undefined) return missing(team.language, notify.smtpEnv)
  const limits = { connectionTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS, socketTimeout: LIMIT_MS }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url: address, ...limits })
  try {
    await transport.verify()
    return { ok: true, words: say(team.language, 'mailWorks'), hint: null }
  } catch (error) {
    const words = withoutSecrets(failureSentence(error), address)
    return {
      ok: false,
      words,
      hint: say(team.language, 'mailHint', { variable: notify.smtpEnv ?? '' }),
    }
  } finally {
    transport.close()
  }
}

async function tryWebhook({ notify, secret, team }: Parts, address: string): Promise<TriedChannel> {
  const key = notify.webhookKeyEnv === null ? undefined : secret(notify.webhookKeyEnv)
  if (key === undefined) return missing(team.language, notify.webhookKeyEnv)
  const send = openWebhook({
    outbound: openOutbound({ allowPrivate: notify.allowPrivate }),
    key: () => key,
    now: Date.now,
  })
  const sent = await send(address, testNote(randomUUID(), { id: asId(''), name: '' }, team.language, ''))
  if (sent.ok) return { ok: true, words: say(team.language, 'webhookWorks'), hint: null }
  const isPrivate = sent.why.includes('private network')
  return {
    ok: false,
    words: sent.why,
    hint: isPrivate ? say(team.language, 'privateHint') : null,
  }
}

const missing = (language: Language, variable: string | null): TriedChannel => ({
  ok: false,
  words: say(language, 'notSet', { variable: variable ?? '?' }),
  hint: say(language, 'notSetHint'),
})
