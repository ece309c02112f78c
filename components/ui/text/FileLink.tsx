/** Names of files in texts as links, where they are files that the reader may open; anything else stays text. */
import { Fragment, type ReactNode } from 'react'
import { useKnownFile } from '@/client/knownFiles'
import { useFileHref } from '@/client/moment'
import { Link } from '@/client/nav'
import { splitPaths } from '@/lib/format/filePaths'

export function FileOrText({ path, children }: { path: string; children: ReactNode }) {
  const hrefOf = useFileHref()
  return useKnownFile([path]) === null ? (
    children
  ) : (
    <Link href={hrefOf(path)} className="link">
      {children}
    </Link>
  )
}

/** isLiteral: all of it is read to the letter, and not only the paths in it (client/jsx/shownProps.ts). */
type TextProps = { text: string; isLiteral?: boolean }

/** The end of the text that names a file as a link. */
function EndAsLink({ text, paths, isLiteral }: TextProps & { paths: readonly string[] }) {
  const path = useKnownFile(paths)
  const hrefOf = useFileHref()
  // In an element: a bare text would not pass the JSX runtime, which shows hidden characters.
  if (path === null) return <span data-literal={isLiteral}>{text}</span>
  const at = path === paths[0] ? 0 : text.length - path.length
  return (
    <>
      {at === 0 ? null : <span data-literal={isLiteral}>{text.slice(0, at)}</span>}
      <Link data-literal href={hrefOf(path)} className="link">
        {text.slice(at)}
      </Link>
    </>
  )
}

export function PathText({ text, isLiteral }: TextProps) {
  const pieces = splitPaths(text)
  if (pieces.every(({ paths }) => paths.length === 0)) return <span data-literal={isLiteral}>{text}</span>
  return pieces.map((piece, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change places.
    <Fragment key={at}>
      {piece.paths.length === 0 ? (
        <span data-literal={isLiteral}>{piece.text}</span>
      ) : (
        <EndAsLink {...piece} isLiteral={isLiteral} />
      )}
    </Fragment>
  ))
}
