import { laterFile, lazyFile } from '@/components/ui/lazyFile'

export const answerForBody = lazyFile(() => import('./AnswerForBody'))
export const attachmentStrip = lazyFile(() => import('./AttachmentStrip'))
export const chatFilter = lazyFile(() => import('./ChatFilter'))
export const groupDialog = laterFile(() => import('./SaveGroup'))
export const memberList = lazyFile(() => import('./MemberList'))
export const queuedFor = lazyFile(() => import('./QueuedFor'))
export const receiptsDialog = lazyFile(() => import('./ReceiptsDialog'))
export const savedConversation = lazyFile(() => import('./saveConversation'))
export const selectionBar = lazyFile(() => import('./SelectionBar'))
export const toOutside = lazyFile(() => import('./ToOutside'))
export const unsentText = lazyFile(() => import('./UnsentText'))
export const voiceRecorder = lazyFile(() => import('@/client/recorder'))
