import { withLaterWords } from '@/components/ui/laterWords'
import { lazyBody, lazyDialog, lazyPart } from '@/components/ui/lazyPart'

export const PaneEdge = lazyPart(() => import('./PaneEdge'))
export const ConfirmPassword = lazyDialog(() => import('./ConfirmPassword'))
export const KeysDialog = lazyDialog(() => import('./keys/KeysDialog'))
export const ConnectionPanel = lazyPart(() => import('./connection/ConnectionPanel'))
export const MemberMenu = lazyBody(withLaterWords(() => import('./MemberMenu')))
export const MoreSheet = lazyDialog(() => import('./navigation/MoreSheet'))
export const viewCache = () => import('@/client/views/viewCache')
