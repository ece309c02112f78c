/** A dialog with one act: its button is off while something is missing, and while the act is under way. */
import { type ReactNode, useState } from 'react'
import { Dialog } from './overlays/Dialog'
import { ServerButton } from './ServerButton'

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
  const [isActing, setActing] = useState(false)
  const press = async (): Promise<void> => {
    setActing(true)
    if (await act()) onClose()
    setActing(false)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={title}
      foot={
        <ServerButton
          look="primary"
          isDisabled={missing !== null || isActing}
          reason={missing ?? undefined}
          onClick={() => void press()}
        >
          {action}
        </ServerButton>
      }
    >
      {children}
    </Dialog>
  )
}
