/** Parts of screens that come later and stand on more than one screen; one loader each, for the reason in components/ui/loaders.ts. */
export const loadTaskTree = () => import('@/components/tree')
export const loadTaskWaits = () => import('@/components/waits/TaskWaits')
export const loadTaskDialogs = () => import('@/components/operate/TaskDialogs')
export const loadPalette = () => import('@/components/palette/CommandPalette')
