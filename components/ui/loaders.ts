/**
 * The files of primitives that come later, each named at one place.
 *
 * Why here: two `import()`s of one file, in files that are themselves fetched late, make the bundler build it twice, each
 * time without what it believes to be there already. Whichever comes first then misses modules. So every late file has one
 * loader, in a module that the first page holds (components/shell/screens.ts imports this one).
 */
export const loadMarkdownBody = () => import('./MarkdownBody')
export const loadJsonBody = () => import('./JsonBody')
export const loadSelectBox = () => import('./SelectBox')
