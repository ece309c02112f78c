/**
 * The files of primitives that come later, each named at one place.
 *
 * Why here: two `import()`s of one file, in files that are themselves fetched late, make the bundler build it twice, each
 * time without what it believes to be there already. Whichever comes first then misses modules. So every late file has one
 * loader, in a module that the first page holds (components/shell/screens.ts imports this one).
 */
import { lazyFile } from './lazy'

export const markdownBody = lazyFile(() => import('./MarkdownBody'))
export const jsonBody = lazyFile(() => import('./JsonBody'))
/** What a press opens; fetched ahead of anything else that comes late. */
export const dialogBody = lazyFile(() => import('./DialogBody'))
export const selectBox = lazyFile(() => import('./SelectBox'))
export const menuBody = lazyFile(() => import('./MenuBody'))
