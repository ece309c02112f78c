import { createTranslator } from 'use-intl'
import { expect, it } from 'vitest'
import { LANGUAGES, type Language } from '@/lib/language'
import type { StepDoing } from '@/lib/wire/views'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { doingWords } from './doingWords'

const CASES: [doing: StepDoing | null, isStalled: boolean, en: string, zh: string][] = [
  [{ what: 'queued', place: 1 }, false, 'Waiting for its turn: 1st in line', '排队等待模型：第 1 位'],
  [{ what: 'queued', place: 2 }, false, 'Waiting for its turn: 2nd in line', '排队等待模型：第 2 位'],
  [{ what: 'queued', place: 23 }, false, 'Waiting for its turn: 23rd in line', '排队等待模型：第 23 位'],
  [{ what: 'queued', place: 11 }, false, 'Waiting for its turn: 11th in line', '排队等待模型：第 11 位'],
  [{ what: 'asked' }, false, "Waiting for the model's first words", '等待模型开始回答'],
  [{ what: 'writing' }, false, 'Writing: Compare both copies', '正在写：Compare both copies'],
  [{ what: 'writing' }, true, "Waiting for the model's next words", '等待模型继续回答'],
  [{ what: 'repeating' }, false, "The model's call failed: trying again", '模型调用失败，正在重试'],
  [{ what: 'person' }, false, "Waiting for a person's answer", '等待有人回答'],
  [{ what: 'tool', tool: 'db.query' }, false, 'Running db.query', '正在运行 db.query'],
  [{ what: 'between' }, false, 'Working on: Compare both copies', '正在处理：Compare both copies'],
  [null, false, 'Working on: Compare both copies', '正在处理：Compare both copies'],
]

const MESSAGES: Record<Language, typeof en> = { en, zh }

it.each(CASES)('[R476] a step that does %j (stalled: %s) says “%s”', (doing, isStalled, inEnglish, inChinese) => {
  const words: Record<Language, string> = { en: inEnglish, zh: inChinese }
  for (const locale of LANGUAGES) {
    const t = createTranslator({ locale, messages: MESSAGES[locale], namespace: 'chat.atWork' })
    expect(doingWords(t, 'Compare both copies', doing, isStalled)).toBe(words[locale])
  }
})
