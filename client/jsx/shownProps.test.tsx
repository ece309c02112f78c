/** Every text of an element is shown with its hidden characters as codes; fields and copies keep the text itself. */
import fc from 'fast-check'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import en from '@/messages/en.json'

const html = (node: ReactNode): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      {node}
    </IntlProvider>,
  )
const plain = (node: ReactNode): string => html(node).replace(/<[^>]*>/g, '')
const Passes = ({ children }: { children: ReactNode }) => <div>{children}</div>
const Named = ({ as: Tag, children }: { as: 'pre' | 'p'; children: ReactNode }) => <Tag>{children}</Tag>
const EVIL = 'prices/report\u202etxt.\u200bdm'
const SHOWN = 'prices/reportU+202Etxt.U+200Bdm'

describe('a text that an element draws', () => {
  it('[R387] hidden characters are boxed codes with a name, wherever the text stands', () => {
    expect(html(<b>{EVIL}</b>)).toBe(
      '<b><x-text>prices/report</x-text>' +
        '<span role="img" aria-label="hidden character U+202E" class="hidden-sign">U+202E</span><x-text>txt.</x-text>' +
        '<span role="img" aria-label="hidden character U+200B" class="hidden-sign">U+200B</span><x-text>dm</x-text></b>',
    )
    for (const node of [
      <p key="1">{EVIL} by him</p>,
      <p key="2">
        <b>He</b> {EVIL}
      </p>,
      <Passes key="3">{EVIL}</Passes>,
      <p key="4">{[EVIL, EVIL].map((text) => [text, <br key={text} />])}</p>,
      <>a {EVIL}</>,
      <option key="5">{EVIL}</option>,
      <button key="6" type="button" title={EVIL} aria-label={EVIL}>
        <input type="image" alt={EVIL} placeholder={EVIL} />
      </button>,
    ])
      expect(html(node)).not.toMatch(/[\u202e\u200b]/)
    expect(plain(<p>{EVIL} by him</p>)).toBe(`${SHOWN} by him`)
    expect(html(<option>{EVIL}</option>)).toBe('<option>prices/report[U+202E]txt.[U+200B]dm</option>')
    expect(html(<i title={EVIL} />)).toBe('<i title="prices/report[U+202E]txt.[U+200B]dm"></i>')
  })

  it('[R387] what somebody types, and code of the page, stays as it is', () => {
    expect(html(<input readOnly value={EVIL} />)).toContain(EVIL)
    expect(html(<textarea readOnly value={EVIL} />)).toContain(EVIL)
    expect(html(<style>{`a{content:"\u200b"}`}</style>)).toContain('\u200b')
  })

  it('[R387] text that runs from right to left does not reach the text beside it', () => {
    expect(html(<p>{'מיכל'} 3</p>)).toBe('<p><bdi><x-text>מיכל 3</x-text></bdi></p>')
    expect(
      html(
        <p>
          {'מיכל'} <b>3</b>
        </p>,
      ),
    ).toBe('<p><bdi><x-text>מיכל</x-text></bdi> <b>3</b></p>')
    expect(html(<p dir="auto">{'מיכל'}</p>)).toBe('<p dir="auto"><x-text>מיכל</x-text></p>')
    expect(html(<p>{'\u2068מיכל\u2069 waits'}</p>)).toBe('<p><bdi>מיכל</bdi><x-text> waits</x-text></p>')
  })

  it('[R387] a blank that looks like a space is a code where the text is read to the letter', () => {
    expect(plain(<code>{'rm\u00a0-rf'}</code>)).toBe('rmU+00A0-rf')
    expect(plain(<span data-literal>{'a\u2003b'}</span>)).toBe('aU+2003b')
    expect(plain(<p>{'10\u202f000 €'}</p>)).toBe('10\u202f000 €')
    expect(plain(<Named as="pre">{'a\u00a0b\u200b'}</Named>)).toBe('aU+00A0bU+200B')
    expect(plain(<Named as="p">{'a\u00a0b\u200b'}</Named>)).toBe('a\u00a0bU+200B')
  })

  it('[R388] texts and numbers that stand alone in an element are one text node', () => {
    expect(
      html(
        <p>
          {3} of {'n'}
        </p>,
      ),
    ).toBe('<p>3 of n</p>')
  })

  it('[R388] a text beside elements has an element of its own, so that it changes in a page whose texts were replaced', () => {
    const isOpen = false as boolean
    expect(
      html(
        <p>
          {3} of {'n'} <b>now</b>
          {isOpen && 'open'}
        </p>,
      ),
    ).toBe('<p><x-text>3</x-text><x-text> of </x-text><x-text>n</x-text> <b>now</b></p>')
    expect(html(<>alone</>)).toBe('<x-text>alone</x-text>')
    expect(html(<Passes>by a component</Passes>)).toBe('<div>by a component</div>')
    expect(html(<p>{['a', <b key="b">b</b>]}</p>)).toBe('<p><x-text>a</x-text><b>b</b></p>')
  })

  it('[R387] no hidden character is in a page, whatever the text', () => {
    const signs = [
      ...'\u0000\u001b\u007f\u0085\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200e\u200f\u2028',
    ]
    const more = [
      ...'\u202a\u202e\u2060\u2064\u2066\u2069\u206f\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\u{e0001}\u{e0041}\u{e0100}',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '价', '7', ' ', 'b', ...signs, ...more)), (parts) => {
        const made = html(<p title={parts.join('')}>{parts.join('')}</p>)
        const around = made.replaceAll(/价[\ufe00\u{e0100}]/gu, '价')
        expect(around).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{DI}\u2028]/u)
      }),
      { numRuns: process.env.CONVENE_ALL === '1' ? 20_000 : 300 },
    )
  })
})
