/** What the page of the texts says that a language needs. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Code that treats one of our languages by name. */
const NAMES_A_LANGUAGE = /'(en|zh)' \| '(en|zh)'|\[?'en', 'zh'|'zh'|\bzh:|zh\.json|\.zh'/

it('[R429] every place of the program that names a language is in the page that says what another one needs', () => {
  const page = readFileSync('messages/README.md', 'utf8')
  const section = page.slice(page.indexOf('**To add a language**'))
  const rows = section.split('\n').map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
  // Names in brackets and after a folder are inside of it.
  const places = rows.flatMap((names) => {
    const folder = names.find((name) => name.endsWith('/')) ?? ''
    return names.flatMap((name) => [name, `${folder}${name}`, `messages/${name}`])
  })
  const files = ['lib', 'server', 'client', 'components', 'app', 'scripts', 'messages'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => `${root}/${name}`),
  )
  const naming = files.filter(
    (file) =>
      /\.(ts|tsx|mjs)$/.test(file) &&
      !/\.test\.|\/test\/|\.(zh|en)\.ts$/.test(file) &&
      NAMES_A_LANGUAGE.test(readFileSync(file, 'utf8')),
  )
  expect(naming.length).toBeGreaterThan(30)
  expect(
    naming.filter((file) => !places.some((place) => file === place || (place.endsWith('/') && file.startsWith(place)))),
  ).toEqual([])
})
