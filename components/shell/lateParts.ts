/** Parts that come later and stand on more than one screen; one loader each, for the reason in components/ui/loaders.ts. */
import { lateFile } from '@/components/ui/late'

/** Drawn where they stand, each by a Pane. */
export const loadDecisionBody = () => import('@/components/request/DecisionBody')
export const loadTaskTree = () => import('@/components/tree')
export const loadTaskWaits = () => import('@/components/waits/TaskWaits')
/** What is shown while the server is away. */
export const known = lateFile(() => import('@/client/known'))
/** Said by the screens of the directory. */
export const directoryWords = {
  en: lateFile(() => import('@/messages/en.json?directory')),
  zh: lateFile(() => import('@/messages/zh.json?directory')),
}
/** Drawn over the page once it is settled. */
export const paneEdge = lateFile(() => import('./PaneEdge'))
/** Opened over the page. */
export const keysDialog = lateFile(() => import('./KeysDialog'))
export const palette = lateFile(() => import('@/components/palette/CommandPalette'))
export const memberList = lateFile(() => import('@/components/chat/MemberList'))
export const chatFilter = lateFile(() => import('@/components/chat/ChatFilter'))
export const cardDialogs = lateFile(() => import('@/components/request/CardDialogs'))
export const groupDialog = lateFile(() => import('@/components/chat/SaveGroup'))
export const receiptsDialog = lateFile(() => import('@/components/chat/ReceiptsDialog'))
export const voiceRecorder = lateFile(() => import('@/client/recorder'))
export const savedConversation = lateFile(() => import('@/components/chat/saveConversation'))
export const selectionBar = lateFile(() => import('@/components/chat/SelectionBar'))
export const attachmentStrip = lateFile(() => import('@/components/chat/AttachmentStrip'))
export const taskDialogs = lateFile(() => import('@/components/operate/TaskDialogs'))
/** Drawn with what few cards and messages have. */
export const cardRare = lateFile(() => import('@/components/request/CardRare'))
export const answerForBody = lateFile(() => import('@/components/chat/AnswerForBody'))
export const unsentText = lateFile(() => import('@/components/chat/UnsentText'))
export const toOutside = lateFile(() => import('@/components/chat/ToOutside'))
export const queuedFor = lateFile(() => import('@/components/chat/QueuedFor'))
