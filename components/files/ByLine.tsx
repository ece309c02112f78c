/** Who left a file so: the name, linked to the step or the task where the reader may open it. */
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import type { FileBy } from '@/lib/wire'

export function ByLine({ by }: { by: Pick<FileBy, 'name' | 'task' | 'step'> }) {
  const t = useTranslations('files')
  const { name, task, step } = by
  if (task === null) return <span>{name}</span>
  const href = step === null ? pathTo('task', { taskId: task }) : pathTo('step', { taskId: task, stepId: step })
  return (
    <Link href={href} aria-label={t(step === null ? 'byInTask' : 'byInStep', { name })} className="link relative z-1">
      {name}
    </Link>
  )
}
