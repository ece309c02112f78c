import { withLaterWords } from '@/components/ui/laterWords'
import { lazyDialog } from '@/components/ui/lazyPart'

export const TaskDialogs = lazyDialog(() => import('./TaskDialogs'))
export const RetryWithDialog = lazyDialog(withLaterWords(() => import('./RetryWithDialog')))
