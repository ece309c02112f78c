/**
 * What lies over the page and holds the focus: dialogs, questions, sheets.
 *
 * All are controlled. The focus returns to what opened them; if that is gone, to what `focusAfter` names.
 */
import type { ReactNode } from 'react'
import type { TextDraft } from '@/client/drafts'
import { useLazy } from './lazy'
import { dialogBody } from './loaders'

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
  /** The heading's words; the dialog is named by them. It gets the first focus unless `focusFirst` says otherwise. */
  title: ReactNode
  head?: ReactNode
  focusFirst?: () => HTMLElement | null
  /** Urgent: red edge, above toasts. */
  isUrgent?: boolean
  onEscape?: () => void
}

export type ConfirmDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The question: "Release this wait?" */
  title: string
  /** What happens, to whom, what is lost, whether it can be undone. */
  children: ReactNode
  /** The acting button's word. */
  action: string
  /** The word of the way back, where "Cancel" could be taken for the act. */
  dismiss?: string
  /** Label of the reason box; without it no reason is asked for. */
  reasonLabel?: string
  isReasonNeeded?: boolean
  /** Where the reason is kept while it is not sent; without it, it goes with the dialog. */
  draft?: TextDraft
  /** Why it could not be done: the dialog stays, and the reason with it. */
  failure?: string | null
  onConfirm: (reason: string) => void | Promise<void>
  focusAfter?: () => HTMLElement | null
}

type Overlay = Pick<DialogProps, 'isOpen' | 'onOpenChange'>
const useBody = ({ isOpen, onOpenChange }: Overlay) => useLazy(dialogBody, isOpen, () => onOpenChange(false))

/** A modal dialog with a title, a close button and a body that scrolls. */
export function Dialog(props: DialogProps) {
  const body = useBody(props)
  return body && <body.DialogBody {...props} />
}

/** A dialog that must be dealt with: a press outside does not close it. */
export function AlertDialog(props: AlertDialogProps) {
  const body = useBody(props)
  return body && <body.AlertDialogBody {...props} />
}

/** Ask before something that cannot be taken back. First focus "Cancel"; Esc cancels. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const body = useBody(props)
  return body && props.isOpen ? <body.ConfirmDialogBody {...props} /> : null
}

/** A panel from the right edge (or the lower edge on a phone), modal. The inspector of the frame is no Sheet: it does not hold the focus. */
export function Sheet(props: DialogProps) {
  const body = useBody(props)
  return body && <body.SheetBody {...props} />
}
