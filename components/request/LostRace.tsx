import { useLocale, useTranslations } from 'use-intl'
import { useLog } from '@/client'
import { useMe } from '@/client/account/session'
import { navigate, pathTo } from '@/client/nav'
import { queueMessage } from '@/client/outbox'
import { Button } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { KeptText } from '@/components/ui/KeptText'
import { showToast } from '@/components/ui/toast'
import { formatElapsed } from '@/lib/format'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { RequestShown } from './shown'
import type { Answering, AnswerSending } from './useAnswering'

/** Somebody else was first: the unsent text, to be sent as a message, copied or discarded. */
export function LostRace({
  shown,
  answering,
  lost,
}: {
  shown: RequestShown
  answering: Answering
  lost: Extract<AnswerSending, { state: 'lost' }>
}) {
  const t = useTranslations()
  const locale = useLocale()
  const { request, asker } = shown
  const { text, code } = answering.unsent
  const isAnswered = lost.how === 'answered'
  const me = useMe()?.person.agent_id ?? null
  const group = useLog(`task:${request.task}`, (world) => world.tasks[request.task]?.group ?? null)
  const isOutside = group !== null && me !== null && !group.includes(me)
  const sendAsMessage = (): void => {
    const queued = queueMessage({
      task: request.task,
      receivers: asker.id === SYSTEM_TASK ? 'all' : [asker.id],
      text,
      type: 'fyi',
      stage: request.stage,
      answers: null,
      replyTo: request.message,
      mention: asker.id !== SYSTEM_TASK,
    })
    // The outbox could not store it: the text stays here.
    if (queued === null) {
      showToast('error', t('error.server'))
      return
    }
    answering.discard()
    showToast('done', t('request.onItsWay'), {
      actions: [{ label: t('common.open'), onPress: () => navigate(pathTo('task', { taskId: request.task })) }],
    })
  }
  return (
    <div role="status" className="mt-3 rounded-control border border-line-strong bg-s2 px-3 py-2.5">
      <p className="font-medium">
        {isAnswered
          ? lost.ms === null
            ? t('request.lostEarlier', { by: lost.by })
            : t('request.lost', { by: lost.by, time: formatElapsed(Math.max(1_000, lost.ms), locale) })
          : t('request.lostOver', { reason: lost.by })}
      </p>
      {text === '' ? null : <p className="mt-1 max-w-[68ch] break-words whitespace-pre-wrap text-t2">{text}</p>}
      {code === '' ? null : (
        <KeptText
          className="mt-1.5"
          label={t(request.kind === 'confirm' ? 'request.editedArguments' : 'request.filledForm')}
          text={code}
          isCode
        />
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {text === '' ? null : (
          <>
            <Button isDisabled={isOutside} reason={t('request.notMember')} onClick={sendAsMessage}>
              {t('request.sendAsMessage')}
            </Button>
            <Button look="quiet" onClick={() => copyText(text, t('common.copied'))}>
              {t('common.copy')}
            </Button>
          </>
        )}
        <Button look="quiet" onClick={answering.discard}>
          {text === '' && code === '' ? t('common.close') : t('request.discard')}
        </Button>
      </div>
    </div>
  )
}
