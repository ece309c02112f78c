/** The filter of a conversation: `?q=` of the address, the key `/`, a button and a menu entry. */
import { Search } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { setSearch, useSearchParam } from '@/client/nav'
import { useCalledPart, useKey } from '@/components/shell/keys/keyboard'
import { Button, IconButton } from '@/components/ui/Button'
import { useLazy } from '@/components/ui/lazyFile'
import { EmptyState } from '@/components/ui/States'
import type { ChatEntry } from './fns/lines'
import { chatFilter } from './lazy'
import type { ChatPeople } from './useTaskWorld'

/** in: people: the same object while nothing of them changed, or every render filters again */
export function useChatFilter(entries: readonly ChatEntry[], people: ChatPeople) {
  const t = useTranslations('chat')
  const words = useSearchParam('q') ?? ''
  const { called, call, leave } = useCalledPart()
  const isOpen = called !== null || words !== ''
  const end = (): void => {
    leave()
    setSearch({ q: null }, { replace: true })
  }
  const filter = useLazy(chatFilter, isOpen, end)
  const fitting = useMemo(
    () => (filter === null || words === '' ? null : entries.filter(filter.fitsOf(words, (id) => people.who(id).name))),
    [filter, words, entries, people],
  )
  const label = t('filter')
  // An open filter box listens to the key itself.
  useKey('/', label, isOpen ? null : call)
  return {
    /** The entries that fit, in their order; null: no filter. */
    fitting,
    box:
      isOpen && filter !== null ? (
        <filter.default words={words} count={fitting?.length ?? 0} called={called} onClose={end} />
      ) : null,
    button: <IconButton className="max-md:hidden" icon={<Search />} label={label} onClick={call} />,
    entry: { label, icon: <Search />, chord: '/', onSelect: call },
    /** In place of the conversation when nothing fits; null: no filter. */
    empty: fitting && <EmptyState title={t('nothingFits')} action={<Button onClick={end}>{t('filterEnd')}</Button>} />,
  }
}

export type NarrowedChat = ReturnType<typeof useChatFilter>
