/** A person's part of a stage: the goals, who else has one, and the two ways to end it. The text outlives a change of the way. */
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { AvatarRow } from '@/components/ui/marks/Avatar'
import { ServerButton } from '@/components/ui/ServerButton'
import { draftTextIn } from '@/lib/wire/drafts'
import { CardMore } from '../card/CardMore'
import { ChangedBar, FailedLine } from '../card/Outcome'
import { onSubmitChord } from '../card/useCardKeys'
import type { RequestShown } from '../shown'
import type { Answering } from '../useAnswering'
import { useNames } from '../useNames'

type Way = 'done' | 'cannot'

export function PartBody({ shown, answering }: { shown: RequestShown; answering: Answering }) {
  const t = useTranslations('request')
  const namesOf = useNames()
  const way: Way = draftTextIn(answering.draft.more, 'way') === 'cannot' ? 'cannot' : 'done'
  const [isShort, setShort] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const { part, changed } = shown
  const isSending = answering.sending.state === 'sending'

  const end = (chosen: Way): void => {
    if (isSending) return
    if (chosen !== way) {
      answering.draft.setMore({ way: chosen === 'cannot' ? chosen : null })
      setShort(false)
      box.current?.focus()
      return
    }
    if (answering.text.trim() === '') {
      setShort(true)
      box.current?.focus()
      return
    }
    void answering.submit({ decision: chosen, text: answering.text.trim() })
  }

  return (
    <div>
      {part && part.stageGoal !== '' ? (
        <p className="text-table">
          <span className="text-t3">{t('stageGoal')}</span> {part.stageGoal}
        </p>
      ) : null}
      {part && part.others.length > 0 ? (
        <p className="mt-1 flex flex-wrap items-center gap-2 text-table">
          <span className="text-t3">{t('alsoIn')}</span>
          <AvatarRow people={part.others} size={20} />
          <span>{namesOf(part.others.map(({ name }) => name))}</span>
        </p>
      ) : null}
      {changed ? <ChangedBar changes={shown.changes ?? []} /> : null}
      <div className="mt-2.5">
        <DraftArea
          draft={answering.draft}
          ref={box}
          data-act="reply"
          label={way === 'done' ? t('didWhat') : t('whyNot')}
          error={isShort ? t('partTextNeeded') : null}
          maxLines={10}
          onText={(text) => {
            answering.setText(text)
            setShort(false)
          }}
          onKeyDown={onSubmitChord(() => end(way))}
        />
      </div>
      <FailedLine sending={answering.sending} />
      <div className="mt-2.5 flex flex-wrap gap-2 max-md:gap-1">
        <ServerButton look={way === 'done' ? 'primary' : 'plain'} isDisabled={isSending} onClick={() => end('done')}>
          {t('partDone')}
        </ServerButton>
        <ServerButton
          look={way === 'cannot' ? 'danger' : 'plain'}
          isDisabled={isSending}
          aria-pressed={way === 'cannot'}
          onClick={() => end('cannot')}
        >
          {t('partCannot')}
        </ServerButton>
        <CardMore shown={shown} />
      </div>
    </div>
  )
}
