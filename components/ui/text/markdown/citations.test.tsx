/** Sources in a text: numbers that open, and nothing else that a writer could smuggle in. */
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import words from '@/messages/en.json'
import { sourceName } from '../Citation'
import MarkdownBody from './MarkdownBody'

const citations = {
  cit_01: {
    source_type: 'pdf_document',
    source_name: 'price list',
    location: { page_number: 3, text_snippet: '7 EUR' },
    score: 0.89,
  },
  cit_02: { source_type: 'web_search', url: 'https://prices.example/a', access_date: '2024-03-20' },
}
const shown = (text: string, sources: unknown = citations): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={words} timeZone="UTC">
      <MarkdownBody text={text} headingLevel={4} citations={sources} />
    </IntlProvider>,
  )
const links = (html: string): string[] =>
  [...html.matchAll(/<button[^>]*role="link"[^>]*aria-label="([^"]*)"[^>]*>(\d+)<\/button>/g)].map(
    ([, label, number]) => `${number} ${label}`,
  )

describe('anchors in a text', () => {
  it('H-07 are links with the number and the name of their source, in the order of their first mention', () => {
    const html = shown('It fell [cit_02], **now <cite id="cit_01"/>** and *again* [cit_02].')
    expect(links(html)).toEqual([
      '1 Source 1: prices.example',
      '2 Source 2: price list, page 3',
      '1 Source 1: prices.example',
    ])
  })

  it('H-07 stand alone on a line, in a list, in a table', () => {
    const html = shown('<cite id="cit_01"/>\n\n- a [cit_01]\n\n| a |\n|---|\n| b [cit_01] |')
    expect(links(html)).toHaveLength(3)
  })

  it('H-07 without an entry are shown as the text that they are, and code keeps what stands in it', () => {
    const html = shown('So [cit_09] and <cite id="cit_09"/>, and `[cit_01]`.\n\n<cite id="cit_10"/>')
    expect(links(html)).toEqual([])
    for (const text of [
      '[cit_09]',
      '&lt;cite id=&quot;cit_09&quot;/&gt;',
      '&lt;cite id=&quot;cit_10&quot;/&gt;',
      '[cit_01]',
    ])
      expect(html).toContain(text)
  })

  it('H-07 never let raw HTML through, nor a source without a map', () => {
    const html = shown(
      '<cite id="cit_01" onclick="x()"/> <b>bold</b> <script>x()</script> <cite id="__proto__"/> [constructor]',
    )
    expect(html).not.toMatch(/<(cite|b|script)\b/)
    expect(links(shown('a [cit_01]', 'no map'))).toEqual([])
    expect(links(shown('a [cit_01]', null))).toEqual([])
  })

  it('H-07 name a source as well as its entry allows', () => {
    expect(sourceName({ source_type: 'web_search', url: 'not an address' })).toBe('not an address')
    expect(sourceName({ source_type: 'pdf', source_id: 'doc-1' })).toBe('doc-1')
    expect(sourceName({ source_type: 'pdf' })).toBe('pdf')
  })
})
