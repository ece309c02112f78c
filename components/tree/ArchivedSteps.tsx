/** Steps of a task that have left the live world: found by member and words, each opens at its address. A lazy file. */
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { call } from '@/client/api'
import { Link, pathTo } from '@/client/nav'
import { Button } from '@/components/ui/Button'
import { Select } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { StatusChip } from '@/components/ui/marks/StatusChip'
import { TimeText } from '@/components/ui/marks/Time'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ErrorState, Loading } from '@/components/ui/States'
import type { StepPage } from '@/lib/wire'
import type { Who } from '@/lib/wire/rows'
import { type ArchivedPages, openArchivedPages } from './model/archivedPages'

type ArchivedStepsProps = { task: string; members: readonly Who[]; onClose: () => void }

/** ms after the last key before the server is asked. */
const TYPING_MS = 250
const EVERYONE = ''

export default function ArchivedSteps({ task, members, onClose }: ArchivedStepsProps) {
  const t = useTranslations('inspector.archived')
  const [agent, setAgent] = useState(EVERYONE)
  const [text, setText] = useState('')
  const { pages, more } = useArchivedSteps(task, agent, text)
  const names = new Map(members.map((who) => [who.id, who.name]))
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={t('title')}>
      <div className="grid gap-3 pb-3 md:grid-cols-2">
        <Select
          label={t('member')}
          value={agent}
          options={[
            { value: EVERYONE, label: t('everyone') },
            ...members.map((who) => ({ value: who.id, label: who.name })),
          ]}
          onChange={setAgent}
        />
        <TextField label={t('text')} value={text} onChange={(event) => setText(event.target.value)} />
      </div>
      {pages === null || (pages.isLoading && pages.steps.length === 0) ? (
        <Loading lines={6} className="px-0!" />
      ) : (
        <>
          {pages.steps.length > 0 || pages.why !== null ? null : (
            <p className="py-3 text-t2">{t(pages.next === null ? 'none' : 'noneYet')}</p>
          )}
          <ul aria-label={t('title')} className="flex flex-col">
            {pages.steps.map((step) => (
              <li key={step.id} className="flex min-w-0 items-center gap-2 border-b border-line py-1.5 text-table">
                <StatusChip state={step.state === 'failed' ? 'failed' : 'done'} raw={step.state} />
                <Link href={pathTo('step', { taskId: task, stepId: step.id })} className="link cut min-w-0 grow">
                  {step.intention || step.executor}
                </Link>
                <span className="shrink-0 text-meta text-t2">{names.get(step.agent)}</span>
                <TimeText at={step.endedAt ?? step.createdAt} className="shrink-0 text-meta text-t3" />
              </li>
            ))}
          </ul>
          {pages.why !== null ? (
            <ErrorState title={t('broken')} onRetry={more}>
              {pages.why}
            </ErrorState>
          ) : pages.next === null ? null : (
            <Button className="mt-3" isDisabled={pages.isLoading} onClick={more}>
              {t('more')}
            </Button>
          )}
        </>
      )}
    </Dialog>
  )
}

/** out: pages null: the first one is on its way */
function useArchivedSteps(task: string, agent: string, text: string) {
  const [pages, setPages] = useState<ArchivedPages | null>(null)
  const [pager] = useState(() =>
    openArchivedPages(
      (address, after) =>
        call<StepPage>('GET', after === null ? address : `${address}&after=${encodeURIComponent(after)}`),
      setPages,
    ),
  )
  const query = new URLSearchParams({ archived: 'yes', ...(agent === EVERYONE ? {} : { agent }), text: text.trim() })
  const wanted = `/api/tasks/${task}/steps?${query}`
  // Joins the server: what is archived is in no view.
  useEffect(() => {
    const timer = setTimeout(() => pager.search(wanted), TYPING_MS)
    return () => clearTimeout(timer)
  }, [pager, wanted])
  useEffect(() => pager.close, [pager])
  return { pages, more: pager.more }
}
