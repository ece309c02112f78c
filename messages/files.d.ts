/** Modules that only the bundler has (forPages.mjs), typed as the whole catalogue; `npm run check` holds what each contains. */
declare module '*.json?sign-in' {
  const words: typeof import('@/messages/en.json')
  export default words
}
declare module '*.json?console' {
  const words: typeof import('@/messages/en.json')
  export default words
}
declare module '*.json?later' {
  const words: typeof import('@/messages/en.json')
  export default words
}
declare module '*.json?pseudo' {
  const words: typeof import('@/messages/en.json')
  export default words
}
