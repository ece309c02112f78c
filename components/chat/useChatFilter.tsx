/** The filter of a conversation: `?q=` of the address, the key `/`, a button and a menu entry. */
import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import { useAction } from '@/client/actions/keyboard'
import { setSearch, useSearchParam } from '@/client/nav'
import { Button, IconButton } from '@/components/ui/Button'
import type { MenuEntry } from '@/components/ui/overlays/Menu'
import { EmptyState } from '@/components/ui/States'
import { ChatFilter, fitsOf } from './ChatFilter'
import type { ChatEntry } from './fns/lines'
import type { ChatPeople } from './useTaskWorld'

/** in: people: the same object while nothing of them changed, or every render filters again */
export function useChatFilter(entries: readonly ChatEntry[], people: ChatPeople) {
  const t = useTranslations('chat')
  const words = useSearchParam('q') ?? ''
  const [isCalled, setCalled] = useState(false)
  const call = (): void => setCalled(true)
  const isOpen = isCalled || words !== ''
  const end = (): void => {
    setCalled(false)
    setSearch({ q: null }, { replace: true })
  }
  const fitting = useMemo(
    () => (words === '' ? null : entries.filter(fitsOf(words, (id) => people.who(id).name))),
    [words, entries, people],
  )
  const label = t('filter')
  const { shortcuts } = useActionLook()('search', 'conversation')
  // An open filter box listens to the key itself.
  useAction('search', 'conversation', { label, run: isOpen ? null : call })
  return {
    /** The entries that fit, in their order; null: no filter. */
    fitting,
    box: isOpen ? <ChatFilter words={words} count={fitting?.length ?? 0} isCalled={isCalled} onClose={end} /> : null,
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
