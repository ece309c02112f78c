/**
 * Text that members and agents wrote, as Markdown. Hostile until shown otherwise: no raw HTML, no remote image, safe
 * links.
 */
import { cx } from './cx'
import { markdownBody } from './loaders'
import { useLazyPart } from './useLazyPart'

/** `headingLevel`: what "#" becomes, so that headings stay under the card's own. `lang` when the language is known; `citations`: its sources by id. */
export function Markdown({
  text,
  headingLevel = 3,
  lang,
  citations,
  className,
}: {
  text: string
  headingLevel?: number
  lang?: string
  citations?: unknown
  className?: string
}) {
  const MarkdownBody = useLazyPart(markdownBody)
  return (
    <div lang={lang} className={cx('max-w-[68ch] min-w-0 break-words', className)}>
      {MarkdownBody ? (
        <MarkdownBody text={text} headingLevel={headingLevel} citations={citations} />
      ) : (
        <p className="whitespace-pre-wrap">{text}</p>
      )}
    </div>
  )
}
