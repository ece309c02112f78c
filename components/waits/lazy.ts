import { lazyFile } from '@/components/ui/lazyFile'

export const taskWaits = lazyFile(() => import('./TaskWaits'))
