import { expect, it } from 'vitest'
import { said } from '@/lib/mas/said'
import { messageText, questionText, waitText } from './readersWords'

it('[R387] a name in a sentence of the program does not turn the words around it; a record is as it was', () => {
  const record = { text: 'מיכל is paused.', said: said('isPaused', { who: 'מיכל' }) }
  const shown = '\u2068מיכל\u2069 is paused.'
  expect(messageText(record)).toBe(shown)
  expect(questionText({ question: record.text, said: record.said })).toBe(shown)
  expect(waitText({ what: record.text, said: record.said })).toBe(shown)
  expect(record.text).toBe('מיכל is paused.')
  // What somebody wrote is no sentence of the program.
  expect(messageText({ text: record.text })).toBe(record.text)
})
