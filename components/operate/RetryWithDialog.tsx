/** A failed tool call is done again with arguments that a person changed. */
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client/drafts'
import { useApiQuery } from '@/client/queries'
import { CallEditor, useComparedFile, WithComparisons } from '@/components/request/bodies/CallEditor'
import { useEditing } from '@/components/request/bodies/useEditing'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { FaultState, Loading } from '@/components/ui/States'
import { isSameValue } from '@/lib/json'
import type { StepId } from '@/lib/mas/ids'
import type { StepArguments } from '@/lib/wire'
import { retryStepWithAct } from './acts'
import { FormDialog } from './FormDialog'

type RetryWithDialogProps = {
  step: StepId
  /** Of the agent that runs it again. */
  who: string
  /** `<server>.<tool>` */
  tool: string
  onClose: () => void
}

export default function RetryWithDialog({ step, who, tool, onClose }: RetryWithDialogProps) {
  const t = useTranslations('operate')
  const path = `/api/steps/${encodeURIComponent(step)}/arguments`
  const { data: given = null, error, refetch } = useApiQuery<StepArguments>(path)
  const edited = useDraft(`${retryStepWithAct(step, null).place}.edited`)
  const editing = useEditing(edited, given)
  const { args, trouble } = editing
  const compared = useComparedFile(given === null ? null : args)
  const isChanged = given !== null && !isSameValue(args, given.json)
  const written = isChanged ? JSON.stringify(args, null, 2) : null
  return (
    <FormDialog
      isWide
      title={t('retryWithTitle')}
      action={t('retryWithAct')}
      missing={given === null ? t('retryWithNone') : trouble === null ? null : t('retryWithWrong')}
      act={retryStepWithAct(step, written)}
      besides={written ?? ''}
      done={t('done.retryStep')}
      onDone={edited.clear}
      onClose={onClose}
    >
      <p>{t('retryWithWhat', { who, tool })}</p>
      {error !== null ? (
        <FaultState title={t('retryWithNone')} fault={error} onRetry={refetch} />
      ) : given === null ? (
        <Loading lines={4} className="p-0!" />
      ) : (
        <WithComparisons {...compared} args={args} proposed={given.json}>
          <CallEditor {...editing} wrong={trouble} hasFocus />
          <OtherDraft draft={edited} />
        </WithComparisons>
      )}
    </FormDialog>
  )
}
