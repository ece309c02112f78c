/**
 * Texts in backticks: the name of a task or a file becomes a link, anything else a literal.
 *
 * Agents name tasks without an address; the name counts when exactly one task that the reader may see has it.
 */
import { Fragment } from 'react'
import { useRows } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { pathOfLiteral } from '@/lib/format/filePaths'
import { FileOrText, PathText } from './FileLink'
import { CUT_AT, LongText } from './LongText'

const IN_BACKTICKS = /`([^`\n]{1,200})`/u

/** A literal; the name of exactly one task is a link to it. */
export function CodeOrTask({ text }: { text: string }) {
  const rows = useRows('overview')
  const named = rows.filter((row) => row.name === text)
  const task = named.length === 1 ? named[0]?.task : undefined
  const path = pathOfLiteral(text)
  const literal = <code className="font-mono text-table">{text}</code>
  return task === undefined ? (
    path === null ? (
      literal
    ) : (
      <FileOrText path={path}>{literal}</FileOrText>
    )
  ) : (
    <Link href={pathTo('task', { taskId: task })} className="link font-medium">
      {text}
    </Link>
  )
}

/** A plain text with literals in backticks; a text that is long enough to be cut stays plain. */
export function NamedText({ text }: { text: string }) {
  const parts = text.split(IN_BACKTICKS)
  if (parts.length === 1 || text.length > CUT_AT) return <LongText text={text} />
  return (
    <span>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places.
        <Fragment key={at}>{at % 2 === 1 ? <CodeOrTask text={part} /> : <PathText text={part} />}</Fragment>
      ))}
    </span>
  )
}
