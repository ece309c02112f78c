/**
 * The lazy files of this folder. Each folder with such files has a `lazy.ts`, so that each file has one loader.
 *
 * Two `import()`s of one file, in files that are themselves lazy, make the bundler build it twice, each time without the modules
 * that it believes to be loaded already: whichever copy comes first then misses some. components/shell/preload.ts imports every
 * `lazy.ts`, so that all loaders are part of the first page, and preloads what they name.
 */
import { laterFile, lazyFile } from './lazyFile'

export const citationPanel = lazyFile(() => import('./text/CitationPanel'))
export const dialogBody = lazyFile(() => import('./overlays/DialogBody'))
export const diffBody = laterFile(() => import('./text/DiffBody'))
export const jsonBody = lazyFile(() => import('./text/JsonBody'))
export const markdownBody = lazyFile(() => import('./text/markdown/MarkdownBody'))
export const menuBody = lazyFile(() => import('./overlays/MenuBody'))
export const popoverBody = lazyFile(() => import('./overlays/PopoverBody'))
export const selectBox = lazyFile(() => import('./fields/SelectBox'))
