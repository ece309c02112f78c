/** The layer of what is being drawn: menus, lists and panels open in that of the dialog they belong to, and later in the page. */
import { createContext, useContext } from 'react'

type Layer = 'z-popover' | 'z-dialog' | 'z-urgent'
const LayerContext = createContext<Layer>('z-popover')

export const LayerProvider = LayerContext.Provider
export const useLayer = (): Layer => useContext(LayerContext)
