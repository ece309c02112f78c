/** One answer to several questions: each is sent to its own request. */
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client'
import { taskTitle } from '@/client/readersWords'
import { useSenderName } from '@/components/request'
import { answerOf } from '@/components/request/shown'
import { Button } from '@/components/ui/Button'
import { RadioChoice } from '@/components/ui/fields/Choice'
import { TextArea } from '@/components/ui/fields/TextField'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { firstWords } from '@/lib/format/plainText'
import { draftTextIn } from '@/lib/wire/drafts'
import { itemOf, type OpenRow, rowSender, rowText } from '../rows'
import { commonChoices } from './bulk'

/** The place of the draft of one answer to these questions, and to no others. Server and browser take up to 200 letters. */
export const answerPlace = (rows: readonly OpenRow[]): string =>
  ['act:answer_alike', rows.length, ...rows.map((row) => itemOf(row).slice(0, 8)).sort()].join('.').slice(0, 200)

type AnswerAlikeProps = { rows: readonly OpenRow[]; onAnswer: (text: string) => void; onClose: () => void }

export function AnswerAlike({ rows, onAnswer, onClose }: AnswerAlikeProps) {
  const t = useTranslations('triage')
  const request = useTranslations('request')
  const senderName = useSenderName()
  const draft = useDraft(answerPlace(rows))
  const choices = commonChoices(rows)
  const kept = draftTextIn(draft.more, 'choice')
  const choice = kept !== null && choices.includes(kept) ? kept : null
  const answer = answerOf(choice, draft.text)
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('answerTitle')}
      foot={
        <Button
          look="primary"
          isDisabled={answer === '' || rows.length === 0}
          reason={request('answerFirst')}
          onClick={() => onAnswer(answer)}
        >
          {t('sendAnswers', { count: rows.length })}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <section aria-label={t('questions')}>
          <ul className="flex list-disc flex-col gap-0.5 pl-5 text-table text-t2">
            {rows.map((row) => (
              <li key={itemOf(row)} className="break-words">
                {[senderName(rowSender(row)), taskTitle(row.taskName), firstWords(rowText(row), 240)].join(' · ')}
              </li>
            ))}
          </ul>
        </section>
        {choices.length === 0 ? null : (
          <RadioChoice
            label={request('choices')}
            choices={choices.map((value) => ({ value, label: value }))}
            value={choice}
            onChange={(next) => draft.setMore({ choice: next })}
          />
        )}
        <TextArea
          label={request('yourAnswer')}
          minLines={2}
          maxLines={10}
          value={draft.text}
          onChange={(event) => draft.setText(event.target.value)}
        />
      </div>
    </Dialog>
  )
}
