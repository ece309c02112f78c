/** Names of files in texts as links, where they are files that the reader may open; anything else stays text. */
import { Fragment, type ReactNode } from 'react'
import { useKnownFile } from '@/client/knownFiles'
import { Link, pathTo } from '@/client/nav'
import { splitPaths } from '@/lib/format/filePaths'

export function FileOrText({ path, children }: { path: string; children: ReactNode }) {
  return useKnownFile(path) ? (
    <Link href={pathTo('file', { path })} className="link">
      {children}
    </Link>
  ) : (
    children
  )
}

export function PathText({ text }: { text: string }) {
  const pieces = splitPaths(text)
  if (pieces.every(({ path }) => path === null)) return text
  return pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places.
    <Fragment key={at}>
      {piece.path === null ? piece.text : <FileOrText path={piece.path}>{piece.text}</FileOrText>}
    </Fragment>
  ))
}
