/** The messages of the directory are loaded with its screens, not with every page. */
import { type FunctionComponent, useMemo } from 'react'
import { IntlProvider, useLocale, useMessages } from 'use-intl'
import { useLazy } from '@/components/ui/lazyFile'
import { Skeleton } from '@/components/ui/States'
import { directoryWordsEn, directoryWordsZh } from './lazy'

/** The same component, drawn once its messages are loaded. */
export function withDirectoryWords<Props extends object>(Part: FunctionComponent<Props>): FunctionComponent<Props> {
  return function WithDirectoryWords(props: Props) {
    const locale = useLocale()
    const messages = useMessages()
    // The pseudo-language has all messages in one file.
    const hasWords = 'directory' in messages
    const file = useLazy(locale === 'zh' ? directoryWordsZh : directoryWordsEn, !hasWords, () => undefined)
    // The same object while the messages are the same: another one would render every text of the screen again.
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
