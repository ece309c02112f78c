import { laterFile, lazyFile } from '@/components/ui/lazyFile'

export const filterBar = laterFile(() => import('./FilterBar'))
export const selectionActions = laterFile(() => import('./bulk/SelectionActions'))
export const snoozedLine = laterFile(() => import('./SnoozedLine'))
export const transferOfferCards = lazyFile(() => import('./transfer/TransferOffers'))
export const transferDialog = laterFile(() => import('./transfer/TransferDialog'))
export const firstPage = laterFile(() => import('./FirstPage'))
export const orphanedDrafts = laterFile(() => import('./OrphanedDrafts'))
export const otherViews = laterFile(() => import('./OtherViews'))
export const urgentDialog = lazyFile(() => import('./urgent/UrgentDialog'))
