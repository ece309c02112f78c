import { laterFile } from '@/components/ui/lazyFile'

export const palette = laterFile(() => import('./CommandPalette'))
