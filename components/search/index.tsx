import { Search } from 'lucide-react'
import { Fragment, type KeyboardEvent, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useAction } from '@/client/actions/keyboard'
import { Link, setSearch, useSearchParam } from '@/client/nav'
import { taskTitle } from '@/client/readersWords'
import { HelpLink } from '@/components/help/HelpLink'
import { Button } from '@/components/ui/Button'
import { moveFocus } from '@/components/ui/fields/keyboard'
import { TextField } from '@/components/ui/fields/TextField'
import { ItemLine } from '@/components/ui/marks/ItemLine'
import { TimeText } from '@/components/ui/marks/Time'
import { PageHeading } from '@/components/ui/PageHeading'
import { EmptyState, FaultState, Skeleton } from '@/components/ui/States'
import { TabLinks } from '@/components/ui/Tabs'
import { matchRanges } from '@/lib/format/searchWords'
import type { SearchHit } from '@/lib/wire'
import { SEARCH_KINDS, type SearchKind } from '@/lib/wire/search'
import { HIT_ICONS } from './hitIcons'
import { hitGroupsOf, hrefOf, searchHref, searchKindOf } from './hits'
import { useSearch } from './useSearch'

/** Hits of each kind while all are shown, and of a page of one kind. */
const OF_EACH = 8
const OF_ONE = 30
/** The index lags this many entries only while it is being built. */
const BEHIND = 500

export default function SearchScreen() {
  const t = useTranslations('search')
  const query = useSearchParam('q') ?? ''
  const kind = searchKindOf(useSearchParam('kind'))
  const { hits, isSearching, fault, read, more } = useSearch(query, kind, kind === null ? OF_EACH : OF_ONE)
  const box = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const move = (step: 1 | -1): void => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]
    const isAtTop = !links.slice(1).some((link) => link === document.activeElement)
    if (isAtTop && step < 0) box.current?.focus()
    else moveFocus(links, step)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null
    if (step === null) return
    event.preventDefault()
    move(step)
  }
  useAction('search', 'search', { label: t('box'), run: () => box.current?.focus() })
  useAction('nextRow', 'search', { run: hits.length > 0 ? () => move(1) : null })
  useAction('previousRow', 'search', { run: hits.length > 0 ? () => move(-1) : null })
  const tabs = [
    { value: 'all', label: t('all') },
    ...SEARCH_KINDS.map((one) => ({ value: one, label: t(`kind.${one}`) })),
  ]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows lead from the box into its list; each line is a link by itself.
    <div data-scroll onKeyDown={onKeyDown} className="page-scroll pb-12">
      <div className="page-column">
        <div className="pt-5 pb-3 max-md:pt-4">
          <PageHeading title={[t('title'), query]}>{t('title')}</PageHeading>
        </div>
        <search>
          <TextField
            ref={box}
            type="search"
            label={t('box')}
            isLabelHidden
            placeholder={t('box')}
            maxLength={200}
            value={query}
            // Typing adds no entries to the history.
            onChange={({ target }) => setSearch({ q: target.value === '' ? null : target.value }, { replace: true })}
          />
        </search>
        <div className="mt-3 overflow-x-auto">
          <TabLinks
            label={t('kinds')}
            panel="search-panel"
            value={kind ?? 'all'}
            hrefOf={(value) => searchHref(query, searchKindOf(value))}
            tabs={tabs}
            className="max-md:justify-start! max-md:gap-4!"
          />
        </div>
        {read && read.of - read.to > BEHIND ? (
          <p role="status" className="mt-3 text-table text-waiting">
            {t('reading', { to: read.to, of: read.of })}
          </p>
        ) : null}
        <div
          ref={list}
          id="search-panel"
          role="tabpanel"
          aria-label={kind ? t(`kind.${kind}`) : t('all')}
          aria-busy={isSearching}
        >
          {query.trim() === '' ? (
            <EmptyState isInColumn title={t('empty')} icon={<Search />} action={<HelpLink part="words" />}>
              {t('emptyWhy')}
            </EmptyState>
          ) : fault ? (
            <FaultState title={t('broken')} fault={fault} />
          ) : isSearching && hits.length === 0 ? (
            <Skeleton lines={6} className="px-0!" />
          ) : hits.length === 0 ? (
            <EmptyState
              isInColumn
              title={t('nothing', { wish: query })}
              icon={<Search />}
              action={<HelpLink part="words" />}
            >
              {t('nothingWhy')}
            </EmptyState>
          ) : (
            hitGroupsOf(hits).map((group) => <Group key={group.kind} {...group} query={query} isAll={kind === null} />)
          )}
          {more && kind !== null ? (
            <Button className="mt-3" onClick={more}>
              {t('more')}
            </Button>
          ) : null}
        </div>
        <p role="status" className="sr-only">
          {query.trim() !== '' && !isSearching ? t('count', { count: hits.length }) : ''}
        </p>
      </div>
    </div>
  )
}

type GroupProps = { kind: SearchKind; hits: readonly SearchHit[]; query: string; isAll: boolean }

function Group({ kind, hits, query, isAll }: GroupProps) {
  const t = useTranslations('search')
  return (
    <section aria-label={t(`kind.${kind}`)} className="mt-5">
      {isAll ? (
        <h2 className="mb-1 flex items-center justify-between gap-3 text-table font-medium text-t2">
          {t(`kind.${kind}`)}
          {hits.length === OF_EACH ? (
            <Link href={searchHref(query, kind)} className="link text-meta font-normal">
              {t(`allOf.${kind}`)}
            </Link>
          ) : null}
        </h2>
      ) : null}
      <ul className="flex flex-col">
        {hits.map((hit) => (
          <Line key={hit.id} hit={hit} query={query} />
        ))}
      </ul>
    </section>
  )
}

function Line({ hit, query }: { hit: SearchHit; query: string }) {
  const { kind, id, title, text, taskName, at } = hit
  const isNamed = kind === 'task' || kind === 'agent'
  const Icon = HIT_ICONS[kind]
  const [name, task] = [taskTitle(title), taskTitle(taskName)]
  const link = (
    <Link
      data-row
      href={hrefOf(hit) ?? '/'}
      className="after:absolute after:inset-0 hover:underline focus-visible:outline-none after:focus-visible:outline-2 after:focus-visible:outline-focus"
    >
      <Highlighted text={isNamed ? name : text} query={query} />
    </Link>
  )
  return (
    <li data-id={id} data-kind={kind} className="relative border-b border-line py-2 hover:bg-hover">
      <ItemLine
        mark={<Icon />}
        name={isNamed ? link : name}
        place={isNamed || task === name ? undefined : task}
        isNew={isNamed}
        end={at > 0 ? <TimeText at={at} /> : null}
      >
        {isNamed ? text !== '' && text !== title && <Highlighted text={text} query={query} /> : link}
      </ItemLine>
    </li>
  )
}

function Highlighted({ text, query }: { text: string; query: string }) {
  const places = matchRanges(text, query)
  return (
    <>
      {places.map(([from, to], at) => (
        <Fragment key={from}>
          {text.slice(places[at - 1]?.[1] ?? 0, from)}
          <mark className="rounded-[2px] bg-sel text-t1">{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(places.at(-1)?.[1] ?? 0)}
    </>
  )
}
