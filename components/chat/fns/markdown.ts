/** What was said as Markdown, to be pasted elsewhere. Pure: names, times and addresses come in. */
import type { Bubble, ChatLine, SystemLine } from './lines'

export type MarkdownWords = {
  nameOf: (id: Bubble['sender']) => string
  /** With day and zone: what is pasted has no page around it. */
  timeOf: (at: number) => string
  hrefOf: (line: Bubble) => string
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** One message: who to whom and when, a link, and the words as they stand. */
export function messageAsMarkdown(line: Bubble | SystemLine, words: MarkdownWords): string {
  if (line.kind === 'system') return `_${line.text.replaceAll('\n', ' ')}_ · ${words.timeOf(line.at)}`
  const to = line.receivers.map(words.nameOf).join(', ')
  const files = line.messages[0]?.attachments ?? []
  return [
    `**${words.nameOf(line.sender)}** → ${to} · [${words.timeOf(line.at)}](${words.hrefOf(line)})`,
    '',
    quoted(line.text),
    ...(files.length > 0 ? ['', files.map(({ name }) => `- ${name}`).join('\n')] : []),
  ].join('\n')
}

/** All of these, in their order; lines that are no messages are left out. */
export const linesAsMarkdown = (lines: readonly ChatLine[], words: MarkdownWords): string =>
  lines
    .flatMap((line) => (line.kind === 'bubble' || line.kind === 'system' ? [messageAsMarkdown(line, words)] : []))
    .join('\n\n')
