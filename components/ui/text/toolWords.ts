/** Descriptions of tools and of their arguments in the language of this page. Tool servers write them in English. */
import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '@/client/account/language'
import { queryClient } from '@/client/queries/cache'
import { firstSentence } from '@/lib/format/firstSentence'
import { toolWords } from '../lazy'

/** out: a description of what comes with the program in the reader's language; any other as its server wrote it */
export function useToolWords(): (description: string) => string {
  const isChinese = useLanguage() === 'zh'
  const { data: words } = useQuery(
    { queryKey: ['tool words'], queryFn: toolWords, enabled: isChinese, staleTime: Number.POSITIVE_INFINITY },
    queryClient,
  )
  return (description) => (isChinese && words?.TOOL_WORDS[firstSentence(description)]) || description
}
