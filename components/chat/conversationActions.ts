import { createContext, useContext } from 'react'
import { pathTo } from '@/client/nav'
import type { Bubble } from './fns/lines'

export const hrefOfBubble = ({ id, messages }: Bubble): string =>
  pathTo('message', { taskId: messages[0]?.task ?? '', messageId: id })

export type ConversationActions = {
  copyLink: (line: Bubble) => void
  copyMarkdown: (lines: readonly Bubble[]) => void
  unreadFrom: (line: Bubble) => void
  /** Keys of the selected lines; null: nothing is being selected. */
  selected: ReadonlySet<string> | null
  toggle: (line: Bubble) => void
  /** The conversation spans several tasks: each card names its own. */
  isTaskNamed: boolean
}

const ActionsContext = createContext<ConversationActions | null>(null)
export const ConversationActionsProvider = ActionsContext.Provider
/** null: outside of a conversation, where a card has no actions. */
export const useConversationActions = (): ConversationActions | null => useContext(ActionsContext)
