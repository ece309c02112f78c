/** The filter of a conversation: `?q=` of the address, the key `/`, a button and a menu entry. */
import { Search } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import { useCalledPart } from '@/client/actions/heldKeys'
import { useAction } from '@/client/actions/keyboard'
import { setSearch, useSearchParam } from '@/client/nav'
import { Button, IconButton } from '@/components/ui/Button'
import { useLazy } from '@/components/ui/lazyFile'
import type { MenuEntry } from '@/components/ui/overlays/Menu'
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
  const { shortcuts } = useActionLook()('search', 'conversation')
  // An open filter box listens to the key itself.
  useAction('search', 'conversation', { label, run: isOpen ? null : call })
  return {
    /** The entries that fit, in their order; null: no filter. */
    fitting,
    box:
      isOpen && filter !== null ? (
        <filter.default words={words} count={fitting?.length ?? 0} called={called} onClose={end} />
      ) : null,
    button: (
      <IconButton
        className="max-md:hidden"
        icon={<Search />}
        label={label}
        aria-keyshortcuts={shortcuts}
        onClick={call}
      />
    ),
    entry: { kind: 'action', action: 'search', label, onSelect: call } satisfies MenuEntry,
    /** In place of the conversation when nothing fits; null: no filter. */
    empty: fitting && <EmptyState title={t('nothingFits')} action={<Button onClick={end}>{t('filterEnd')}</Button>} />,
  }
}

export type NarrowedChat = ReturnType<typeof useChatFilter>
