// Everything in the console is available in English and Chinese.
import { existsSync, readFileSync } from 'node:fs'
import { LATER, SIGN_IN } from '../../messages/forPages.mjs'
import { inRoot } from '../lib/paths.mjs'
import { codeFiles, importsOf, isTestFile, ownFile, withoutComments } from './sources.mjs'

export const name = 'messages: en and zh say the same things, and each page has the words it says'

const SIGN_IN_ROOT = 'components/login/LoginRoot.tsx'
const CONSOLE_ROOT = 'components/shell/ConsoleRoot.tsx'

/** @returns {string[]} one line per key that is missing, empty or takes other values, and per word that the sign-in page lacks */
export function check(read = readMessages, files = codeFiles()) {
  const en = read('en')
  const zh = read('zh')
  if (en === undefined && zh === undefined) return []
  const left = flatten(en ?? {})
  const right = flatten(zh ?? {})
  const problems = []
  for (const [key, text] of left) {
    if (!right.has(key)) problems.push(`messages/zh.json lacks ${key}`)
    else problems.push(...differentValues(key, placeholders(text), placeholders(right.get(key))))
  }
  for (const key of right.keys()) if (!left.has(key)) problems.push(`messages/en.json lacks ${key}`)
  for (const [file, texts] of [
    ['en', left],
    ['zh', right],
  ]) {
    for (const [key, text] of texts) {
      if (String(text).trim() === '') problems.push(`messages/${file}.json: ${key} is empty`)
      // Values in Chinese sentences are marked (lib/i18n/formatWords.ts), so no choice would match.
      if (/\{\s*\w+\s*,\s*select\s*,/.test(text))
        problems.push(`messages/${file}.json: ${key} chooses by a text; take a key each`)
    }
  }
  return [...problems, ...signInLacks(files, Object.keys(en ?? {})), ...saidTooEarly(files)]
}

/** Keys used by the files of the sign-in page that its messages lack. */
function signInLacks(files, namespaces) {
  const lacking = namespaces.filter((namespace) => !SIGN_IN.includes(namespace))
  return madeOf(SIGN_IN_ROOT, files).flatMap(({ path, text }) =>
    lacking
      .filter((namespace) => says(withoutComments(text), namespace))
      .map(
        (namespace) =>
          `${path} says words of ${namespace}, which SIGN_IN in messages/forPages.mjs does not give to the sign-in page`,
      ),
  )
}

/** Messages in LATER may be used only by files that are loaded by withLaterWords (components/ui/laterWords.ts), and their imports. */
function saidTooEarly(files) {
  const paths = new Set(files.map(({ path }) => path))
  const parts = files.filter(({ path }) => path.startsWith('components/') && !isTestFile(path))
  const roots = parts.flatMap(({ path, text }) =>
    [...withoutComments(text).matchAll(/(?<!withLaterWords\(\s*)\(\) => import\('([^']+)'\)/g)].flatMap(
      ([, specifier]) => ownFile(path, specifier, paths) ?? [],
    ),
  )
  const early = new Map(
    [CONSOLE_ROOT, ...roots].flatMap((root) =>
      madeOf(root, files).map(({ path, text }) => [path, withoutComments(text)]),
    ),
  )
  return LATER.flatMap((namespace) =>
    [...early]
      .filter(([, code]) => says(code, namespace))
      .map(([path]) => `${path} says words of ${namespace}, which come later: load it by withLaterWords`),
  )
}

const says = (code, namespace) =>
  new RegExp(String.raw`useTranslations\(['"]${namespace}['".]`).test(code) ||
  (/useTranslations\(\)/.test(code) && new RegExp(String.raw`['"\`]${namespace}\.`).test(code))

/** A file and its static imports, types excluded. */
function madeOf(root, files) {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const found = new Set()
  const visit = (path) => {
    const file = byPath.get(path)
    if (file === undefined || found.has(file)) return
    found.add(file)
    for (const { specifier, isType, isLate } of importsOf(file.text))
      if (!isType && !isLate) visit(ownFile(path, specifier, byPath))
  }
  visit(root)
  return [...found]
}

/** Both languages must show the same values; counts may differ. */
function differentValues(key, en, zh) {
  const say = ({ shown, counted }) => `{${[...shown, ...counted].join(', ')}}`
  const has = ({ shown, counted }, name) => shown.includes(name) || counted.includes(name)
  const isSame =
    en.shown.every((name) => has(zh, name)) &&
    zh.shown.every((name) => has(en, name)) &&
    zh.counted.every((name) => has(en, name))
  return isSame ? [] : [`${key}: en takes ${say(en)}, zh takes ${say(zh)}`]
}

function readMessages(language) {
  const file = inRoot('messages', `${language}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function flatten(value, prefix = '') {
  if (typeof value !== 'object' || value === null) return new Map([[prefix, value]])
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flatten(inner, prefix === '' ? key : `${prefix}.${key}`)]),
  )
}

/**
 * The use of the ICU arguments of a text: `{name}`, `{count, plural, one {# day} other {# days}}`.
 *
 * out     shown: names whose value is shown or selects a text; counted: names that only select a plural, which Chinese lacks
 */
export function placeholders(text) {
  const found = { shown: new Set(), counted: new Set() }
  readMessage(String(text), 0, found)
  return {
    shown: [...found.shown].sort(),
    counted: [...found.counted].filter((name) => !found.shown.has(name)).sort(),
  }
}

/** Parses a message from `at` to its end or closing brace; returns the position. */
function readMessage(text, at, found) {
  let place = at
  while (place < text.length && text[place] !== '}') {
    place = text[place] === '{' ? readArgument(text, place + 1, found) : place + 1
  }
  return place
}

/** Parses `name}` or `name, kind, branch {message} …}`; returns the position after its closing brace. */
function readArgument(text, at, found) {
  const head = /^\s*(\w+)\s*(?:,\s*(\w+))?/.exec(text.slice(at))
  if (head === null) return at
  let place = at + head[0].length
  const from = place
  while (place < text.length && text[place] !== '}') {
    place = text[place] === '{' ? readMessage(text, place + 1, found) + 1 : place + 1
  }
  const isOnlyCounted = /^(plural|selectordinal)$/.test(head[2] ?? '') && !text.slice(from, place).includes('#')
  found[isOnlyCounted ? 'counted' : 'shown'].add(head[1])
  return place + 1
}
