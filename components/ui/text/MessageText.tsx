/** The text of a message, whoever wrote it, as Markdown; long texts fold until “Show all”. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { withHandoffWords } from '@/lib/protocols/harmony/handoff'
import { Button } from '../Button'
import { cx } from '../cx'
import { WithHandoff } from './Handoff'
import { Markdown } from './Markdown'

/** A longer text folds to this height. */
type Fold = { characters: number; lines: number; height: string }
const IN_CHAT: Fold = { characters: 1_400, lines: 18, height: 'max-h-64' }

/** A folded text is drawn up to here, which is far below its fold. */
const DRAWN_FOLDED = 8_000

export const isLong = (text: string, { characters, lines }: Fold): boolean =>
  text.length > characters || text.split('\n').length > lines

type MessageTextProps = {
  text: string
  /** Its sources, by the ids of its anchors. */
  citations?: unknown
  /** null: it never folds. */
  fold?: Fold | null
}

export function MessageText({ text, citations, fold = IN_CHAT }: MessageTextProps) {
  const t = useTranslations('common')
  const [isWhole, setWhole] = useState(false)
  const canFold = fold !== null && isLong(withHandoffWords(text), fold)
  const isFolded = canFold && !isWhole
  return (
    <>
      <div className={cx('min-w-0 break-words', isFolded && `relative overflow-hidden ${fold.height}`)}>
        <WithHandoff text={text}>
          {(words) => (
            <Markdown text={isFolded ? words.slice(0, DRAWN_FOLDED) : words} headingLevel={4} citations={citations} />
          )}
        </WithHandoff>
      </div>
      {canFold ? (
        <Button look="quiet" className="-ml-2.5" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? t('showLess') : t('showAll')}
        </Button>
      ) : null}
    </>
  )
}
