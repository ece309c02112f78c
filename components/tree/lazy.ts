import { lazyFile } from '@/components/ui/lazyFile'

export const taskTree = lazyFile(() => import('@/components/tree'))
