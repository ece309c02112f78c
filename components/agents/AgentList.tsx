/** The list beside a profile: everyone, with what they do now. */
import { useTranslations } from 'use-intl'
import { useRows, useViewStatus } from '@/client'
import { Link, pathTo } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { cx } from '@/components/ui/cx'
import { useKindName } from '@/components/ui/marks/Avatar'
import { LiveAvatar } from '@/components/ui/marks/presence'
import { Skeleton } from '@/components/ui/States'
import { AgentState } from './AgentCells'

/** Longer lists are left to the table. */
const MOST = 300

export default function AgentList({ params }: ScreenProps) {
  const t = useTranslations('agents')
  const nameOf = useKindName()
  const rows = useRows('agents')
  const { status } = useViewStatus('agents')
  return (
    <>
      <div className="flex h-12 shrink-0 items-center border-b border-line px-3">
        <Link href={pathTo('agents')} className="link text-table">
          {t('everyone')}
        </Link>
      </div>
      {status === 'loading' ? (
        <Skeleton lines={6} />
      ) : (
        <nav aria-label={t('title')} className="min-h-0 grow overflow-y-auto py-1">
          {rows.slice(0, MOST).map((row) => (
            <Link
              key={row.id}
              href={pathTo('agent', { agentId: row.id })}
              aria-label={nameOf(row.who)}
              aria-current={row.id === params.agentId ? 'page' : undefined}
              data-id={row.id}
              data-kind="agent"
              data-state={row.state}
              className={cx(
                'flex min-h-row min-w-0 items-center gap-2 px-3 -outline-offset-2 touch:min-h-11',
                row.id === params.agentId ? 'bg-sel font-medium' : 'hover:bg-hover',
              )}
            >
              <LiveAvatar who={row.who} size={20} />
              <span className="cut grow">{row.who.name}</span>
              {row.who.kind === 'human' && row.chip === 'idle' ? (
                row.queue > 0 ? (
                  <span className="text-meta font-normal text-t3">{row.queue}</span>
                ) : null
              ) : (
                <AgentState row={row} isNarrow />
              )}
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}
