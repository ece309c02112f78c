/**
 * What was to be judged and has no judge, or has a person for one: the acts that decide it, each a link to its
 * question.
 */
import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import type { TaskActName } from '@/components/operate/taskActs'
import { buttonClass } from '@/components/ui/Button'
import type { RequestShown } from './shown'

const OF_STAGE: readonly TaskActName[] = ['finishStage', 'retryStage', 'makeManager']
const OF_TASK: readonly TaskActName[] = ['addStage', 'finishTask', 'makeManager']

export function JudgeBody({ shown: { request } }: { shown: RequestShown }) {
  const t = useTranslations('operate')
  const acts = request.stage === null ? OF_TASK : OF_STAGE
  return (
    <div className="mt-2.5 flex flex-wrap gap-2">
      {acts.map((act) => (
        <Link
          key={act}
          data-act={act === acts[0] ? 'reply' : undefined}
          href={`${pathTo('task', { taskId: request.task })}?act=${act}`}
          className={buttonClass('plain')}
        >
          {t(`act.${act}`)}
        </Link>
      ))}
    </div>
  )
}
