/** What a desktop notice shows. */
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { foreignText, RUNS, signsIn } from '@/test/foreignText'
import { showDesktop } from './desktop'

it('[R387] a desktop notice has no hidden character, in its title and its text, whatever is told', () => {
  const shown: string[] = []
  vi.stubGlobal('window', { isSecureContext: true })
  vi.stubGlobal(
    'Notification',
    class {
      static permission = 'granted'
      constructor(title: string, { body }: { body: string }) {
        shown.push(title, body)
      }
    },
  )
  const show = (title: string, text: string): void =>
    showDesktop('id', { title, text, isUrgent: false, onClick: () => undefined })
  show('Re\u202eader is waiting for you', 'Which\u200b price?')
  expect(shown.splice(0)).toEqual(['Re[U+202E]ader is waiting for you', 'Which[U+200B] price?'])
  fc.assert(
    fc.property(foreignText, foreignText, (title, text) => {
      show(title, text)
      expect(shown.splice(0).flatMap(signsIn)).toEqual([])
    }),
    { numRuns: RUNS },
  )
})
