import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import en from '@/messages/en.json'
import MarkdownBody from './MarkdownBody'

const drawn = (text: string): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <MarkdownBody text={text} headingLevel={3} />
    </IntlProvider>,
  )

describe('a picture in a text', () => {
  it('of another host is asked for by a press, and not loaded', () => {
    const html = drawn('![the oven](https://pictures.example/oven.png)')
    expect(html).toContain('Load image from pictures.example')
    expect(html).toContain('the oven')
    expect(html).not.toMatch(/<img|src=|href=/)
  })

  it('of no host that may be followed is its words only', () => {
    expect(drawn('![the oven](javascript:alert)')).not.toMatch(/<img|<button|href=/)
  })
})
