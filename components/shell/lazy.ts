import { laterFile, lazyFile } from '@/components/ui/lazyFile'

export const paneEdge = lazyFile(() => import('./PaneEdge'))
export const passwordDialog = lazyFile(() => import('./ConfirmPassword'))
export const keysDialog = lazyFile(() => import('./keys/KeysDialog'))
export const connectionPanel = lazyFile(() => import('./connection/ConnectionPanel'))
export const memberMenu = laterFile(() => import('./MemberMenu'))
export const moreSheet = lazyFile(() => import('./navigation/MoreSheet'))
export const viewCache = lazyFile(() => import('@/client/views/viewCache'))
