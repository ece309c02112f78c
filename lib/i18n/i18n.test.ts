import { describe, expect, it } from 'vitest'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { chooseLocale, pseudoMessage, pseudoWords, type Words } from './index'

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
