import { withLaterWords } from '@/components/ui/laterWords'
import { lazyDialog, lazyPart } from '@/components/ui/lazyPart'

export const AnswerFor = lazyPart(() => import('./message/AnswerFor'))
export const attachmentFile = () => import('./composer/AttachmentStrip')
export const AttachmentStrip = lazyPart(attachmentFile)
export const GroupDialog = lazyDialog(withLaterWords(() => import('./composer/SaveGroup')))
export const MemberList = lazyPart(() => import('./composer/MemberList'))
export const QueuedFor = lazyPart(() => import('./message/QueuedFor'), { fallback: () => <span aria-busy="true" /> })
export const DeliveriesDialog = lazyDialog(() => import('./message/DeliveriesDialog'))
export const savedConversation = () => import('./saveConversation')
export const selectionFile = () => import('./SelectionBar')
export const SelectionBar = lazyPart(selectionFile)
export const ToOutside = lazyPart(() => import('./message/ToOutside'))
export const UnsentText = lazyPart(() => import('./composer/UnsentText'))
export const voiceRecorder = () => import('@/client/recorder')
