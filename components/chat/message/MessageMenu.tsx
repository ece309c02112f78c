import { Copy, Ellipsis, ListChecks, PanelRight, RotateCcw } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { againHref } from '@/components/tasks/askAgain'
import { IconButton } from '@/components/ui/Button'
import { Checkbox } from '@/components/ui/fields/Choice'
import { Menu } from '@/components/ui/overlays/Menu'
import { hrefOfBubble, useConversationActions } from '../conversationActions'
import type { Bubble } from '../fns/lines'

/** isRequest: the message asked the base task for something, and may be asked again by its reader. */
export function MessageMenu({ bubble, isRequest }: { bubble: Bubble; isRequest: boolean }) {
  const t = useTranslations('chat')
  const acts = useConversationActions()
  if (acts === null) return null
  if (acts.selected !== null) {
    return (
      <Checkbox
        label={t('pick')}
        isLabelHidden
        isChecked={acts.selected.has(bubble.key)}
        onChange={() => acts.toggle(bubble)}
      />
    )
  }
  return (
    <span className="opacity-0 group-hover/card:opacity-100 group-focus-within/card:opacity-100 has-data-[state=open]:opacity-100 touch:hidden touch:group-focus-within/card:inline touch:has-data-[state=open]:inline">
      <Menu
        label={t('messageMenu')}
        trigger={<IconButton className="-my-1 size-6!" icon={<Ellipsis />} label={t('messageMenu')} />}
        entries={[
          { kind: 'action', action: 'copyLink', onSelect: () => acts.copyLink(bubble) },
          { label: t('copyMarkdown'), icon: <Copy />, onSelect: () => acts.copyMarkdown([bubble]) },
          {
            kind: 'link',
            label: t('inspect'),
            icon: <PanelRight />,
            href: `${hrefOfBubble(bubble)}?inspect=Message_${bubble.id}`,
          },
          isRequest
            ? {
                kind: 'link',
                label: t('askAgain'),
                icon: <RotateCcw />,
                href: againHref({ kind: 'message', id: bubble.id }),
                isAct: true,
              }
            : null,
          { label: t('pick'), icon: <ListChecks />, onSelect: () => acts.toggle(bubble) },
          { kind: 'action', action: 'unread', onSelect: () => acts.unreadFrom(bubble), isAct: true },
        ]}
      />
    </span>
  )
}
