/** What people think of the result: their ratings, and two buttons with an optional sentence for those who may rate it. */
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { command } from '@/client/api'
import { useCommandToast } from '@/components/request/useCommandToast'
import { cx } from '@/components/ui/cx'
import { TextField } from '@/components/ui/fields/TextField'
import { TimeText } from '@/components/ui/marks/Time'
import { ActionButton, ServerButton } from '@/components/ui/ServerButton'
import type { TaskResult } from '@/lib/wire'

type Given = TaskResult['ratings'][number]
type Rating = Given['rating']

const ICONS = { up: ThumbsUp, down: ThumbsDown } as const
const RATINGS: readonly Rating[] = ['up', 'down']
/** As the server takes it. */
const SENTENCE_LENGTH = 500

type RatingBarProps = { task: string; ratings: readonly Given[]; mayRate: boolean }

export function RatingBar({ task, ratings, mayRate }: RatingBarProps) {
  const me = useMe()?.person.agent_id
  const mine = ratings.find(({ agent }) => agent === me)
  const others = mayRate ? ratings.filter((one) => one !== mine) : ratings
  return (
    <div className="flex flex-col gap-1">
      {mayRate ? <OwnRating key={mine?.at} task={task} mine={mine} /> : null}
      {others.length === 0 ? null : (
        <ul className="text-table text-t2">
          {others.map((one) => (
            <li key={one.agent} data-kind="rating" className="break-words">
              <OthersRating given={one} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function OthersRating({ given: { name, rating, sentence, at } }: { given: Given }) {
  const t = useTranslations('result')
  return (
    <>
      {t(`rated.${rating}`, { who: name })}
      {sentence === '' ? null : <> · {t('quoted', { text: sentence })}</>}
      {' · '}
      <TimeText at={at} className="text-t3" />
    </>
  )
}

/** A press rates at once; the sentence is sent after it, by its own button. */
function OwnRating({ task, mine }: { task: string; mine: Given | undefined }) {
  const t = useTranslations('result')
  const run = useCommandToast()
  const [sentence, setSentence] = useState(mine?.sentence ?? '')
  const rate = (rating: Rating): Promise<boolean> =>
    run(command(`/api/tasks/${task}/rate`, { rating, sentence }), t('ratedDone'))
  const isChanged = mine !== undefined && sentence.trim() !== mine.sentence
  return (
    <>
      <fieldset className="flex items-center gap-1">
        <legend className="float-left mr-2 py-1 text-table text-t2">{t('rate')}</legend>
        {RATINGS.map((rating) => {
          const Icon = ICONS[rating]
          const isMine = mine?.rating === rating
          return (
            <ServerButton
              key={rating}
              look={isMine ? 'plain' : 'quiet'}
              icon={<Icon className={cx(isMine && 'fill-accent-soft text-accent')} />}
              aria-pressed={isMine}
              onClick={() => {
                if (!isMine) void rate(rating)
              }}
            >
              {t(`rating.${rating}`)}
            </ServerButton>
          )
        })}
      </fieldset>
      {mine === undefined ? null : (
        <div className="flex max-w-[68ch] items-end gap-2 *:first:grow">
          <TextField
            label={t('sentence')}
            isLabelHidden
            placeholder={t('sentence')}
            value={sentence}
            maxLength={SENTENCE_LENGTH}
            onChange={(event) => setSentence(event.target.value)}
          />
          <ActionButton isDisabled={!isChanged} act={() => rate(mine.rating)}>
            {t('saveSentence')}
          </ActionButton>
        </div>
      )}
    </>
  )
}
