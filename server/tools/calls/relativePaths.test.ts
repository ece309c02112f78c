import { describe, expect, test } from 'vitest'
import { relativeTo } from './relativePaths'

describe('paths', () => {
  const show = relativeTo('/srv/ws')
  test.each([
    ["open '/srv/ws/a/b.csv'", "open 'a/b.csv'"],
    ['/srv/ws is full', './ is full'],
    ['not in /srv/ws, /srv/ws.', 'not in ./, ./.'],
    ['file:///srv/ws/a.txt', 'a.txt'],
    [
      '/srv/ws2/a and /srv/ws.old/a and /x/srv/ws/a and /srv/ws中/a',
      '/srv/ws2/a and /srv/ws.old/a and /x/srv/ws/a and /srv/ws中/a',
    ],
    ['{"path":"/srv/ws/报告.md"}', '{"path":"报告.md"}'],
    ['/etc/passwd', '/etc/passwd'],
  ])('%s → %s', (text, shown) => {
    expect(show(text)).toBe(shown)
  })

  test('without a root nothing is changed; a root may hold signs that mean something in patterns', () => {
    expect(relativeTo(undefined)('/srv/ws/a')).toBe('/srv/ws/a')
    expect(relativeTo('/srv/a+b (1)')('open /srv/a+b (1)/x')).toBe('open x')
  })
})
