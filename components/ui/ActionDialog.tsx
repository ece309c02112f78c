/** A dialog with one act: its button is off while something is missing, and while the act is under way. */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from './Button'
import { Dialog } from './overlays/Dialog'
import { ActionButton } from './ServerButton'

type ActionDialogProps = {
  title: string
  action: string
  /** Why it is not possible yet; null: it is. */
  missing: string | null
  /** out: whether it was done; the dialog closes */
  act: () => Promise<boolean>
  onClose: () => void
  children: ReactNode
}

export function ActionDialog({ title, action, missing, act, onClose, children }: ActionDialogProps) {
  const t = useTranslations('common')
  const actAndClose = async (): Promise<void> => {
    if (await act()) onClose()
  }
  const buttons = (
    <>
      <ActionButton look="primary" isDisabled={missing !== null} reason={missing ?? undefined} act={actAndClose}>
        {action}
      </ActionButton>
      <Button onClick={onClose}>{t('cancel')}</Button>
    </>
  )
  return (
    <Dialog isOpen onOpenChange={onClose} title={title} foot={buttons}>
      {children}
    </Dialog>
  )
}
