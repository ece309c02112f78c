/**
 * Modal overlays: dialogs, confirmations, sheets.
 *
 * All are controlled. The focus returns to the opener; if that is gone, to what `focusAfter` names.
 */
import { AlertDialogBody, ConfirmDialogBody, DialogBody, SheetBody } from '../lazy'
import type { AlertDialogProps, ConfirmDialogProps, DialogProps } from './DialogBody'

/** A modal dialog with a title, a close button and a body that scrolls. */
export const Dialog = (props: DialogProps) => props.isOpen && <DialogBody {...props} />

/** A dialog that needs an answer: a press outside does not close it. */
export const AlertDialog = (props: AlertDialogProps) => props.isOpen && <AlertDialogBody {...props} />

/** A confirmation before an act on the server that cannot be undone. First focus "Cancel"; Esc cancels. */
export const ConfirmDialog = (props: ConfirmDialogProps) => props.isOpen && <ConfirmDialogBody {...props} />

/** A modal panel from the right edge (the lower edge on a phone). The inspector of the frame is no Sheet: it is not modal. */
export const Sheet = (props: DialogProps) => props.isOpen && <SheetBody {...props} />
