/** The texts of notifications: mails, pushes and webhooks send them as they are. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LANGUAGES, type Language } from '@/lib/language'
import { selectAlerts } from '@/lib/mas/asks/alerts'
import type { World } from '@/lib/mas/records'
import { foreignText, RUNS, signsIn } from '@/test/foreignText'
import { BASE_TASK, Story, send, TEAM } from '@/test/worldHistories'
import { noteOf } from './notes'

const { ana, ben, lee } = TEAM

/** Lee asks Ben: an Urgent, or two Actions. Then the asker, the task and the texts get these names. */
function noteWith(because: 'rings' | 'open', [name, task, ...texts]: readonly string[], language: Language = 'en') {
  const story = new Story()
  const isUrgent = because === 'rings'
  for (const text of isUrgent ? texts.slice(0, 1) : texts)
    story.put(lee.id, send(lee.id, [ben.id], { text: `say ${text}`, kind: isUrgent ? 'urgent' : 'action' }))
  const named: World = {
    ...story.world,
    agents: { ...story.world.agents, [lee.id]: { ...lee, name: name ?? '' } },
    tasks: {
      ...story.world.tasks,
      [BASE_TASK]: { ...story.world.tasks[BASE_TASK], name: task ?? '' } as World['tasks'][string & typeof BASE_TASK],
    },
  }
  const items = selectAlerts(named)[because].filter(({ person }) => person === ben.id)
  const attempt = { id: 'note' as never, person: ben.id, because }
  const note = noteOf(named, attempt, items, { address: 'https://convene.test', language, isSilent: false })
  if (note === null) throw new Error(`nothing ${because} for ${ana.name} or ${ben.name}`)
  return note
}

const textsOf = ({ title, text, items }: ReturnType<typeof noteWith>): string[] => [
  title,
  text,
  ...items.flatMap((item) => [item.task, item.from, item.text]),
]

it('[R387] a notification shows hidden characters of names and texts as codes', () => {
  expect(noteWith('rings', ['Le\u202ee', 'Pri\u200bces', 'which\u2066?'])).toMatchObject({
    title: 'Urgent from Le[U+202E]e',
    text: 'say which[U+2066]? · Pri[U+200B]ces',
    items: [{ from: 'Le[U+202E]e', task: 'Pri[U+200B]ces', text: 'say which[U+2066]?' }],
  })
  // A name that runs from right to left does not turn the sentence.
  expect(noteWith('rings', ['מיכל', 'Prices', 'x']).title).toBe('Urgent from \u2068מיכל\u2069')
  expect(noteWith('open', ['Lee', 'Prices', 'a\u202e', 'b']).text).toBe('Lee: say a[U+202E] · Lee: say b')
})

it('[R387] a notification has no hidden character, whatever names and texts are', () => {
  fc.assert(
    fc.property(
      fc.tuple(foreignText, foreignText, foreignText, foreignText),
      fc.constantFrom<'rings' | 'open'>('rings', 'open'),
      fc.constantFrom(...LANGUAGES),
      (texts, because, language) => {
        expect(textsOf(noteWith(because, texts, language)).flatMap(signsIn)).toEqual([])
      },
    ),
    { numRuns: RUNS },
  )
})

it('[R387] a notification of several items leaves out whole items, not parts of them', () => {
  const long = 'word '.repeat(60)
  const { text } = noteWith('open', ['Lee', 'Prices', long, long, long])
  expect(text).toMatch(/^Lee: say (word )+…|· …$/)
  expect(text.length).toBeLessThan(500)
  expect(text.endsWith(' · …')).toBe(true)
})
