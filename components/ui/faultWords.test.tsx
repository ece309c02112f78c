/** What a screen says of a call that failed. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import { type CallRefused, noAnswer } from '@/client/api'
import type { FaultBody } from '@/lib/faults'
import type { Language } from '@/lib/language'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { FaultState } from './States'
import { useFaultWords } from './useFaultWords'

const draw = (shown: ReactNode, locale: Language = 'en'): string =>
  renderToStaticMarkup(
    <IntlProvider locale={locale} messages={locale === 'en' ? en : zh} timeZone="UTC">
      {shown}
    </IntlProvider>,
  )

const LOST = noAnswer('TypeError: Failed to fetch')
const REFUSED: FaultBody = { error: 'TASK_PAUSED', message: 'The task Bread is paused by Ana.', status_code: 409 }

function Words({ fault, unanswered }: { fault: CallRefused; unanswered?: string }) {
  return useFaultWords()(fault, unanswered)
}

describe('a failed call', () => {
  it('without an answer is told as the server’s silence and what to do, never in the browser’s own words', () => {
    expect(draw(<Words fault={LOST} />)).toBe('The server didn&#x27;t respond. Try again.')
    expect(draw(<Words fault={LOST} />, 'zh')).toBe('服务器没有响应，请再试一次。')
    expect(draw(<Words fault={LOST} unanswered="It may be there." />)).toBe('It may be there.')
    const screen = draw(<FaultState title="No templates" fault={LOST} onRetry={() => undefined} />)
    expect(screen).toContain('The rest of the page still works.')
    expect(screen).toContain('Try again')
    expect(screen).not.toContain('Failed to fetch')
  })

  it('that was refused is told in the server’s sentence', () => {
    expect(draw(<Words fault={REFUSED} unanswered="No answer." />)).toBe(REFUSED.message)
    expect(draw(<FaultState title="No templates" fault={REFUSED} />)).toContain(REFUSED.message)
  })

  it('because the request was over says so, whatever ended it', () => {
    const over: FaultBody = { ...REFUSED, error: 'REQUEST_OVER', message: 'it is late was first' }
    expect(draw(<Words fault={over} />)).toBe('This request is closed.')
  })
})
