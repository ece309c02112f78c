/** Files of other programs whose text the server reads, by the end of their name. */

/** sheets: a workbook; words: a text document */
export type DocumentKind = 'sheets' | 'words'

/** in: the name of a file. out: null: it is neither */
export const documentKind = (name: string): DocumentKind | null =>
  /\.xlsx$/i.test(name) ? 'sheets' : /\.docx$/i.test(name) ? 'words' : null
