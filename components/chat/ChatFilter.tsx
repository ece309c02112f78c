/** The bar of the conversation filter: its box, the count of matches, the way to the search. */
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { messageText, questionText } from '@/client/readersWords'
import { IconButton } from '@/components/ui/Button'
import { FilterBox } from '@/components/ui/fields/FilterBox'
import { fitsWords } from '@/lib/format/fitsWords'
import type { SenderId } from '@/lib/mas/ids'
import { withHandoffWords } from '@/lib/protocols/harmony/handoff'
import type { ChatEntry } from './fns/lines'

/** Whether each of the words occurs in an entry: its text, the names of its people, its files. */
export function fitsOf(words: string, nameOf: (id: SenderId) => string): (entry: ChatEntry) => boolean {
  const has = fitsWords(words)
  return (entry) => has(searchTextOf(entry, nameOf))
}

function searchTextOf(entry: ChatEntry, nameOf: (id: SenderId) => string): string {
  switch (entry.kind) {
    case 'bubble': {
      const files = entry.messages.flatMap(({ attachments }) => attachments.map(({ name }) => name))
      const text = withHandoffWords(messageText(entry))
      return [nameOf(entry.sender), ...entry.receivers.map(nameOf), text, ...files].join('\n')
    }
    case 'system':
      return messageText(entry)
    case 'request':
      return `${nameOf(entry.request.asker)}\n${questionText(entry.request)}`
  }
}

type ChatFilterProps = {
  words: string
  /** How many entries match. */
  count: number
  /** It was opened by a key or button: the box takes the focus. */
  isCalled: boolean
  onClose: () => void
}

export function ChatFilter({ words, count, isCalled, onClose }: ChatFilterProps) {
  const t = useTranslations('chat')
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    // Joins the focus: the reader types on.
    if (isCalled) bar.current?.querySelector('input')?.focus()
  }, [isCalled])
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
      {/* The browser's own clear button is hidden: the bar has one. */}
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
      <IconButton icon={<X />} label={t('filterEnd')} onClick={onClose} />
    </search>
  )
}
