/** The text of a message: agents' Markdown, people's plain text; long texts fold until “Show all”. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { Markdown } from '@/components/ui/text/Markdown'
import { NamedText } from '@/components/ui/text/NamedText'

const LONG_TEXT = 1_400
const LONG_LINES = 18

const isLong = (text: string): boolean => text.length > LONG_TEXT || text.split('\n').length > LONG_LINES

type MessageTextProps = {
  text: string
  isMarkdown: boolean
  /** Its sources, by the ids of its anchors. */
  citations?: unknown
}

export function MessageText({ text, isMarkdown, citations }: MessageTextProps) {
  const t = useTranslations('common')
  const [isWhole, setWhole] = useState(false)
  const isFolded = isLong(text) && !isWhole
  return (
    <>
      <div className={cx('min-w-0 break-words', isFolded && 'relative max-h-64 overflow-hidden')}>
        {isMarkdown ? (
          <Markdown text={text} headingLevel={4} citations={citations} />
        ) : (
          <p className="max-w-[68ch] whitespace-pre-wrap">
            <NamedText text={text} />
          </p>
        )}
      </div>
      {isLong(text) ? (
        <Button look="quiet" className="-ml-2.5" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? t('showLess') : t('showAll')}
        </Button>
      ) : null}
    </>
  )
}
