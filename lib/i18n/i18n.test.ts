import { describe, expect, it } from 'vitest'
import en from '@/messages/en.json'
import forPages, { LATER, SIGN_IN } from '@/messages/forPages.mjs'
import { pseudoMessage, pseudoWords } from '@/messages/pseudo.mjs'
import zh from '@/messages/zh.json'
import { chooseLocale } from './index'

/** Words by key, nested. */
type Words = { [key: string]: string | Words }
const flat = (words: Words, under = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${under}${key}`, value]] : flat(value, `${under}${key}.`),
  )
/** Names of the arguments of a message without plural or select. */
const argumentsOf = (message: string): string[] => [...message.matchAll(/\{(\w+)/g)].map((hit) => hit[1] ?? '').sort()

describe('the words', () => {
  const english = flat(en)
  const chinese = new Map(flat(zh))

  it('have the same keys in English and Chinese', () => {
    expect([...chinese.keys()].sort()).toEqual(english.map(([key]) => key).sort())
  })

  it('never call a person 您, and keep a space between Han and Latin', () => {
    for (const [key, text] of chinese) {
      expect(text, key).not.toContain('您')
      if (/plural|select/.test(text)) continue
      const words = text.replace(/\{[^}]*\}|<[^>]*>/g, ' ')
      expect(words, key).not.toMatch(/\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u)
    }
  })

  it('take the same arguments in both languages', () => {
    for (const [key, text] of english) {
      if (text.includes('plural') || text.includes('select')) continue
      expect(argumentsOf(chinese.get(key) ?? ''), key).toEqual(argumentsOf(text))
    }
  })

  it('have no exclamation mark and no "oops"', () => {
    for (const [key, text] of [...english, ...chinese]) expect(text, key).not.toMatch(/[!！]|oops/i)
  })
})

it('in Chinese what differs has words of its own: notices, what pops up, how one is told; a person among the members', () => {
  const { notices, shell, settings, keys, inspector, common, kind } = zh
  expect(new Set([notices.title, shell.announced, settings.notifications]).size).toBe(3)
  expect(keys.toast).toContain(shell.announced)
  expect(inspector.tab.response).not.toBe(zh.inbox.reply)
  expect(settings.keySwitchOff).not.toBe(common.close)
  expect([kind.person.slice(-2), settings.people, zh.chat.people]).toEqual(['人员', '人员', '人员'])
})

describe('the reader’s language', () => {
  it('is the cookie’s, then the browser’s, then English', () => {
    expect(chooseLocale('a=b; convene_language=zh', ['en-GB'])).toBe('zh')
    expect(chooseLocale('convene_language=fr', ['zh-Hans-CN', 'en'])).toBe('zh')
    expect(chooseLocale('', ['fr', 'de'])).toBe('en')
  })
})

describe('the pseudo-language', () => {
  it('marks words, keeps arguments and grows by 40 %', () => {
    expect(pseudoMessage('Sign in')).toBe('Šîgñ îñ···')
    expect(pseudoMessage('{name} waits')).toContain('{name}')
  })

  it('marks the texts of a plural and keeps its selectors', () => {
    const said = pseudoMessage('{count, plural, one {# item} other {# items}}')
    expect(said).toContain('{count, plural, one {')
    expect(said).toContain('other {')
    expect(said).not.toContain('item')
  })

  it('keeps every key', () => {
    expect(flat(pseudoWords(en)).map(([key]) => key)).toEqual(flat(en).map(([key]) => key))
  })
})

describe('the files of words that pages fetch', () => {
  const file = (words: object, query = ''): Record<string, Record<string, unknown>> =>
    JSON.parse(forPages.call({ resourceQuery: query }, JSON.stringify(words)).replace('export default ', ''))

  it('hold every text, those with values in pieces', () => {
    expect(Object.keys(file(en))).toEqual(Object.keys(en))
    expect(file(en).common?.cancel).toBe(en.common.cancel)
    expect(file({ a: { b: 'Sent to {who}' } })).toEqual({ a: { b: ['Sent to ', ['who']] } })
  })

  it('are whole in both languages: each text can be read', () => {
    for (const words of [en, zh, pseudoWords(en)]) expect(() => file(words)).not.toThrow()
  })

  it('give the sign-in page its own words only', () => {
    expect(Object.keys(file(zh, '?sign-in'))).toEqual(SIGN_IN)
  })

  it('give the console all words but those that come with their screens, and these apart', () => {
    const [console, directory] = [file(zh, '?console'), file(zh, '?directory')]
    expect(Object.keys(console)).toEqual(Object.keys(zh).filter((namespace) => !LATER.includes(namespace)))
    expect(Object.keys(directory)).toEqual(LATER)
    expect({ ...console, ...directory }).toEqual(file(zh))
  })

  it('are marked for the pseudo-language before values are told from texts', () => {
    expect(file({ a: { b: 'Sent to {who}' } }, '?pseudo')).toEqual({ a: { b: ['Šéñţ ţö ···', ['who']] } })
  })
})
