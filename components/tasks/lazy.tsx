import { withLaterWords } from '@/components/ui/laterWords'
import { lazyDialog } from '@/components/ui/lazyPart'

export const AskDialog = lazyDialog(withLaterWords(() => import('./AskDialog')))
