/** A limit was reached: allow more, or refuse with a reason. The question says what the limit is. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { withDecimalPoint } from '@/components/form/schemaValues'
import { Button } from '@/components/ui/Button'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { TextArea, TextField } from '@/components/ui/fields/TextField'
import { ServerButton } from '@/components/ui/ServerButton'
import { draftTextIn } from '@/lib/wire/drafts'
import { CardMore } from '../card/CardMore'
import { FailedLine } from '../card/Outcome'
import type { RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { ActionRow } from './ActionRow'

/** out: null: no number above 0 */
export function amountIn(text: string): number | null {
  const amount = Number(withDecimalPoint(text))
  return Number.isFinite(amount) && amount > 0 ? amount : null
}

export function LimitBody({ shown, answering }: { shown: RequestShown; answering: Answering }) {
  const t = useTranslations('request')
  const { request } = shown
  // The default is as much again as was allowed before.
  const { draft } = answering
  const more = draftTextIn(draft.more, 'number') ?? request.choices[0] ?? ''
  const [isTurned, setRefusing] = useState<boolean | null>(null)
  const isRefusing = isTurned ?? answering.text !== ''
  const [problem, setProblem] = useState<string | null>(null)
  const isSending = answering.sending.state === 'sending'
  const allow = (): void => {
    const amount = amountIn(more)
    if (amount === null) setProblem(t('moreThanNothing'))
    else void answering.submit({ decision: 'approve', text: String(amount) })
  }
  const refuse = (): void => {
    if (answering.text.trim() === '') setProblem(t('reasonNeeded'))
    else void answering.submit({ decision: 'refuse', text: answering.text })
  }
  const turn = (isNext: boolean): void => {
    setProblem(null)
    setRefusing(isNext)
  }
  return (
    <div className="mt-2.5">
      {isRefusing ? (
        <TextArea
          label={t('reasonRefuse')}
          hint={t('reasonSeen')}
          error={problem}
          value={answering.text}
          onChange={({ target }) => {
            setProblem(null)
            answering.setText(target.value)
          }}
        />
      ) : (
        <div className="max-w-48">
          <TextField
            label={t('howMuchMore')}
            inputMode="decimal"
            error={problem}
            value={more}
            onChange={({ target }) => {
              setProblem(null)
              draft.setMore({ number: target.value })
            }}
          />
        </div>
      )}
      <OtherDraft draft={draft} className="mt-1" />
      <FailedLine sending={answering.sending} />
      <ActionRow>
        {isRefusing ? (
          <>
            <ServerButton look="danger" isDisabled={isSending} onClick={refuse}>
              {t('refuse')}
            </ServerButton>
            <Button look="quiet" onClick={() => turn(false)}>
              {t('backToMore')}
            </Button>
          </>
        ) : (
          <>
            <ServerButton look="primary" data-act="reply" isDisabled={isSending} onClick={allow}>
              {isSending ? t('sending') : t('allowMore')}
            </ServerButton>
            <Button isDisabled={isSending} onClick={() => turn(true)}>
              {t('refuse')}
            </Button>
          </>
        )}
        <CardMore shown={shown} />
      </ActionRow>
    </div>
  )
}
