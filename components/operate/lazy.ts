import { lazyFile } from '@/components/ui/lazyFile'

export const taskDialogs = lazyFile(() => import('./TaskDialogs'))
