/** Files of words that only the bundler makes (forPages.mjs). The type is that of all words; README.md says what holds it. */
declare module '*.json?sign-in' {
  const words: typeof import('@/messages/en.json')
  export default words
}
declare module '*.json?console' {
  const words: typeof import('@/messages/en.json')
  export default words
}
declare module '*.json?directory' {
  const words: Pick<typeof import('@/messages/en.json'), 'directory'>
  export default words
}
declare module '*.json?pseudo' {
  const words: typeof import('@/messages/en.json')
  export default words
}
