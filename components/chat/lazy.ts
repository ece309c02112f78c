import { laterFile, lazyFile } from '@/components/ui/lazyFile'

export const answerFor = lazyFile(() => import('./message/AnswerFor'))
export const attachmentStrip = lazyFile(() => import('./composer/AttachmentStrip'))
export const chatFilter = lazyFile(() => import('./ChatFilter'))
export const groupDialog = laterFile(() => import('./composer/SaveGroup'))
export const memberList = lazyFile(() => import('./composer/MemberList'))
export const queuedFor = lazyFile(() => import('./message/QueuedFor'))
export const deliveriesDialog = lazyFile(() => import('./message/DeliveriesDialog'))
export const savedConversation = lazyFile(() => import('./saveConversation'))
export const selectionBar = lazyFile(() => import('./SelectionBar'))
export const toOutside = lazyFile(() => import('./message/ToOutside'))
export const unsentText = lazyFile(() => import('./composer/UnsentText'))
export const voiceRecorder = lazyFile(() => import('@/client/recorder'))
