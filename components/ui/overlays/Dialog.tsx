/**
 * Modal overlays: dialogs, confirmations, sheets.
 *
 * All are controlled. The focus returns to the opener; if that is gone, to what `focusAfter` names.
 */
import type { ReactNode } from 'react'
import type { TextDraft } from '@/client/drafts'
import { dialogBody } from '../lazy'
import { useLazy } from '../lazyFile'

export type DialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  children: ReactNode
  /** Buttons along the lower edge. */
  foot?: ReactNode
  /** Where the focus goes on closing when the opener is gone (the row's successor). */
  focusAfter?: () => HTMLElement | null
  className?: string
}

export type AlertDialogProps = Omit<DialogProps, 'title'> & {
  /** The heading, which names the dialog. It gets the first focus unless `focusFirst` says otherwise. */
  title: ReactNode
  icon?: ReactNode
  subtitle?: ReactNode
  head?: ReactNode
  focusFirst?: () => HTMLElement | null
  /** Urgent: red edge, above toasts. */
  isUrgent?: boolean
}

/** title: the question, "Release this wait?"; children: what happens, to whom, what is lost, whether it can be undone */
export type ConfirmDialogProps = Omit<DialogProps, 'foot' | 'className'> & {
  action: string
  /** Label of the cancelling button, where "Cancel" could be taken for the act. */
  dismiss?: string
  /** Label of the reason box; without it no reason is asked for. */
  reasonLabel?: string
  isReasonNeeded?: boolean
  /** The draft of the reason; without one it is lost on closing. */
  draft?: TextDraft
  /** The error of the last attempt: the dialog stays open with the reason. */
  failure?: string | null
  onConfirm: (reason: string) => void | Promise<void>
}

type Overlay = Pick<DialogProps, 'isOpen' | 'onOpenChange'>
const useBody = ({ isOpen, onOpenChange }: Overlay) => useLazy(dialogBody, isOpen, () => onOpenChange(false))

/** A modal dialog with a title, a close button and a body that scrolls. */
export function Dialog(props: DialogProps) {
  const body = useBody(props)
  return body && <body.DialogBody {...props} />
}

/** A dialog that needs an answer: a press outside does not close it. */
export function AlertDialog(props: AlertDialogProps) {
  const body = useBody(props)
  return body && <body.AlertDialogBody {...props} />
}

/** A confirmation before an act on the server that cannot be undone. First focus "Cancel"; Esc cancels. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const body = useBody(props)
  return body && props.isOpen ? <body.ConfirmDialogBody {...props} /> : null
}

/** A modal panel from the right edge (the lower edge on a phone). The inspector of the frame is no Sheet: it is not modal. */
export function Sheet(props: DialogProps) {
  const body = useBody(props)
  return body && <body.SheetBody {...props} />
}
