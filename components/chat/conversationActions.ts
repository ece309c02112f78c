/** What can be done with the messages of a conversation as a reader: copy, select, unread from here. */
import { createContext, useContext } from 'react'
import type { Bubble } from './fns/lines'

export type ConversationActions = {
  copyLink: (line: Bubble) => void
  copyMarkdown: (lines: readonly Bubble[]) => void
  unreadFrom: (line: Bubble) => void
  /** Keys of the lines that were picked; null: nobody is picking. */
  selected: ReadonlySet<string> | null
  toggle: (line: Bubble) => void
  /** Each card says which task it belongs to: the conversation goes over several. */
  isTaskNamed: boolean
}

const ActionsContext = createContext<ConversationActions | null>(null)
export const ConversationActionsProvider = ActionsContext.Provider
/** null: outside of a conversation, where a card only shows. */
export const useConversationActions = (): ConversationActions | null => useContext(ActionsContext)
