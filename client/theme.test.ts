import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { zoneHere } from './clock'
import { DEFAULT_DISPLAY, myZone, readDisplay } from './theme'
import { DISPLAY_KEY, themeScript } from './themeScript'

describe('display settings', () => {
  it('unknown, old or broken display settings become the default, one by one', () => {
    expect(readDisplay(null)).toEqual(DEFAULT_DISPLAY)
    expect(readDisplay({ theme: 'dark', density: 'tiny', scale: 115, singleKeys: 'no', other: 1 })).toEqual({
      ...DEFAULT_DISPLAY,
      theme: 'dark',
    })
    expect(readDisplay({ scale: 130, time: 'utc', singleKeys: false })).toMatchObject({
      scale: 130,
      time: 'utc',
      singleKeys: false,
    })
  })
})

it('[R389] the chosen time zone counts for what is shown and asked; one that this browser does not know is none', () => {
  expect(readDisplay({ zone: 'Asia/Shanghai' }).zone).toBe('Asia/Shanghai')
  for (const zone of ['Nowhere/City', '', 7, null]) expect([zone, readDisplay({ zone }).zone]).toEqual([zone, null])
  expect(myZone()).toBe(zoneHere())
})

/** Run the script of the page's head in a page that has these settings. */
function painted(
  stored: string | null,
  page: { dark?: boolean; cookie?: string; language?: string; languages?: string[] } = {},
) {
  const documentElement: { dataset: Record<string, unknown>; lang: string } = { dataset: {}, lang: '' }
  runInNewContext(themeScript, {
    document: { documentElement, cookie: page.cookie ?? '' },
    localStorage: { getItem: (key: string) => (key === DISPLAY_KEY ? stored : null) },
    matchMedia: () => ({ matches: page.dark ?? false }),
    navigator: { languages: page.languages ?? [page.language ?? 'en-GB'] },
    JSON,
  })
  return documentElement
}

describe('before the first paint', () => {
  it('before the first paint the theme is the chosen one, else the system’s', () => {
    expect(painted('{"theme":"dark"}').dataset.theme).toBe('dark')
    expect(painted('{"theme":"light"}', { dark: true }).dataset.theme).toBe('light')
    expect(painted('{"theme":"system"}', { dark: true }).dataset.theme).toBe('dark')
    expect(painted(null).dataset.theme).toBe('light')
  })

  it('broken storage changes nothing, and settings set their attributes before the first paint', () => {
    expect(painted('{oops').dataset).toEqual({ theme: 'light' })
    expect(painted('null').dataset).toEqual({ theme: 'light' })
    expect(painted('{"density":"compact","scale":120,"motion":"reduced"}').dataset).toEqual({
      theme: 'light',
      density: 'compact',
      scale: 120,
      motion: 'reduced',
    })
    expect(painted('{"scale":999}').dataset).toEqual({ theme: 'light' })
  })

  it('before the first paint the language is the cookie’s, else the browser’s', () => {
    expect(painted(null, { cookie: 'a=1; convene_language=zh' }).lang).toBe('zh')
    expect(painted(null, { language: 'zh-TW' }).lang).toBe('zh')
    expect(painted(null, { languages: ['fr', 'zh-CN', 'en'] }).lang).toBe('zh')
    expect(painted(null, { languages: ['fr'] }).lang).toBe('en')
    expect(painted(null, { cookie: 'convene_language=xx' }).lang).toBe('en')
  })
})
