/**
 * What was said here, narrowed by words: the box, how much fits, the way to the search of everything. Fetched with the
 * first press.
 */
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo, setSearch } from '@/client/nav'
import type { Called } from '@/components/shell/keyboard'
import { IconButton } from '@/components/ui/Button'
import { FilterBox } from '@/components/ui/FilterBox'
import type { SenderId } from '@/lib/mas/ids'
import type { ChatEntry } from './fns/lines'

/** All words, each anywhere in what was said or in the names of who said it to whom. */
export function fitsOf(words: string, nameOf: (id: SenderId) => string): (entry: ChatEntry) => boolean {
  const wanted = words.toLowerCase().split(/\s+/u).filter(Boolean)
  return (entry) => {
    const said = textOf(entry, nameOf).toLowerCase()
    return wanted.every((word) => said.includes(word))
  }
}

function textOf(entry: ChatEntry, nameOf: (id: SenderId) => string): string {
  switch (entry.kind) {
    case 'bubble': {
      const files = entry.messages.flatMap(({ attachments }) => attachments.map(({ name }) => name))
      return [nameOf(entry.sender), ...entry.receivers.map(nameOf), entry.text, ...files].join('\n')
    }
    case 'system':
      return entry.text
    case 'request':
      return `${nameOf(entry.request.asker)}\n${entry.request.question}`
  }
}

export default function ChatFilter({
  words,
  count,
  called,
  onClose,
}: {
  words: string
  /** How many entries fit. */
  count: number
  /** It was opened here and not by an address: the box takes the focus, and what was typed before it came. */
  called: Called | null
  onClose: () => void
}) {
  const t = useTranslations('chat')
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (called === null) return
    // Joins the focus and the address: whoever opened it goes on typing.
    const typed = called.typed()
    if (typed !== '') setSearch({ q: typed }, { replace: true })
    bar.current?.querySelector('input')?.focus()
  }, [called])
  return (
    <search
      ref={bar}
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-5 py-2 max-md:px-4"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      {/* On a phone: the box and its end, below them how much fits and the way on. It is ended by one sign, not by the browser's too. */}
      <span className="w-70 max-w-full max-md:w-[calc(100%-4rem)] max-md:grow [&_input::-webkit-search-cancel-button]:hidden">
        <FilterBox label={t('filter')} />
      </span>
      <span role="status" className="text-meta text-t3 max-md:order-1">
        {words === '' ? '' : t('filtered', { count })}
      </span>
      <span className="grow max-md:order-1" />
      <Link
        href={`${pathTo('search')}${words === '' ? '' : `?q=${encodeURIComponent(words)}`}`}
        className="link text-table max-md:order-1"
      >
        {t('searchAll')}
      </Link>
      <IconButton icon={<X aria-hidden />} label={t('filterEnd')} onClick={onClose} />
    </search>
  )
}
