/** Answering for somebody else, behind a button, so that nobody does it by habit. A lazy file for operators. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { RequestCard, shownFromWorld, useNames, usePinnedCards } from '@/components/request'
import { Button } from '@/components/ui/Button'
import type { RequestRecord } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'
import type { TaskWorld } from '../useTaskWorld'

export default function AnswerFor({ request, task }: { request: RequestRecord; task: TaskWorld }) {
  const t = useTranslations('request')
  const namesOf = useNames()
  const [isShown, setShown] = useState(false)
  // Somebody else answered first: the card stays while it holds an unsent text.
  const isHeld = usePinnedCards()[request.id] !== undefined
  const isAsked = isOpen(request)
  const names = namesOf(request.asked.map((id) => task.who(id).name))
  if (isShown && (isAsked || isHeld)) {
    return (
      <div className="mt-2">
        <RequestCard shown={shownFromWorld(task.world, request, task.me)} place="list" isMine answersFor={names} />
      </div>
    )
  }
  const canAnswer = request.kind === 'answer' || request.kind === 'confirm' || request.kind === 'part'
  if (!task.isOperator || !canAnswer || !isAsked) return null
  return (
    <Button look="quiet" className="-ml-2.5" onClick={() => setShown(true)}>
      {t('answerFor', { names })}
    </Button>
  )
}
