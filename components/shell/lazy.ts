import { lazyFile } from '@/components/ui/lazyFile'

export const paneEdge = lazyFile(() => import('./PaneEdge'))
export const keysDialog = lazyFile(() => import('./KeysDialog'))
/** Views for offline use. */
export const viewCache = lazyFile(() => import('@/client/viewCache'))
