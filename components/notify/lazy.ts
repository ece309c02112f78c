import { laterFile } from '@/components/ui/lazyFile'

export const dndPanel = laterFile(() => import('./DndPanel'))
