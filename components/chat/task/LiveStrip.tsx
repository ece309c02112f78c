/** Who does what in a running task now, above its conversation. Its height stays while lines come and go. */
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { useMe } from '@/client/account/session'
import { browserStorage, namespacedStorage } from '@/client/storage'
import { Button, IconButton } from '@/components/ui/Button'
import { countsOf, firstOf, isBusy, membersIn, type WorkCounts } from '../fns/atWork'
import type { TaskWorld } from '../useTaskWorld'
import { LiveLine } from './LiveLine'
import { useKept } from './useKept'

/** More are shown when a person asks for them: each line is followed. */
const MOST_LINES = 5
/** The server lets a page follow no more. */
const MOST_FOLLOWED = 60
/** Up to so many lines, each has two lines of its text. */
const ROOMY_LINES = 3

export function LiveStrip({ task }: { task: TaskWorld }) {
  const t = useTranslations('chat.atWork')
  const members = membersIn(useRows(`timeline:${task.id}`))
  const kept = useKept(members.filter(isBusy).map(({ lane }) => lane.agent))
  const [isCollapsed, collapse] = useCollapsed()
  const [isAll, setAll] = useState(false)
  const lines = members.filter(({ lane }) => kept.has(lane.agent))
  if (lines.length === 0) return null
  const shown = firstOf(lines, isAll ? MOST_FOLLOWED : MOST_LINES)
  return (
    <section
      data-kind="live-strip"
      aria-label={t('title')}
      className="shrink-0 border-b border-line bg-s1 px-5 pt-1 pb-1.5 max-md:px-4"
    >
      <div className="flex h-7 items-center gap-2 text-meta text-t3 touch:h-11">
        <span className="cut grow">
          <b className="font-medium text-t2">{t('title')}</b> · <Counts counts={countsOf(members)} />
        </span>
        <IconButton
          icon={isCollapsed ? <ChevronDown /> : <ChevronUp />}
          label={t(isCollapsed ? 'expand' : 'collapse')}
          aria-expanded={!isCollapsed}
          onClick={() => collapse(!isCollapsed)}
        />
      </div>
      {isCollapsed ? null : (
        <>
          <ul className="max-h-[40vh] overflow-y-auto">
            {shown.map((member) => (
              <LiveLine
                key={member.lane.agent}
                member={member}
                isRoomy={shown.length <= ROOMY_LINES}
                pausedBy={pausedBy(task, member.lane.agent)}
              />
            ))}
          </ul>
          {lines.length > MOST_LINES ? (
            <Button look="quiet" className="-ml-2.5" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
              {isAll ? t('fewer') : t('more', { count: lines.length - shown.length })}
            </Button>
          ) : null}
        </>
      )}
    </section>
  )
}

function Counts({ counts }: { counts: WorkCounts }) {
  const t = useTranslations('chat.atWork')
  const parts = (['working', 'waiting', 'blocked'] as const).flatMap((state) =>
    counts[state] > 0 ? [t(state, { count: counts[state] })] : [],
  )
  return parts.length === 0 ? t('nobody') : parts.join(' · ')
}

/** Whose pause it is: the member's own, or that of the task. */
function pausedBy({ world, task, who }: TaskWorld, agent: keyof TaskWorld['world']['agents']) {
  const by = world.agents[agent]?.paused?.by ?? task?.paused?.by
  return by === undefined ? null : who(by)
}

/** Kept in this browser. */
function useCollapsed(): [isCollapsed: boolean, collapse: (isCollapsed: boolean) => void] {
  const member = useMe()?.person.agent_id ?? ''
  const storage = useMemo(() => namespacedStorage(browserStorage(), 'panes', member), [member])
  const [isCollapsed, setCollapsed] = useState(() => storage.read('atWork') === 'collapsed')
  return [
    isCollapsed,
    (next) => {
      setCollapsed(next)
      storage.write('atWork', next ? 'collapsed' : 'open')
    },
  ]
}
