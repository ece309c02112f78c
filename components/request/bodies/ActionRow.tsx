/** The buttons of a card: below it, or where the card's place wants them. */
import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** Where the buttons are drawn: the foot of the urgent dialog. null: it is not drawn yet; undefined: below the card. */
export const ActionSlot = createContext<HTMLElement | null | undefined>(undefined)

export function ActionRow({ children }: { children: ReactNode }) {
  const slot = useContext(ActionSlot)
  if (slot === undefined) return <div className="mt-2.5 flex flex-wrap items-center gap-2">{children}</div>
  return slot && createPortal(children, slot)
}
