import { describe, expect, it } from 'vitest'
import { withNotesOf, withoutNotes, withoutNotesIn } from './builtInNotes'

const NOTES = '\n<job>{"op":"compare",\n"where":["prices"]}</job>'

describe('the notes of the built-in model', () => {
  it('[R306] are not read with the text that holds them', () => {
    expect(withoutNotes(`Gather the facts.${NOTES}\nThen ask.`)).toBe('Gather the facts.\nThen ask.')
    expect(withoutNotes('Done.\n<job_result>{"done":true}</job_result>')).toBe('Done.')
    expect(withoutNotes('Done.\n<\u2060job_result>{"done":true}<\u2060/job_result>')).toBe('Done.')
    expect(withoutNotes('Cut in the middle.\n<job>{"op":"compare","where":["pri')).toBe('Cut in the middle.')
    expect(withoutNotesIn({ step: [`Read.${NOTES}`, 1, null] })).toEqual({ step: ['Read.', 1, null] })
  })

  it('[R306] are told from foreign text with the same tag, which is shown as it is', () => {
    for (const text of [
      'The tag <job> stands alone. ',
      '<job>{"title":"Baker"}</job>',
      '<job>Baker</job>',
      '<jobs>{"op":"x"}</jobs>',
    ])
      expect(withoutNotes(text)).toBe(text)
  })

  it('[R306] stay with a goal that a person changes, and a goal that nobody changed stays as it is', () => {
    expect(withNotesOf('Read all.', `Read.${NOTES}`)).toBe(`Read all.${NOTES}`)
    expect(withNotesOf('Read.', `Read.${NOTES}`)).toBe(`Read.${NOTES}`)
    expect(withNotesOf('Read.', '')).toBe('Read.')
  })
})
