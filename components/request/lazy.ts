import { lazyFile } from '@/components/ui/lazyFile'

export const attachedFileList = lazyFile(() => import('./AttachedFileList'))
export const cardDialogs = lazyFile(() => import('./CardDialogs'))
export const cardRare = lazyFile(() => import('./LazyCardParts'))
export const decisionBody = lazyFile(() => import('./DecisionBody'))
