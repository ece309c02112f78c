/** What a tool does, in the language of this page. Tool servers describe their tools in English. */
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { firstSentence } from '@/lib/format/firstSentence'
import { useLanguage } from './account/language'

type Effects = Readonly<Record<string, string>>
const NONE: Effects = {}
const effects = createStore<{ byDescription: Effects }>()(() => ({ byDescription: NONE }))

/** out: the description of a tool that comes with the program in the reader's language; any other as its server wrote it */
export function useToolEffect(): (description: string) => string {
  const isChinese = useLanguage() === 'zh'
  const byDescription = useStore(effects, (all) => all.byDescription)
  useEffect(() => {
    // Joins the network; without the words the description stays in English.
    if (isChinese && byDescription === NONE)
      void import('@/messages/tools.zh').then(
        ({ TOOL_EFFECTS }) => effects.setState({ byDescription: TOOL_EFFECTS }),
        () => undefined,
      )
  }, [isChinese, byDescription])
  return (description) => (isChinese ? (byDescription[firstSentence(description)] ?? description) : description)
}
