/** Text of members and agents as Markdown. It is not trusted: no raw HTML, no remote image, safe links. */
import { cx } from '../cx'
import { MarkdownBody } from '../lazy'

type MarkdownProps = { text: string; headingLevel?: number; citations?: unknown; className?: string }

/** headingLevel: what "#" becomes, below the card's own heading; citations: its sources by id. */
export function Markdown({ text, headingLevel = 3, citations, className }: MarkdownProps) {
  return (
    <div className={cx('max-w-[68ch] min-w-0 break-words', className)}>
      <MarkdownBody text={text} headingLevel={headingLevel} citations={citations} />
    </div>
  )
}
