import { withLaterWords } from '@/components/ui/laterWords'
import { lazyDialog, lazyPart } from '@/components/ui/lazyPart'
import { Loading } from '@/components/ui/States'

export const ChangeDialog = lazyDialog(withLaterWords(() => import('./ChangeDialog')))
export const ChangeLinks = lazyPart(withLaterWords(() => import('./ChangeLinks')))
export const ExportDialog = lazyDialog(withLaterWords(() => import('./ExportDialog')))
export const FilePreview = lazyPart(
  withLaterWords(() => import('./FilePreview')),
  { fallback: () => <Loading lines={4} className="px-0!" /> },
)
export const TaskResultRegion = lazyPart(withLaterWords(() => import('./TaskResult')))
