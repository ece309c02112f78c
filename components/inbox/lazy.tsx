import { withLaterWords } from '@/components/ui/laterWords'
import { lazyDialog, lazyPart } from '@/components/ui/lazyPart'
import { Skeleton } from '@/components/ui/States'

export const FilterBar = lazyPart(withLaterWords(() => import('./FilterBar')))
export const SelectionActions = lazyPart(withLaterWords(() => import('./bulk/SelectionActions')))
export const SnoozedLine = lazyPart(withLaterWords(() => import('./SnoozedLine')))
export const TransferOffers = lazyPart(() => import('./transfer/TransferOffers'))
export const TransferDialog = lazyDialog(withLaterWords(() => import('./transfer/TransferDialog')))
export const FirstPage = lazyPart(withLaterWords(() => import('./FirstPage')))
export const OrphanedDrafts = lazyPart(withLaterWords(() => import('./OrphanedDrafts')))
export const OtherViews = lazyPart(
  withLaterWords(() => import('./OtherViews')),
  { fallback: () => <Skeleton lines={6} className="px-0!" /> },
)
export const UrgentDialog = lazyPart(() => import('./urgent/UrgentDialog'), { close: ({ onFold }) => onFold() })
