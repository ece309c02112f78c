/** What became of an envelope, and why, in the reader's language; of older lines as it was written down. */
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, it } from 'vitest'
import type { Language } from '@/lib/language'
import type { UnsentReason } from '@/lib/mas/outside/records'
import type { EnvelopeShown } from '@/lib/wire'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { VerdictChip } from './ExchangeRows'

const line = (part: Partial<EnvelopeShown>): EnvelopeShown =>
  ({ verdict: 'failed', why: null, reason: null, ...part }) as EnvelopeShown
const said = (part: Partial<EnvelopeShown>, locale: Language): string => {
  const html = renderToStaticMarkup(
    <IntlProvider locale={locale} messages={locale === 'en' ? en : zh} timeZone="UTC">
      <VerdictChip envelope={line(part)} />
    </IntlProvider>,
  )
  return /title="([^"]*)"/.exec(html)?.[1] ?? ''
}

const REASONS: readonly [UnsentReason, string, string][] = [
  [{ code: 'noAddress' }, 'no address set for its system, and no callback given', '对方系统没有地址，也没有告知地址'],
  [{ code: 'answered', status: 503, says: '' }, 'it returned 503', '对方返回 503'],
  [{ code: 'answered', status: 404, says: 'gone: no' }, 'it returned 404 gone: no', '对方返回 404 gone: no'],
  [{ code: 'late', seconds: 20 }, 'timed out after 20 s', '20 秒内没有响应'],
]

it.each(REASONS)('why a message of ours did not arrive is said in both languages: %o', (reason, english, chinese) => {
  expect(said({ reason, why: 'as the team wrote it' }, 'en')).toBe(`failed · ${english}`)
  expect(said({ reason, why: 'as the team wrote it' }, 'zh')).toBe(`失败 · ${chinese}`)
})

it('why we refused is said by the code, and what its sender was told is quoted', () => {
  const refused = { verdict: 'bad_signature', why: 'The signature does not fit.' }
  expect(said(refused, 'en')).toBe(
    'rejected: invalid signature (bad_signature) · sent back: “The signature does not fit.”',
  )
  expect(said(refused, 'zh')).toBe('已拒绝：签名不符（bad_signature） · 已告知对方：“The signature does not fit.”')
  expect(said({ verdict: 'odd_code' }, 'zh')).toBe('已拒绝：odd_code')
})

it('a line from before there were codes says why as it was written down', () => {
  expect(said({ verdict: 'retry', why: 'it answered 503', reason: undefined }, 'zh')).toBe('稍后重试 · it answered 503')
})
