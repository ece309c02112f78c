/** The text of a message on the page. */
import { expect, it } from 'vitest'
import { openPage, screen } from '@/test/dom'
import { MessageText } from './MessageText'

it('[R800] the words of a person are formatted as those of an agent, line by line, and what is no mark stays', async () => {
  const text = '**no delivery before Friday**\nsee <b>a</b> [the sheet](https://example.org/x), 2*3*4'
  await openPage(<MessageText text={text} />)
  const bold = await screen.findByText('no delivery before Friday')
  expect(bold.tagName).toBe('STRONG')
  expect(bold.nextElementSibling?.tagName).toBe('BR')
  expect(screen.getByRole('link', { name: 'the sheet' }).getAttribute('href')).toBe('https://example.org/x')
  expect(bold.parentElement?.textContent).toBe('no delivery before Friday\nsee <b>a</b> the sheet, 2*3*4')
})

it('[R800] of a long text the beginning alone is drawn until all of it is asked for', async () => {
  const { user } = await openPage(<MessageText text={`begins ${'word '.repeat(2_000)}**ends**`} />)
  expect(await screen.findByText(/^begins/)).toBeTruthy()
  expect(document.body.textContent).not.toContain('ends')
  await user.click(screen.getByRole('button', { name: 'Show all' }))
  expect((await screen.findByText('ends')).tagName).toBe('STRONG')
})
