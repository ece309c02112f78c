/** Tests the configured channels: signs in at the mail server, sends a test to each webhook. Pushes are tested in Settings. */
import { randomUUID } from 'node:crypto'
import { sayerOf } from '@/lib/i18n/sentences'
import { asId } from '@/lib/mas/ids'
import type { Language } from '@/lib/mas/records'
import type { TriedAnswer } from '@/lib/wire'
import { CHANNEL_TRIAL_EN } from '@/messages/reports.en'
import { CHANNEL_TRIAL_ZH } from '@/messages/reports.zh'
import type { Config } from '../config'
import { openOutbound } from '../net'
import { withoutSecrets } from './channels/email'
import { failureSentence } from './channels/sentenceOf'
import { openWebhook } from './channels/webhook'
import { testNote } from './notes'

const say = sayerOf(CHANNEL_TRIAL_EN, CHANNEL_TRIAL_ZH)

type Parts = Pick<Config, 'notify' | 'humans' | 'secret' | 'team'>
type Trial = () => Promise<TriedAnswer>

const LIMIT_MS = 10_000

/** What can be tried, by its name; each webhook once, even if several people share it. A trial never rejects. */
export function channelTrials(config: Parts): ReadonlyMap<string, Trial> {
  const { notify, humans } = config
  const trials = new Map<string, Trial>()
  if (notify.smtpEnv !== null) trials.set('mail server', () => tryMail(config))
  const own = humans.map(({ agent, channels }) => [agent.name, channels.webhook] as const)
  const seen = new Set<string>()
  for (const [who, address] of [...own, ['everyone', notify.webhook] as const]) {
    if (address === null || seen.has(address)) continue
    seen.add(address)
    trials.set(`webhook of ${who}`, () => tryWebhook(config, address))
  }
  return trials
}

async function tryMail({ notify, secret, team }: Parts): Promise<TriedAnswer> {
  const address = notify.smtpEnv === null ? undefined : secret(notify.smtpEnv)
  if (address === undefined) return missing(team.language, notify.smtpEnv)
  const limits = { connectionTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS, socketTimeout: LIMIT_MS }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url: address, ...limits })
  try {
    await transport.verify()
    return { ok: true, words: say(team.language, 'mailWorks'), hint: null }
  } catch (error) {
    const hint = say(team.language, 'mailHint', { variable: notify.smtpEnv ?? '' })
    return { ok: false, words: withoutSecrets(failureSentence(error), address), hint }
  } finally {
    transport.close()
  }
}

async function tryWebhook({ notify, secret, team }: Parts, address: string): Promise<TriedAnswer> {
  const key = notify.webhookKeyEnv === null ? undefined : secret(notify.webhookKeyEnv)
  if (key === undefined) return missing(team.language, notify.webhookKeyEnv)
  const send = openWebhook({
    outbound: openOutbound({ allowPrivate: notify.allowPrivate }),
    key: () => key,
    now: Date.now,
  })
  const sent = await send(address, testNote(randomUUID(), { id: asId(''), name: '' }, team.language, ''))
  if (sent.ok) return { ok: true, words: say(team.language, 'webhookWorks'), hint: null }
  const hint = sent.why.includes('private network') ? say(team.language, 'privateHint') : null
  return { ok: false, words: sent.why, hint }
}

const missing = (language: Language, variable: string | null): TriedAnswer => ({
  ok: false,
  words: say(language, 'notSet', { variable: variable ?? '?' }),
  hint: say(language, 'notSetHint'),
})
