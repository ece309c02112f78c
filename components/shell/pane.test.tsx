import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { expect, test } from 'vitest'
import { type LazyPart, lazyFile } from '@/components/ui/lazyFile'
import en from '@/messages/en.json'
import { Pane } from './Pane'

const screen = (): LazyPart<object> => lazyFile(async () => ({ default: () => <p>The inbox</p> }))
const drawn = (file: LazyPart<object>): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <Pane file={file} paneProps={{}} resetKey="" />
    </IntlProvider>,
  )

test('a screen whose file is there already stands there at once; before it is there, something says that it comes', async () => {
  const [here, away] = [screen(), screen()]
  await here.load()
  expect(drawn(here)).toBe('<p>The inbox</p>')
  expect(drawn(away)).toContain('aria-busy="true"')
})
