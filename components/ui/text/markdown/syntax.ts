/**
 * The Markdown of the console: CommonMark with GitHub's tables, task lists and `~~`, and without what would take letters
 * away from a text that was not meant as Markdown.
 *
 * Left out: entities (`&lt;` stays as it is written), a backslash at the end of a line, `~` as a mark, footnotes.
 */
import type { CompileContext, Extension as TreeExtension } from 'mdast-util-from-markdown'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item'
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly'
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item'
import type { Extension, Token } from 'micromark-util-types'
import { bareUrl, bareUrlTree } from './bareUrl'

const WITHOUT: Extension = { disable: { null: ['characterReference', 'hardBreakEscape'] } }

export const SYNTAX: Extension[] = [
  cjkFriendlyExtension(),
  gfmStrikethroughCjkFriendly({ singleTilde: false }),
  gfmTable(),
  gfmTaskListItem(),
  bareUrl,
  WITHOUT,
]

/** in: source: the text that is parsed */
export const treeExtensions = (source: string): TreeExtension[] => [
  gfmStrikethroughFromMarkdown(),
  gfmTableFromMarkdown(),
  gfmTaskListItemFromMarkdown(),
  bareUrlTree,
  {
    exit: {
      characterEscapeValue(this: CompileContext, token: Token) {
        const sign = this.sliceSerialize(token)
        const tail = this.stack.pop()
        if (tail?.type !== 'text') return
        tail.value += isEscape(source, token.start.offset - 1, sign) ? sign : `\\${sign}`
        const { line, column, offset } = token.end
        if (tail.position) tail.position.end = { line, column, offset }
      },
    },
  },
]

/** Characters of a word that are looked at on each side of a backslash. */
const WORD_REACH = 200

/**
 * Is a backslash only there to keep the sign after it from being a mark? In a Windows path, a regular expression or TeX
 * it is part of the text.
 */
function isEscape(source: string, at: number, sign: string): boolean {
  if ('()[]{}\\'.includes(sign)) return false
  const before = /\S*$/u.exec(source.slice(Math.max(0, at - WORD_REACH), at))?.[0] ?? ''
  const after = /^\S*/u.exec(source.slice(at, at + WORD_REACH))?.[0] ?? ''
  return !/\\[\p{L}\p{N}\\]|(?<!\p{L})\p{L}:\\/u.test(before + after)
}
