/** Descriptions of tools and of their arguments in the language of this page. Tool servers write them in English. */
import { useLanguage } from '@/client/account/language'
import { firstSentence } from '@/lib/format/firstSentence'
import { lazyFile, useLazy } from '../lazyFile'

/** Not preloaded: only Chinese readers need it. */
const toolWords = lazyFile(() => import('@/messages/tools.zh'))

/** out: a description of what comes with the program in the reader's language; any other as its server wrote it */
export function useToolWords(): (description: string) => string {
  const isChinese = useLanguage() === 'zh'
  const words = useLazy(toolWords, isChinese, null)
  return (description) => (isChinese && words?.TOOL_WORDS[firstSentence(description)]) || description
}
