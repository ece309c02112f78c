/** Parts that come later and stand on more than one screen; one loader each, for the reason in components/ui/loaders.ts. */
import { lazyFile } from '@/components/ui/lazy'

/** Drawn where they stand, each by a Pane. */
export const loadDecisionBody = () => import('@/components/request/DecisionBody')
export const loadTaskTree = () => import('@/components/tree')
export const loadTaskWaits = () => import('@/components/waits/TaskWaits')
/** What is shown while the server is away. */
export const known = lazyFile(() => import('@/client/viewCache'))
/** Said by the screens of the directory. */
export const directoryWords = {
  en: lazyFile(() => import('@/messages/en.json?directory')),
  zh: lazyFile(() => import('@/messages/zh.json?directory')),
}
/** Drawn over the page once it is settled. */
export const paneEdge = lazyFile(() => import('./PaneEdge'))
/** Opened over the page. */
export const keysDialog = lazyFile(() => import('./KeysDialog'))
export const palette = lazyFile(() => import('@/components/palette/CommandPalette'))
export const memberList = lazyFile(() => import('@/components/chat/MemberList'))
export const chatFilter = lazyFile(() => import('@/components/chat/ChatFilter'))
export const cardDialogs = lazyFile(() => import('@/components/request/CardDialogs'))
export const groupDialog = lazyFile(() => import('@/components/chat/SaveGroup'))
export const receiptsDialog = lazyFile(() => import('@/components/chat/ReceiptsDialog'))
export const voiceRecorder = lazyFile(() => import('@/client/recorder'))
export const savedConversation = lazyFile(() => import('@/components/chat/saveConversation'))
export const selectionBar = lazyFile(() => import('@/components/chat/SelectionBar'))
export const attachmentStrip = lazyFile(() => import('@/components/chat/AttachmentStrip'))
export const taskDialogs = lazyFile(() => import('@/components/operate/TaskDialogs'))
/** Drawn with what few cards and messages have. */
export const cardRare = lazyFile(() => import('@/components/request/LazyCardParts'))
export const answerForBody = lazyFile(() => import('@/components/chat/AnswerForBody'))
export const unsentText = lazyFile(() => import('@/components/chat/UnsentText'))
export const toOutside = lazyFile(() => import('@/components/chat/ToOutside'))
export const queuedFor = lazyFile(() => import('@/components/chat/QueuedFor'))
