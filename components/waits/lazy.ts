import { laterFile } from '@/components/ui/lazyFile'

export const taskWaits = laterFile(() => import('./TaskWaits'))
