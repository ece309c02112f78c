/** Texts from outside leave the program by ways that show what they hide: no file has a way of its own. */
import { expect, it } from 'vitest'
import { codeFiles, isTestFile } from './sources.mjs'

it('[R387] no other file of the server and of the scripts writes to the terminal', () => {
  const WAYS: Record<string, string> = {
    'server/terminal.ts': 'the way of programs',
    'scripts/lib/say.mjs': 'the way of scripts without dependencies',
    'scripts/lib/lines.mjs': 'questions of ours, and what is typed',
    'scripts/lib/requireNode.mjs': 'runs on any Node; its words are ours',
  }
  const writers = codeFiles().filter(
    ({ path, text }) =>
      /^(server|packages|scripts|lib)\//.test(path) &&
      !isTestFile(path) &&
      /\bprocess\.std(out|err)\.write\b|\bconsole\.\w+\(/.test(text),
  )
  expect(writers.map(({ path }) => path).sort()).toEqual(Object.keys(WAYS).sort())
})

it('[R387] what stands in the typeface of code is read to the letter, or typed', () => {
  // Their texts are in elements of their own, or are what somebody types.
  const isOther = /^<(code|pre|kbd|ul|table|TextField|TextArea|DraftArea)\b|as="pre"|role="tree"/
  const unmarked = codeFiles()
    .filter(({ path }) => /^(components|app)\/.*\.tsx$/.test(path) && !isTestFile(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/<\w[^<]*?\bfont-mono\b/gu)]
        .filter(([tag]) => !isOther.test(tag) && !tag.includes('data-literal'))
        .map(([tag]) => `${path}: ${tag}`),
    )
  expect(unmarked).toEqual([])
})
