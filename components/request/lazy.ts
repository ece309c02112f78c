import { laterFile, lazyFile } from '@/components/ui/lazyFile'

export const attachedFileList = lazyFile(() => import('./AttachedFileList'))
export const cardDialogs = lazyFile(() => import('./card/CardDialogs'))
export const cardRare = laterFile(() => import('./card/LazyCardParts'))
export const decisionBody = laterFile(() => import('./bodies/DecisionBody'))
