/** Asking before a tool runs that may change something: exactly what would run, where, and why it is done. */
import { useTranslations } from 'use-intl'
import type { TextDraft } from '@/client'
import { ArgumentsView } from '@/components/request/ArgumentsView'
import { ConfirmDialog } from '@/components/ui/Dialog'
import type { Arguments } from './toolDraft'

export function RunDialog({
  call,
  wish,
  taskName,
  draft,
  failure,
  onClose,
  onConfirm,
}: {
  /** db.write */
  call: string
  /** null: nothing is asked. */
  wish: { args: Arguments } | null
  taskName: string
  /** Of the reason. */
  draft: TextDraft
  failure: string | null
  onClose: () => void
  onConfirm: (reason: string) => Promise<void>
}) {
  const t = useTranslations('tools')
  return (
    <ConfirmDialog
      isOpen={wish !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={t('confirmTitle', { call })}
      action={t('confirmAct')}
      reasonLabel={t('confirmReason')}
      draft={draft}
      failure={failure}
      onConfirm={onConfirm}
    >
      <p>{t('confirmWhat', { task: taskName })}</p>
      {wish === null ? null : (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by itself, so keys must reach it.
          tabIndex={0}
          aria-label={t('confirmArguments')}
          className="mt-2 max-h-72 overflow-auto rounded-control bg-s3 px-3 py-2"
        >
          {Object.keys(wish.args).length === 0 ? (
            <p className="text-table text-t3">{t('noArguments')}</p>
          ) : (
            <ArgumentsView given={{ json: wish.args, text: JSON.stringify(wish.args) }} />
          )}
        </section>
      )}
    </ConfirmDialog>
  )
}
