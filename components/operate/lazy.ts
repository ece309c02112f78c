import { laterFile, lazyFile } from '@/components/ui/lazyFile'

export const taskDialogs = lazyFile(() => import('./TaskDialogs'))
export const makeTaskDialog = lazyFile(() => import('./MakeTask'))
export const retryWithDialog = laterFile(() => import('./RetryWithDialog'))
