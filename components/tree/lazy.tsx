import { lazyScreen } from '@/components/ui/lazyPart'

export const TaskTree = lazyScreen(() => import('@/components/tree'))
