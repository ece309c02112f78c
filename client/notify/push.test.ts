import { expect, it } from 'vitest'
import { browserName } from './push'

it('a browser’s name says which browser on which system it is', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36'
  expect(browserName(`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`)).toBe('Chrome · Linux')
  expect(browserName(`Mozilla/5.0 (Linux; Android 16) ${chrome}`)).toBe('Chrome · Android')
  expect(browserName(`Mozilla/5.0 (Windows NT 10.0) ${chrome} Edg/156.0`)).toBe('Edge · Windows')
  expect(browserName('Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko Firefox/140.0')).toBe(
    'Firefox · macOS',
  )
  expect(browserName('something else')).toBe('Browser')
})
