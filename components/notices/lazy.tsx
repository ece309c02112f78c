import { lazyPart } from '@/components/ui/lazyPart'

export const NoticesPanel = lazyPart(() => import('./NoticesPanel'))
