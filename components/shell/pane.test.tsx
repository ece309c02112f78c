import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, test } from 'vitest'
import en from '@/messages/en.json'
import { fetchPart, Pane } from './Pane'

const screen = () => async () => ({ default: () => <p>The inbox</p> })
const drawn = (load: ReturnType<typeof screen>): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <Pane load={load} paneProps={{}} resetKey="" />
    </IntlProvider>,
  )

test('a screen whose file is there already stands there at once; before it is there, something says that it comes', async () => {
  const [here, away] = [screen(), screen()]
  await fetchPart(here)
  expect(drawn(here)).toBe('<p>The inbox</p>')
  expect(drawn(away)).toContain('aria-busy="true"')
})
