/** The receivers that "@" offers: people, agents, role groups, saved groups. The focus stays in the text box. */
import { BookmarkPlus, Users } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { menuRef } from '@/client/pageUse'
import { cx } from '@/components/ui/cx'
import { Avatar } from '@/components/ui/marks/Avatar'
import type { SenderId } from '@/lib/mas/ids'
import type { Who } from '@/lib/wire/rows'
import { type ReceiverChoice, SAVE_GROUP } from '../fns/members'

const KINDS = ['person', 'agent', 'outside', 'group', 'saved'] as const
const HEADS = {
  person: 'people',
  agent: 'agents',
  outside: 'requester',
  group: 'groups',
  saved: 'savedGroups',
} as const

type MemberListProps = {
  id: string
  choices: readonly ReceiverChoice[]
  active: string | null
  who: (id: SenderId) => Who
  onPick: (id: string) => void
  /** Offers to save the chosen ones as a group. */
  canSave: boolean
}

export default function MemberList({ id, choices, active, who, onPick, canSave }: MemberListProps) {
  const t = useTranslations('chat')
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => menuRef(list.current), [])
  useEffect(() => {
    // Joins the scroll: the chosen line stays in view.
    if (active)
      list.current?.querySelector(`[id="${CSS.escape(`${id}-${active}`)}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [active, id])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('members')}
      className="absolute inset-x-5 bottom-full z-popover mb-1 max-h-72 max-w-96 overflow-y-auto rounded-card border border-line bg-s2 p-1 shadow-overlay max-md:inset-x-4"
    >
      {KINDS.map((kind) => {
        const inKind = choices.filter((choice) => choice.kind === kind)
        if (inKind.length === 0) return null
        return (
          // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox is no fieldset.
          <div key={kind} role="group" aria-label={t(HEADS[kind])}>
            <p aria-hidden className="px-2.5 pt-1.5 pb-0.5 text-meta text-t3">
              {t(HEADS[kind])}
            </p>
            {inKind.map((choice) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text box's, which keeps the focus.
              <div
                key={choice.id}
                id={`${id}-${choice.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={choice.id === active}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onPick(choice.id)}
                className={cx(
                  'flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2.5 text-table hover:bg-hover touch:min-h-11',
                  choice.id === active && 'bg-sel',
                )}
              >
                {'members' in choice ? (
                  <>
                    <Users className="size-5 p-0.5 text-t3" />
                    {`@${choice.name} · ${choice.members.length}`}
                  </>
                ) : (
                  <>
                    <Avatar who={who(choice.id)} size={20} />
                    <span>{choice.name}</span>
                    <span className="cut text-t3">{choice.role}</span>
                  </>
                )}
              </div>
            ))}
          </div>
        )
      })}
      {canSave ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text box's, which keeps the focus.
        <div
          id={`${id}-${SAVE_GROUP}`}
          role="option"
          tabIndex={-1}
          aria-selected={active === SAVE_GROUP}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(SAVE_GROUP)}
          className={cx(
            'mt-1 flex min-h-8 cursor-pointer items-center gap-2 rounded-control border-t border-line px-2.5 text-table hover:bg-hover touch:min-h-11',
            active === SAVE_GROUP && 'bg-sel',
          )}
        >
          <BookmarkPlus className="size-5 p-0.5 text-t3" />
          {t('saveGroup')}
        </div>
      ) : null}
    </div>
  )
}
