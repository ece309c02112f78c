import { afterEach, expect, it } from 'vitest'
import { notifyConfig, openServices, type Services } from '@/test/notifyServices'
import { channelTrials } from './tryChannels'

type Config = Parameters<typeof channelTrials>[0]
const tryChannel = (config: Config, name: string) => channelTrials(config).get(name)?.()
const channelsToTry = (config: Config) => [...channelTrials(config).keys()]

let services: Services | null = null
afterEach(() => services?.close())

it('the doctor signs in at the mail server, calls each webhook, and says what is wrong without a secret', async () => {
  services = await openServices()
  const config = { ...notifyConfig(services), team: { language: 'en' as const } as never }
  expect(channelsToTry(config)).toEqual(['mail server', 'webhook of Ana'])
  expect(await tryChannel(config, 'mail server')).toMatchObject({ ok: true })
  expect(await tryChannel(config, 'webhook of Ana')).toMatchObject({ ok: true })
  expect(JSON.parse(services.webhook.got[0]?.body ?? '')).toMatchObject({ because: 'test' })

  const wrong = services.mail.url.replace('letmein', 'sesame')
  const other = { ...config, secret: (name: string) => (name === 'SMTP' ? wrong : undefined) }
  const mail = await tryChannel(other, 'mail server')
  expect(mail).toMatchObject({ ok: false, hint: expect.stringContaining('Check SMTP') })
  expect(JSON.stringify(mail)).not.toContain('sesame')
  expect(await tryChannel(other, 'webhook of Ana')).toMatchObject({ ok: false, words: 'KEY is not set.' })
  const closed = { ...config, notify: { ...config.notify, allowPrivate: false } }
  expect(await tryChannel(closed, 'webhook of Ana')).toMatchObject({
    ok: false,
    hint: expect.stringContaining('allow_private'),
  })
  services.webhook.answers.push(404)
  expect(await tryChannel(config, 'webhook of Ana')).toEqual({
    ok: false,
    words: 'the webhook answers 404',
    hint: null,
  })
  expect(await tryChannel(config, 'smoke signals')).toBeUndefined()
  const withoutMail = { ...config, notify: { ...config.notify, smtpEnv: null } }
  expect(channelsToTry(withoutMail)).toEqual(['webhook of Ana'])
  expect(await tryChannel(withoutMail, 'mail server')).toBeUndefined()
})
