import { lazyFile } from '@/components/ui/lazyFile'

export const attachedFileList = lazyFile(() => import('./AttachedFileList'))
export const cardDialogs = lazyFile(() => import('./card/CardDialogs'))
export const cardRare = lazyFile(() => import('./card/LazyCardParts'))
export const decisionBody = lazyFile(() => import('./bodies/DecisionBody'))
