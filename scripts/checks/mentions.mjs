// Files and rules that comments or pages name must exist.
import { codeFiles, commentsOf, lineAt, projectFiles } from './sources.mjs'

export const name = 'mentions: each file and rule that a comment or page names exists'

const FILE = /(?<![\w@:/.<>{}*-])(?:\.{1,2}\/)?(?:[\w.[\]-]+\/)*[\w.[\]-]+\.(?:tsx?|mjs|cjs)(?![\w*-])/g
const RULE = /(?<![\w-])R\d{1,3}(?![\w-])/g

/** The checked pages. */
const PAGES = /^(README|ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|^docs\/.*\.md$|README\.md$/

/** @returns {string[]} one line per file or rule that is named and missing */
export function check(files = codeFiles(), all = projectFiles()) {
  const paths = all.map(({ path }) => path)
  const known = new Set(paths.flatMap(endingsOf))
  const ofRules = all.filter(({ path }) => path.startsWith('docs/rules/')).map(({ text }) => text)
  const rules = new Set(ofRules.join('\n').match(/\bR\d{1,3}\b/g) ?? [])
  const pages = all.filter(({ path }) => PAGES.test(path) && !path.startsWith('samples/'))
  const texts = [...files.map(({ path, text }) => ({ path, text: commentsOf(text) })), ...pages]
  return texts.flatMap(({ path, text }) => [
    ...[...text.matchAll(FILE)]
      .filter(([file]) => !known.has(file.replace(/^(?:\.{1,2}\/)+/, '')) && !isExample(file))
      .map((match) => `${path}:${lineAt(text, match.index)} names ${match[0]}, which does not exist`),
    ...[...text.matchAll(RULE)]
      .filter(([rule]) => rules.size > 0 && !rules.has(rule))
      .map((match) => `${path}:${lineAt(text, match.index)} names ${match[0]}, which no page of docs/rules has`),
  ])
}

/** A file may be named by its path or the end of it. */
function endingsOf(path) {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(at).join('/'))
}

/** `x.ts` and similar names are examples. */
const isExample = (file) => /^[a-z]\.\w+$/.test(file)
