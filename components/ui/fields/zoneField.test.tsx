import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, it } from 'vitest'
import en from '@/messages/en.json'
import { ZoneField } from './ZoneField'

it('[R389] the field of a time zone has a list to search in, and names the zone that counts while it is empty', () => {
  const html = renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <ZoneField label="Time zone" value="" fallback="Europe/Berlin" hint="" onChange={() => undefined} />
    </IntlProvider>,
  )
  const [, list] = /<input[^>]* list="([^"]+)"/.exec(html) ?? []
  expect(html).toContain(`<datalist id="${list}">`)
  expect(html).toContain('placeholder="Europe/Berlin"')
  for (const zone of ['UTC', 'Asia/Shanghai', 'Pacific/Chatham']) expect(html).toContain(`<option value="${zone}">`)
})
