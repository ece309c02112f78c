/** Messages as Markdown for the clipboard. Pure: names, times and addresses are parameters. */
import type { Bubble, ChatLine, SystemLine } from './lines'

type MarkdownWords = {
  nameOf: (id: Bubble['sender']) => string
  /** As it is on screen. */
  textOf: (line: Bubble | SystemLine) => string
  /** With date and time zone. */
  timeOf: (at: number) => string
  hrefOf: (line: Bubble) => string
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

/** Sender, receivers, time as a link, the quoted text, the names of files. */
function messageAsMarkdown(line: Bubble | SystemLine, words: MarkdownWords): string {
  if (line.kind === 'system') return `_${words.textOf(line).replaceAll('\n', ' ')}_ · ${words.timeOf(line.at)}`
  const to = line.receivers.map(words.nameOf).join(', ')
  const files = line.messages[0]?.attachments ?? []
  return [
    `**${words.nameOf(line.sender)}** → ${to} · [${words.timeOf(line.at)}](${words.hrefOf(line)})`,
    '',
    quoted(words.textOf(line)),
    ...(files.length > 0 ? ['', files.map(({ name }) => `- ${name}`).join('\n')] : []),
  ].join('\n')
}

export const linesAsMarkdown = (lines: readonly ChatLine[], words: MarkdownWords): string =>
  lines
    .flatMap((line) => (line.kind === 'bubble' || line.kind === 'system' ? [messageAsMarkdown(line, words)] : []))
    .join('\n\n')
