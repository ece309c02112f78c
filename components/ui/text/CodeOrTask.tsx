/**
 * A text in backticks: the name of a task or a file becomes a link, anything else a literal.
 *
 * Agents name tasks without an address; the name counts when exactly one task that the reader may see has it.
 */
import { useRows } from '@/client'
import { Link, pathTo } from '@/client/nav'
import { pathOfLiteral } from '@/lib/format/filePaths'
import { FileOrText } from './FileLink'

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
