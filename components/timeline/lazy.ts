import { laterFile } from '@/components/ui/lazyFile'

export const taskTimeline = laterFile(() => import('@/components/timeline'))
