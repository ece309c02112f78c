import { lazyFile } from '@/components/ui/lazyFile'

export const paneEdge = lazyFile(() => import('./PaneEdge'))
export const keysDialog = lazyFile(() => import('./keys/KeysDialog'))
export const viewCache = lazyFile(() => import('@/client/views/viewCache'))
