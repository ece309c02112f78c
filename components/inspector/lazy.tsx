import { withLaterWords } from '@/components/ui/laterWords'
import { lazyScreen } from '@/components/ui/lazyPart'

export const Inspector = lazyScreen(withLaterWords(() => import('.')))
