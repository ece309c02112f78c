/** The examples of the first page, on the files that come with the program. */
import { afterEach, expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import en from '@/messages/en.json'
import zh from '@/messages/zh.json'
import { openRehearsal, type Rehearsal } from '@/test/rehearsalTeam'
import { parseRequest } from '../parseRequest'
import { play, sample, toAna } from './test/play'

const EXAMPLES = { en: en.inbox.example, zh: zh.inbox.example }
const SAMPLES = { en: 'samples', zh: 'samples/zh' }

let open: Rehearsal | null = null
afterEach(async () => {
  await open?.close()
  open = null
})

it.each(LANGUAGES)('[R761] the first example of %s is the work of the demo', (language) => {
  const read = parseRequest(EXAMPLES[language].compare.text, null, '')
  expect(read).toMatchObject({ op: 'compare', where: ['prices'], report: true })
})

it.each(LANGUAGES.flatMap((language) => (['total', 'find'] as const).map((name) => ({ language, name }))))(
  '[R761] the example $name of $language ends with an answer, and asks nothing',
  async ({ language, name }) => {
    open = await openRehearsal(sample(SAMPLES[language]), { language })
    await play(open, EXAMPLES[language][name].text, [], { writes: false })
    expect(toAna(open).at(-1)).toContain(name === 'total' ? 'east.csv' : 'south.csv')
  },
)
