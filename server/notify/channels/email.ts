import type { ChannelResult, OutsideNote } from '../types'
import { failureSentence } from './sentenceOf'

type EmailParts = {
  /** smtp://user:password@host:port or smtps://…; null: not set. */
  server: () => string | null
  from: string | null
}

const LIMIT_MS = 15_000

export function openEmail({ server, from }: EmailParts): (to: string, note: OutsideNote) => Promise<ChannelResult> {
  return async (to, note) => {
    const address = server()
    if (address === null || from === null) return { ok: false, why: 'there is no mail server', again: false }
    // Loaded on first use, so that it does not delay the start.
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url: address,
      connectionTimeout: LIMIT_MS,
      greetingTimeout: LIMIT_MS,
      socketTimeout: LIMIT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      await transport.sendMail({
        from,
        to,
        subject: note.title,
        text: bodyOf(note),
        messageId: `<${note.id}@convene>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...(note.because === 'rings' ? { Importance: 'high' } : {}) },
      })
      return { ok: true }
    } catch (error) {
      return { ok: false, why: withoutSecrets(failureSentence(error), address), again: isPassing(error) }
    } finally {
      transport.close()
    }
  }
}

const bodyOf = ({ text, url, items }: OutsideNote): string =>
  [
    text,
    '',
    url,
    ...(items.length < 2 ? [] : ['', ...items.map((item) => `- ${item.from}: ${item.text}\n  ${item.url}`)]),
  ]
    .join('\n')
    .concat('\n')

/** A refusal (5xx) is final; a busy server (4xx) and a broken connection are temporary. */
function isPassing(error: unknown): boolean {
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : null
  return typeof code === 'number' ? code >= 400 && code < 500 : true
}

/** A server's message may quote our credentials. */
export function withoutSecrets(text: string, address: string): string {
  if (!URL.canParse(address)) return text
  const { username, password } = new URL(address)
  return [username, password]
    .map(decodeURIComponent)
    .filter((secret) => secret !== '')
    .reduce((said, secret) => said.replaceAll(secret, '…'), text)
}
