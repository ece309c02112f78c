import { withLaterWords } from '@/components/ui/laterWords'
import { lazyDialog } from '@/components/ui/lazyPart'

export const TeamFiles = lazyDialog(withLaterWords(() => import('./TeamFiles')))
