import { laterFile, lazyFile } from '@/components/ui/lazyFile'

export const taskDialogs = lazyFile(() => import('./TaskDialogs'))
export const retryWithDialog = laterFile(() => import('./RetryWithDialog'))
