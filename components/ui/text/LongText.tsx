/** A text that is cut when it is long, with "Show all"; names of files in it are links. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../Button'
import { PathText } from './FileLink'

/** A longer text is cut until "Show all" is pressed. */
const CUT_AT = 2_000

type LongTextProps = {
  text: string
  className?: string
  /** Read to the letter (client/jsx/shownProps.ts). */
  isLiteral?: boolean
}

export function LongText({ text, className, isLiteral }: LongTextProps) {
  const t = useTranslations()
  const [isWhole, setWhole] = useState(false)
  if (text.length <= CUT_AT)
    return (
      <span className={className}>
        <PathText text={text} isLiteral={isLiteral} />
      </span>
    )
  return (
    <>
      <span className={className}>
        <PathText text={isWhole ? text : `${text.slice(0, CUT_AT)}…`} isLiteral={isLiteral} />
      </span>{' '}
      <Button look="quiet" className="h-6!" onClick={() => setWhole(!isWhole)}>
        {isWhole ? t('common.showLess') : t('common.showAll')}
        <span className="text-t3">{t('json.cut', { shown: isWhole ? text.length : CUT_AT, total: text.length })}</span>
      </Button>
    </>
  )
}
