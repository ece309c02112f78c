import { lazyFile } from '@/components/ui/lazyFile'

export const palette = lazyFile(() => import('./CommandPalette'))
