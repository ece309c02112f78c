import { withLaterWords } from '@/components/ui/laterWords'
import { lazyScreen } from '@/components/ui/lazyPart'

export const TaskTimeline = lazyScreen(withLaterWords(() => import('@/components/timeline')))
