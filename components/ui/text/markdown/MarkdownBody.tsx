/**
 * Markdown as elements, with all that its source says: raw HTML as text, remote pictures as a button that loads nothing
 * by itself, only http(s), mailto and in-app links. A lazy file of Markdown.tsx.
 */
import { Copy, ImageOff } from 'lucide-react'
import { createElement, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import { useTranslations } from 'use-intl'
import { Link } from '@/client/nav'
import { CitationMap, splitAnchors } from '@/lib/protocols/harmony/citation'
import { Button, IconButton } from '../../Button'
import { copyText } from '../../copyText'
import { cx } from '../../cx'
import { CitationLink, SourcesContext } from '../Citation'
import { CodeOrTask } from '../CodeOrTask'
import { PathText } from '../FileLink'
import { Scrolled } from '../Scrolled'
import { safeHref } from '../safeHref'
import { consoleMarkdown } from './plugin'

function MarkdownLink({ href, title, children }: { href?: string; title?: string; children?: ReactNode }) {
  const safe = safeHref(href ?? '')
  if (safe === null) return <span data-flow>{children}</span>
  const about = title === undefined ? safe : `${title}: ${safe}`
  if (safe.startsWith('/')) {
    return (
      <Link href={safe} title={title} data-flow className="link">
        {children}
      </Link>
    )
  }
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow" title={about} data-flow className="link">
      {children}
    </a>
  )
}

/**
 * A remote picture would tell its host who reads what, and the content policy loads none. So the first press shows
 * a link with that host's name, which opens the picture in a new tab.
 */
function MarkdownPicture({ src, alt }: { src: string; alt: string }) {
  const t = useTranslations('common')
  const [isAsked, setAsked] = useState(false)
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    // Joins the focus: the link replaces the pressed button.
    if (isAsked) link.current?.focus()
  }, [isAsked])
  const safe = safeHref(src)
  if (safe === null || !/^https?:/.test(safe))
    return <MarkdownLink>{[alt, src].filter(Boolean).join(' ')}</MarkdownLink>
  const { host } = new URL(safe)
  return (
    <span
      className={cx(
        'my-1 inline-flex max-w-full flex-wrap items-center gap-x-2 gap-y-1 rounded-control border',
        'border-line px-2 py-1 text-table',
      )}
    >
      <ImageOff className="size-4 shrink-0 text-t3" />
      {alt === '' ? null : <span className="min-w-0 break-words">{alt}</span>}
      {isAsked ? (
        <>
          <span className="text-t2">{t('pictureWarning', { host })}</span>
          <a ref={link} href={safe} target="_blank" rel="noopener noreferrer nofollow" title={safe} className="link">
            {t('openPicture', { host })}
          </a>
        </>
      ) : (
        <Button look="quiet" onClick={() => setAsked(true)}>
          {t('loadPicture', { host })}
        </Button>
      )}
    </span>
  )
}

const textOf = (node: ReactNode): string =>
  typeof node === 'string' ? node : Array.isArray(node) ? node.map(textOf).join('') : ''

/** Language or name of a block of code, by keepAll; none: not said. */
type CodeProps = { children?: ReactNode; 'data-info'?: string }

function CodeBlock({ children }: { children?: ReactNode }) {
  const t = useTranslations('common')
  const { children: inner, 'data-info': info }: CodeProps =
    typeof children === 'object' && children !== null && 'props' in children
      ? (children.props as CodeProps)
      : { children }
  return (
    <div className="group relative my-2">
      {info === undefined ? null : <div className="text-meta text-t3">{info}</div>}
      <Scrolled as="pre" className="overflow-x-auto rounded-control bg-s3 px-3 py-2 font-mono text-table">
        {children}
      </Scrolled>
      <IconButton
        className="absolute top-1 right-1 opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
        icon={<Copy />}
        label={t('copy')}
        onClick={() => copyText(textOf(inner), t('copied'))}
      />
    </div>
  )
}

function componentsFor(headingLevel: number): Components {
  const heading =
    (depth: number) =>
    ({ children }: { children?: ReactNode }) => {
      const level = Math.min(6, headingLevel + depth - 1)
      const Tag = `h${level}` as 'h3' | 'h4' | 'h5' | 'h6'
      return (
        <Tag dir="auto" className="mt-3 mb-1 font-bold first:mt-0">
          {children}
        </Tag>
      )
    }
  return {
    h1: heading(1),
    h2: heading(2),
    h3: heading(3),
    h4: heading(4),
    h5: heading(5),
    h6: heading(6),
    p: ({ children }) => (
      <p dir="auto" className="my-2 first:mt-0 last:mb-0">
        {children}
      </p>
    ),
    a: ({ href, title, children }) => (
      <MarkdownLink href={href} title={title}>
        {children}
      </MarkdownLink>
    ),
    img: ({ src, alt }) => <MarkdownPicture src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
    ul: ({ children }) => <ul className="my-2 list-disc pl-5">{children}</ul>,
    ol: ({ children }) => <ol className="my-2 list-none ps-7">{children}</ol>,
    li: ({ children }) => (
      <li dir="auto" className="my-0.5">
        {children}
      </li>
    ),
    // The number of an entry, by keepAll: as text, since a list would count by itself.
    data: ({ children }) => <span className="-ms-7 inline-block min-w-7 pe-1.5 text-end text-t3">{children}</span>,
    em: ({ children }) => <em>{children}</em>,
    strong: ({ children }) => <strong>{children}</strong>,
    del: ({ children }) => <del>{children}</del>,
    blockquote: ({ children }) => (
      <blockquote className="my-2 border-l-2 border-line-strong pl-3 text-t2">{children}</blockquote>
    ),
    code: ({ children, className }) =>
      typeof children === 'string' && className === undefined && !children.includes('\n') ? (
        <CodeOrTask text={children} />
      ) : (
        <code className="font-mono text-table">{children}</code>
      ),
    pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
    hr: () => <hr className="my-3 border-line" />,
    table: ({ children }) => (
      <Scrolled as="div" className="my-2 overflow-x-auto">
        <table className="border-collapse text-table">{children}</table>
      </Scrolled>
    ),
    // Only marksInText makes these two: raw HTML is text.
    cite: ({ id }) => <CitationLink id={id ?? ''} />,
    samp: ({ children }) => <PathText text={textOf(children)} />,
    th: ({ children }) => (
      <th dir="auto" className="border-b border-line py-1 pe-4 text-start font-medium">
        {children}
      </th>
    ),
    td: ({ children }) => (
      <td dir="auto" className="border-b border-line py-1 pe-4">
        {children}
      </td>
    ),
  }
}

/** MarkdownLink and MarkdownPicture decide which addresses may be followed. */
const asWritten = (url: string): string => url

const byLevel = new Map<number, Components>()

type MarkdownBodyProps = { text: string; headingLevel: number; citations?: unknown }

/** `citations`: the sources as they came; anything that is no map of sources counts as none. */
export default function MarkdownBody({ text, headingLevel, citations }: MarkdownBodyProps) {
  const components = byLevel.get(headingLevel) ?? componentsFor(headingLevel)
  byLevel.set(headingLevel, components)
  const sources = useMemo(() => {
    const map = CitationMap.safeParse(citations).data ?? {}
    return { map, numbers: numbersOf(text, new Set(Object.keys(map))) }
  }, [text, citations])
  const plugins = useMemo(
    (): Options['remarkPlugins'] => [[consoleMarkdown, { source: text, ids: new Set(Object.keys(sources.map)) }]],
    [text, sources],
  )
  return (
    <SourcesContext value={sources}>
      {/* Not by JSX: it takes the source itself (client/jsx). */}
      {createElement(ReactMarkdown, { remarkPlugins: plugins, components, urlTransform: asWritten }, text)}
    </SourcesContext>
  )
}

/**
 * The numbers of a text's sources.
 *
 * out     by id, from 1 in the order of their first mention
 */
function numbersOf(text: string, ids: ReadonlySet<string>): ReadonlyMap<string, number> {
  return new Map(splitAnchors(text, ids).flatMap((piece) => ('id' in piece ? [[piece.id, piece.number] as const] : [])))
}
