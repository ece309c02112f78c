import { describe, expect, it } from 'vitest'
import { sayInLanguage } from '@/lib/mas/words'
import en from '@/messages/en.json'
import forPages, { LATER, SIGN_IN } from '@/messages/forPages.mjs'
import { NOTES_EN } from '@/messages/notes.en'
import { NOTES_ZH } from '@/messages/notes.zh'
import { FAULTS_EN, SENTENCES_EN } from '@/messages/program.en'
import { FAULTS_ZH, SENTENCES_ZH } from '@/messages/program.zh'
import { pseudoMessage, pseudoWords } from '@/messages/pseudo.mjs'
import * as reportsEn from '@/messages/reports.en'
import * as reportsZh from '@/messages/reports.zh'
import zh from '@/messages/zh.json'
import { chooseLocale } from './index'
import { fillIn, type Sentence } from './sentences'

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

  it('English and Chinese have the same keys', () => {
    expect([...chinese.keys()].sort()).toEqual(english.map(([key]) => key).sort())
  })

  it('Chinese texts never say 您, and have a space between Han and Latin', () => {
    for (const [key, text] of chinese) {
      expect(text, key).not.toContain('您')
      if (/plural|select/.test(text)) continue
      const words = text.replace(/\{[^}]*\}|<[^>]*>/g, ' ')
      expect(words, key).not.toMatch(/\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u)
    }
  })

  it('texts take the same arguments in both languages', () => {
    for (const [key, text] of english) {
      if (text.includes('plural') || text.includes('select')) continue
      expect(argumentsOf(chinese.get(key) ?? ''), key).toEqual(argumentsOf(text))
    }
  })

  it('[R304] what is a number in English is written as a number in Chinese too: 4,522', () => {
    for (const [key, text] of english) {
      for (const [, name = ''] of text.matchAll(/\{(\w+), (?:plural|number)/g))
        expect(chinese.get(key), key).not.toContain(`{${name}}`)
    }
  })

  it('texts have no exclamation mark and no "oops"', () => {
    for (const [key, text] of [...english, ...chinese]) expect(text, key).not.toMatch(/[!！]|oops/i)
  })
})

describe('[R203] what the program itself says', () => {
  type Tables = [Record<string, Sentence>, Record<string, Sentence>]
  const tables: Tables[] = [
    [FAULTS_EN, FAULTS_ZH],
    [SENTENCES_EN, SENTENCES_ZH],
    [NOTES_EN, NOTES_ZH],
    ...Object.values(reportsEn).map((table, at): Tables => [table, Object.values(reportsZh)[at] ?? {}]),
  ]

  it('a sentence is there in both languages, and the Chinese one names no value that the English one lacks', () => {
    for (const [english, chinese] of tables) {
      expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort())
      for (const [key, sentence] of Object.entries(english)) {
        const other = chinese[key]
        if (typeof sentence !== 'string' || typeof other !== 'string') continue
        // Trials are said with all that is known of them.
        const isTrial = Object.entries(reportsEn).some(([name, table]) => table === english && name.includes('TRIAL'))
        const known = [...argumentsOf(sentence), ...(isTrial ? ['host', 'message', 'name', 'baseurl', 'command'] : [])]
        for (const name of argumentsOf(other)) expect(known, key).toContain(name)
      }
    }
  })

  it('values are filled in once, and braces around anything else stay', () => {
    expect(fillIn('en', '{who} wrote {text}: { allow_private: true }', { who: 'Ana', text: '{who}' })).toBe(
      'Ana wrote {who}: { allow_private: true }',
    )
  })

  it('a Chinese sentence that depends on a value gets it as it is, and closes the spaces around Han', () => {
    const unfit = { why: 'never', cron: '0 0 31 2 *', timeZone: 'UTC' } as const
    expect(sayInLanguage('zh', 'scheduleUnfit', unfit)).toBe('0 0 31 2 * 永远不会到来。')
    expect(fillIn('zh', '你现在是任务 {task} 的成员', { task: '价格' })).toBe('你现在是任务价格的成员')
  })
})

it('in Chinese different things have different words: notices, toasts, notifications; a person among the members', () => {
  const { notices, shell, settings, keys, inspector, common, kind } = zh
  expect(new Set([notices.title, shell.announced, settings.notifications]).size).toBe(3)
  expect(keys.toast).toContain(shell.announced)
  expect(inspector.tab.response).not.toBe(zh.inbox.reply)
  expect(settings.keySwitchOff).not.toBe(common.close)
  expect([kind.person.slice(-2), settings.people, zh.chat.people]).toEqual(['人员', '人员', '人员'])
})

describe('the reader’s language', () => {
  it('the language is the cookie’s, then the browser’s, then English', () => {
    expect(chooseLocale('a=b; convene_language=zh', ['en-GB'])).toBe('zh')
    expect(chooseLocale('convene_language=fr', ['zh-Hans-CN', 'en'])).toBe('zh')
    expect(chooseLocale('', ['fr', 'de'])).toBe('en')
  })
})

describe('the pseudo-language', () => {
  it('the pseudo-language marks words, keeps arguments and grows by 40 %', () => {
    expect(pseudoMessage('Sign in')).toBe('Šîgñ îñ···')
    expect(pseudoMessage('{name} waits')).toContain('{name}')
  })

  it('the pseudo-language marks the texts of a plural and keeps its selectors', () => {
    const said = pseudoMessage('{count, plural, one {# item} other {# items}}')
    expect(said).toContain('{count, plural, one {')
    expect(said).toContain('other {')
    expect(said).not.toContain('item')
  })

  it('the pseudo-language keeps every key', () => {
    expect(flat(pseudoWords(en)).map(([key]) => key)).toEqual(flat(en).map(([key]) => key))
  })
})

describe('the files of words that pages fetch', () => {
  const file = (words: object, query = ''): Record<string, Record<string, unknown>> =>
    JSON.parse(forPages.call({ resourceQuery: query }, JSON.stringify(words)).replace('export default ', ''))

  it('the loaded files have every text, those with values in pieces', () => {
    expect(Object.keys(file(en))).toEqual(Object.keys(en))
    expect(file(en).common?.cancel).toBe(en.common.cancel)
    expect(file({ a: { b: 'Sent to {who}' } })).toEqual({ a: { b: ['Sent to ', ['who']] } })
  })

  it('each text compiles in both languages', () => {
    for (const words of [en, zh, pseudoWords(en)]) expect(() => file(words)).not.toThrow()
  })

  it('the sign-in page gets its own texts only', () => {
    expect(Object.keys(file(zh, '?sign-in'))).toEqual(SIGN_IN)
  })

  it('the console gets all texts except those that come with later screens', () => {
    const [console, later] = [file(zh, '?console'), file(zh, '?later')]
    expect(Object.keys(console)).toEqual(Object.keys(zh).filter((namespace) => !LATER.includes(namespace)))
    expect(Object.keys(later)).toEqual(LATER)
    expect({ ...console, ...later }).toEqual(file(zh))
  })

  it('the pseudo-language is applied before texts are compiled', () => {
    expect(file({ a: { b: 'Sent to {who}' } }, '?pseudo')).toEqual({ a: { b: ['Šéñţ ţö ···', ['who']] } })
  })
})
