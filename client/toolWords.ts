/** Descriptions of tools and of their arguments in the language of this page. Tool servers write them in English. */
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { firstSentence } from '@/lib/format/firstSentence'
import { useLanguage } from './account/language'

type ToolWords = Readonly<Record<string, string>>
const NONE: ToolWords = {}
const words = createStore<{ byDescription: ToolWords }>()(() => ({ byDescription: NONE }))

/** out: a description of what comes with the program in the reader's language; any other as its server wrote it */
export function useToolWords(): (description: string) => string {
  const isChinese = useLanguage() === 'zh'
  const byDescription = useStore(words, (all) => all.byDescription)
  useEffect(() => {
    // Joins the network; without the words the description stays in English.
    if (isChinese && byDescription === NONE)
      void import('@/messages/tools.zh').then(
        ({ TOOL_WORDS }) => words.setState({ byDescription: TOOL_WORDS }),
        () => undefined,
      )
  }, [isChinese, byDescription])
  return (description) => (isChinese ? (byDescription[firstSentence(description)] ?? description) : description)
}
