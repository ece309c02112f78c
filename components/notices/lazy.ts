import { lazyFile } from '@/components/ui/lazyFile'

export const noticesPanel = lazyFile(() => import('./NoticesPanel'))
