/** Files of words that only the bundler makes (forPages.mjs). The type is that of all words; README.md says what holds it. */
declare module '*.json?sign-in' {
  const words: typeof import('@/messages/en.json')
  export default words
}
declare module '*.json?pseudo' {
  const words: typeof import('@/messages/en.json')
  export default words
}
