/** Names of files in texts as links, where they are files that the reader may open; anything else stays text. */
import { Fragment, type ReactNode } from 'react'
import { useKnownFile } from '@/client/knownFiles'
import { Link, pathTo } from '@/client/nav'
import { splitPaths } from '@/lib/format/filePaths'

export function FileOrText({ path, children }: { path: string; children: ReactNode }) {
  return useKnownFile([path]) === null ? (
    children
  ) : (
    <Link href={pathTo('file', { path })} className="link">
      {children}
    </Link>
  )
}

/** The end of the text that names a file as a link. */
function EndAsLink({ text, paths }: { text: string; paths: readonly string[] }) {
  const path = useKnownFile(paths)
  // In an element: a bare text would not pass the JSX runtime, which shows hidden characters.
  if (path === null) return <span>{text}</span>
  const at = path === paths[0] ? 0 : text.length - path.length
  return (
    <>
      {text.slice(0, at)}
      <Link href={pathTo('file', { path })} className="link">
        {text.slice(at)}
      </Link>
    </>
  )
}

export function PathText({ text }: { text: string }) {
  const pieces = splitPaths(text)
  if (pieces.every(({ paths }) => paths.length === 0)) return <span>{text}</span>
  return pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places.
    <Fragment key={at}>{piece.paths.length === 0 ? piece.text : <EndAsLink {...piece} />}</Fragment>
  ))
}
