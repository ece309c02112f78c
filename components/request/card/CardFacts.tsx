/** Below the question of an open request: what it is about, its due time, who waits for it, and its evidence. */
import { Brain, MessageCircle, Wrench } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import { TimeText } from '@/components/ui/marks/Time'
import type { Evidence } from '@/lib/mas/records'
import type { RequestShown } from '../shown'
import { useNames } from '../useNames'
import type { CardPlace } from './CardFrame'
import { DueTime } from './DueTime'

const ICONS = { tool: Wrench, skill: Brain, message: MessageCircle } as const satisfies Record<
  Evidence['kind'],
  unknown
>

export function CardFacts({ shown: { request, holdsUp, about }, place }: { shown: RequestShown; place: CardPlace }) {
  const t = useTranslations('request')
  const namesOf = useNames()
  const { due, task } = request
  // The urgent dialog says at its foot who waits, and links to the task.
  const isDialog = place === 'dialog'
  const evidence = isDialog ? [] : (request.evidence ?? []).filter(({ id }) => id !== about?.id)
  const held = isDialog || holdsUp.agents.length < 2 ? [] : holdsUp.agents.map(({ name }) => name)
  return (
    <div className="mt-1.5 flex flex-col gap-1 text-table text-t2 empty:hidden">
      {/* The complete arguments of a call are below. */}
      {about?.kind === 'message' ? (
        <p className="max-w-[68ch] break-words">
          {t.rich('aboutLink', {
            text: about.text,
            a: (text) =>
              // Its foot opens the task; a link here would leave the dialog over the page.
              isDialog ? (
                text
              ) : (
                <Link key="a" href={pathTo('message', { taskId: task, messageId: about.id })} className="link">
                  {text}
                </Link>
              ),
          })}
        </p>
      ) : null}
      {due === undefined && held.length === 0 ? null : (
        <p className="flex flex-wrap gap-x-3">
          {due === undefined ? null : <DueTime at={due} />}
          {held.length === 0 ? null : <span>{t('holdsUp', { names: namesOf(held) })}</span>}
        </p>
      )}
      {evidence.length === 0 ? null : (
        <ul aria-label={t('evidence')} className="flex flex-wrap gap-x-3 gap-y-1">
          {evidence.map((one) => (
            <li key={one.id} className="max-w-full">
              <EvidenceLink one={one} task={task} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function EvidenceLink({ one, task: taskId }: { one: Evidence; task: string }) {
  const Icon = ICONS[one.kind]
  return (
    <Link
      href={
        one.kind === 'message'
          ? pathTo('message', { taskId, messageId: one.id })
          : pathTo('step', { taskId, stepId: one.id })
      }
      className="link flex items-center gap-1 touch:py-2"
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="cut">{one.name}</span>
      {one.kind === 'message' ? <TimeText at={one.at} isClock /> : null}
    </Link>
  )
}
