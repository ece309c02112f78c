/** What the fields of a set-up accept. */
import { expect, it } from 'vitest'
import { isKeylessAddress, isWebAddress } from './setupFields'

it('[R301] an address of a set-up is one of the web, with no name, password or key in it', () => {
  const given = [
    'https://models.example/v1',
    'http://127.0.0.1:11434',
    'https://models.example/v1?api_key=sk-1',
    'https://ana:secret@models.example/v1',
    'ftp://models.example',
    'javascript:alert(1)',
    'models.example',
    '',
  ]
  expect(given.map(isKeylessAddress)).toEqual([true, true, false, false, false, false, false, false])
  expect(given.map(isWebAddress)).toEqual([true, true, true, false, false, false, false, false])
})
