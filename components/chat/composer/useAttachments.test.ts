import { expect, it } from 'vitest'
import { pastedFiles } from './useAttachments'

const picture = new File(['x'], 'image.png', { type: 'image/png' })
const clipboard = (...types: string[]) => ({ types, files: [picture] })

it('cells of a table are pasted as their text, without the picture of them; a picture and a file are attached', () => {
  expect(pastedFiles(clipboard('text/plain', 'text/html', 'text/rtf', 'Files'))).toEqual([])
  // A picture of a page, a screenshot, a file of a folder.
  for (const types of [['text/html', 'Files'], ['Files'], ['text/plain', 'Files']]) {
    expect(pastedFiles(clipboard(...types))).toEqual([picture])
  }
})
