/** A dialog with one line of text to copy, such as a link that is shown once. */
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../Button'
import { copyText } from '../copyText'
import { TextField } from '../fields/TextField'
import { Dialog } from './Dialog'

type CopyDialogProps = { title: string; text: string; action: string; onClose: () => void; children: ReactNode }

/** in: action: the words of the button that copies */
export function CopyDialog({ title, text, action, onClose, children }: CopyDialogProps) {
  const t = useTranslations('common')
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={title}
      foot={
        <>
          <Button look="primary" onClick={() => copyText(text, t('copied'))}>
            {action}
          </Button>
          <Button onClick={onClose}>{t('close')}</Button>
        </>
      }
    >
      {children}
      <TextField
        label={title}
        isLabelHidden
        readOnly
        value={text}
        onFocus={(event) => event.target.select()}
        className="font-mono text-table"
      />
    </Dialog>
  )
}
