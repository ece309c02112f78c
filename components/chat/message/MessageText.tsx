/** The text of a message: agents' Markdown, people's plain text; long texts fold until “Show all”. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { WithHandoff } from '@/components/ui/text/Handoff'
import { Markdown } from '@/components/ui/text/Markdown'
import { NamedText } from '@/components/ui/text/NamedText'
import { withHandoffWords } from '@/lib/protocols/harmony/handoff'

/** A longer text folds to this height. */
type Fold = { characters: number; lines: number; height: string }
const IN_CHAT: Fold = { characters: 1_400, lines: 18, height: 'max-h-64' }

export const isLong = (text: string, { characters, lines }: Fold): boolean =>
  text.length > characters || text.split('\n').length > lines

type MessageTextProps = {
  text: string
  isMarkdown: boolean
  /** Its sources, by the ids of its anchors. */
  citations?: unknown
  /** null: it never folds. */
  fold?: Fold | null
}

export function MessageText({ text, isMarkdown, citations, fold = IN_CHAT }: MessageTextProps) {
  const t = useTranslations('common')
  const [isWhole, setWhole] = useState(false)
  const canFold = fold !== null && isLong(isMarkdown ? withHandoffWords(text) : text, fold)
  return (
    <>
      <div className={cx('min-w-0 break-words', canFold && !isWhole && `relative overflow-hidden ${fold.height}`)}>
        {isMarkdown ? (
          <WithHandoff text={text}>
            {(words) => <Markdown text={words} headingLevel={4} citations={citations} />}
          </WithHandoff>
        ) : (
          <p className="max-w-[68ch] whitespace-pre-wrap">
            <NamedText text={text} />
          </p>
        )}
      </div>
      {canFold ? (
        <Button look="quiet" className="-ml-2.5" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? t('showLess') : t('showAll')}
        </Button>
      ) : null}
    </>
  )
}
