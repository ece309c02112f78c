import { withLaterWords } from '@/components/ui/laterWords'
import { lazyDialog, lazyPart } from '@/components/ui/lazyPart'

export const MomentBar = lazyPart(withLaterWords(() => import('.')))
export const MomentComparison = lazyDialog(withLaterWords(() => import('./MomentComparison')))
