/**
 * Modal overlays: dialogs, confirmations, sheets.
 *
 * All are controlled. The focus returns to the opener; if that is gone, to what `focusAfter` names.
 */
import { dialogBody } from '../lazy'
import { useLazy } from '../lazyFile'
import type { AlertDialogProps, ConfirmDialogProps, DialogProps } from './DialogBody'

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
