import { laterFile } from '@/components/ui/lazyFile'

export const momentBar = laterFile(() => import('.'))
export const momentComparison = laterFile(() => import('./MomentComparison'))
