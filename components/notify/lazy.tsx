import { withLaterWords } from '@/components/ui/laterWords'
import { lazyPart } from '@/components/ui/lazyPart'

export const DndPanel = lazyPart(withLaterWords(() => import('./DndPanel')))
