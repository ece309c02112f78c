import { useTranslations } from 'use-intl'
import type { TextDraft } from '@/client'
import { ArgumentsView } from '@/components/request/bodies/ArgumentsView'
import { ConfirmDialog } from '@/components/ui/overlays/Dialog'
import { Scrolled } from '@/components/ui/text/Scrolled'
import type { Arguments } from './toolDraft'

type RunDialogProps = {
  name: string
  /** null: no question is open. */
  call: { args: Arguments } | null
  taskName: string
  draft: TextDraft
  failure: string | null
  onClose: () => void
  onConfirm: (reason: string) => Promise<void>
}

export function RunDialog({ name, call, taskName, draft, failure, onClose, onConfirm }: RunDialogProps) {
  const t = useTranslations('tools')
  return (
    <ConfirmDialog
      isOpen={call !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={t('confirmTitle', { call: name })}
      action={t('confirmAct')}
      reasonLabel={t('confirmReason')}
      draft={draft}
      failure={failure}
      onConfirm={onConfirm}
    >
      <p>{t('confirmWhat', { task: taskName })}</p>
      {call === null ? null : (
        <Scrolled label={t('confirmArguments')} className="mt-2 max-h-72 overflow-auto rounded-control bg-s3 px-3 py-2">
          {Object.keys(call.args).length === 0 ? (
            <p className="text-table text-t3">{t('noArguments')}</p>
          ) : (
            <ArgumentsView given={{ json: call.args, text: JSON.stringify(call.args) }} />
          )}
        </Scrolled>
      )}
    </ConfirmDialog>
  )
}
