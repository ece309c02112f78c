/**
 * The lazy parts of this folder. Each folder with such parts has a file of this name, so that each file has one `import()`.
 *
 * Two `import()`s of one file, in files that are themselves lazy, make the bundler build it twice, each time without the modules
 * that it believes to be loaded already: whichever copy comes first then misses some. components/shell/preload.ts imports all of
 * them, so that they are part of the first page, and fetches what they name.
 */
import { withLaterWords } from './laterWords'
import { lazyBody, lazyPart } from './lazyPart'
import { Loading } from './States'

export const CitationPanel = lazyPart(() => import('./text/CitationPanel'))
export const Diff = lazyPart(
  withLaterWords(() => import('./text/Diff')),
  { fallback: () => <Loading lines={6} className="px-0!" /> },
)
export const JsonView = lazyPart(() => import('./text/JsonView'), {
  fallback: () => <Loading lines={4} className="px-0!" />,
})
export const MarkdownBody = lazyPart(() => import('./text/markdown/MarkdownBody'), {
  fallback: ({ text }) => <p className="whitespace-pre-wrap">{text}</p>,
})
export const MenuBody = lazyBody(() => import('./overlays/MenuBody'))
export const PopoverBody = lazyBody(() => import('./overlays/PopoverBody'))
export const SelectBody = lazyBody(() => import('./fields/SelectBody'))
export const ToastList = lazyPart(() => import('./overlays/ToastList'))

const dialogBodies = () => import('./overlays/DialogBody')
const CLOSE = { close: (props: { onOpenChange: (isOpen: boolean) => void }) => props.onOpenChange(false) }
export const DialogBody = lazyPart(async () => ({ default: (await dialogBodies()).DialogBody }), CLOSE)
export const SheetBody = lazyPart(async () => ({ default: (await dialogBodies()).SheetBody }), CLOSE)
export const AlertDialogBody = lazyPart(async () => ({ default: (await dialogBodies()).AlertDialogBody }), CLOSE)
export const ConfirmDialogBody = lazyPart(async () => ({ default: (await dialogBodies()).ConfirmDialogBody }), CLOSE)

/** What tools do, for Chinese readers. */
export const toolWords = () => import('@/messages/tools.zh')
