import { useTranslations } from 'use-intl'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { KeysTable } from './KeysTable'

/** A lazy file. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('keys')
  return (
    <Dialog isOpen onOpenChange={onClose} title={t('title')}>
      <KeysTable />
    </Dialog>
  )
}
