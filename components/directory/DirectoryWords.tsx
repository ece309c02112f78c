/** The words of the directory come with what says them, not with every page. */
import { type FunctionComponent, useMemo } from 'react'
import { IntlProvider, useLocale, useMessages } from 'use-intl'
import { directoryWords } from '@/components/shell/lazyParts'
import { useLazy } from '@/components/ui/lazy'
import { Skeleton } from '@/components/ui/States'

/** The same part, drawn once its words are there. */
export function withDirectoryWords<Props extends object>(Part: FunctionComponent<Props>): FunctionComponent<Props> {
  return function WithDirectoryWords(props: Props) {
    const locale = useLocale()
    const messages = useMessages()
    // The pseudo-language has all words in one file.
    const hasWords = 'directory' in messages
    const file = useLazy(locale === 'zh' ? directoryWords.zh : directoryWords.en, !hasWords, () => undefined)
    // One object as long as the words are the same, or each press would have every text of the screen put together anew.
    const all = useMemo(() => Object.assign({}, messages, file?.default), [messages, file])
    if (hasWords) return <Part {...props} />
    if (file === null)
      return (
        <div aria-busy="true">
          <Skeleton lines={6} />
        </div>
      )
    return (
      <IntlProvider locale={locale} messages={all} onError={(error) => console.error(error.message)}>
        <Part {...props} />
      </IntlProvider>
    )
  }
}
