/** One word for one thing: habits of speech that the glossary forbids do not come back. */
import { expect, it } from 'vitest'
import en from '@/messages/en.json'
import { FAULTS_EN, SENTENCES_EN } from '@/messages/program.en'
import { FAULTS_ZH, SENTENCES_ZH } from '@/messages/program.zh'
import zh from '@/messages/zh.json'
import type { Sentence } from './sentences'

/** Each with what is said instead. */
const ENGLISH: readonly [RegExp, string][] = [
  [/\b(?:go|goes|going|went|let .* go) on\b/i, 'continue, resume'],
  [/\b(?:stands?|stood|standing) (?:still|here|there|in|with|for)\b/i, 'is waiting, is blocked, is listed'],
  [/\bholds? up\b/i, 'blocking'],
  [/\bwish(?:es)?\b/i, 'request'],
  [/\b(?:knock|tick|ring)s?\b/i, 'sound'],
  [/\b(?:whoever|somebody|nobody|everybody)\b/i, 'anyone who, someone, no one, everyone'],
  [/\b[Aa]n? (?:Urgent|FYI)\b|\b[Aa]n Action\b(?! required)/, 'an urgent message, an Action required message'],
  [/\bjudg(?:e|es|ed|ing)\b/i, 'review, manager'],
  [/\brehears/i, 'demo mode'],
  [/\bbase task\b/i, 'Requests'],
  [/\bbegun\b|\bby itself\b|\bput away\b|\bon its way\b/i, 'draft, started; automatically; archived; sending'],
  [/\bcould not\b|\bcannot\b|\bdid not work\b|\bdoes not\b/i, "couldn't, can't, failed, doesn't"],
  [/\b(?:nothing|nobody|no \w+) fits\b|\bhits?\b/i, 'No results, No matching …'],
  [/\boops\b|!/i, 'a plain sentence'],
  [
    /\b(?:do|does|did|is|are|was|were|has|have|had|would|should|could|will) not\b(?! disturb)/i,
    "don't, doesn't, didn't, isn't, aren't …",
  ],
  // The sentence of time travel is its name for readers and tests.
  [/\bYou are\b(?! looking at )|\bThey are\b|\bIt is\b/, "you're, they're, it's"],
  [/[’‘]/, "a straight apostrophe (')"],
  [/\bsnooz/i, 'Remind me in…, reminder'],
  [/\b(?:was|were) refused\b|\bnot taken\b/i, "was rejected, couldn't be updated (what a system does)"],
  [/\breject\b|\bden(?:y|ies|ied)\b/i, 'refuse, decline (what a person does)'],
]
const CHINESE: readonly [RegExp, string][] = [
  [/您/, '你'],
  [/停下等待|停住|停着/, '在等，等你才能继续'],
  [/排练|演练|扮演/, '演示'],
  [/经理|主管/, '管理者'],
  [/反问/, '追问'],
  [/需求|愿望/, '请求'],
  [/私聊|单聊/, '往来消息'],
  [/信封/, '报文'],
  [/成环/, '互相等待'],
  [/交接/, '移交'],
  [/评判|判断|判为/, '验收，记为'],
  [/应答|答复/, '响应，回答，回复'],
  [/规定/, '规则'],
  [/无法(?:取得|获取|加载|载入)/, '……加载失败'],
  [/[\u4e00-\u9fff][,;:!?]|！/, '全角标点，不用叹号'],
]

/** ICU and template values are names, not words. */
const wordsOf = (text: string): string =>
  text.replace(/\$?\{[\w.]+\}|<\/?\w+>|\{\w+, (?:plural|select|number)[^{}]*\{?/g, ' ')

function textsOf(value: unknown, key: string): [string, string][] {
  if (typeof value === 'string') return [[key, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsOf(inner, `${key}.${name}`))
}

const found = (texts: readonly [string, string][], habits: readonly [RegExp, string][]): string[] =>
  texts.flatMap(([key, text]) =>
    habits.flatMap(([habit, instead]) => {
      const match = habit.exec(wordsOf(text))
      return match === null ? [] : [`${key}: “${match[0]}”; say ${instead}`]
    }),
  )

const literalsOf = (sentences: Readonly<Record<string, Sentence>>) =>
  Object.entries(sentences).map(([key, sentence]): [string, string] => [
    key,
    typeof sentence === 'string' ? sentence : literals(sentence),
  ])

it('[R104] the English of the console and of what the program says has no word that the glossary forbids', () => {
  expect(found(textsOf(en, 'en'), ENGLISH)).toEqual([])
  expect(found(literalsOf(FAULTS_EN), ENGLISH)).toEqual([])
  expect(found(literalsOf(SENTENCES_EN), ENGLISH)).toEqual([])
})

it('[R104] the Chinese has none either', () => {
  expect(found(textsOf(zh, 'zh'), CHINESE)).toEqual([])
  expect(found(literalsOf(FAULTS_ZH), CHINESE)).toEqual([])
  expect(found(literalsOf(SENTENCES_ZH), CHINESE)).toEqual([])
})

it('reports each unplain word with its place, and ignores the names of values', () => {
  expect(found([['a.b', 'An Urgent goes on.']], ENGLISH)).toHaveLength(2)
  expect(found([['a.b', '{wish} is kept.']], ENGLISH)).toEqual([])
  expect(found([['a.b', '您好,世界']], CHINESE)).toHaveLength(2)
})

/** The texts in the source of a function. */
function literals(says: (data: never) => string): string {
  return (says.toString().match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []).join(' ')
}
