import { useLocale, useTranslations } from 'use-intl'
import { type MessageInput, useRecords, useRows } from '@/client'
import { useMe } from '@/client/account/session'
import { navigate, pathTo } from '@/client/nav'
import { queueMessage } from '@/client/outbox'
import { Button } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { showToast } from '@/components/ui/overlays/toast'
import { KeptText } from '@/components/ui/text/KeptText'
import { formatElapsed } from '@/lib/format'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { RequestShown } from '../shown'
import type { Answering, AnswerSending } from '../useAnswering'

type LostRaceProps = { shown: RequestShown; answering: Answering; lost: Extract<AnswerSending, { state: 'lost' }> }

/** Somebody else was first: the unsent text, to be sent as a message, copied or discarded. */
export function LostRace({ shown, answering, lost }: LostRaceProps) {
  const t = useTranslations()
  const locale = useLocale()
  const { request } = shown
  const { text, code } = answering.unsent
  const isAnswered = lost.how === 'answered'
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
        <LateActions shown={shown} answering={answering} />
      </div>
    </div>
  )
}

/** What can be done with a text that came too late as an answer. */
export function LateActions({ shown, answering }: { shown: RequestShown; answering: Answering }) {
  const t = useTranslations()
  const { text, code } = answering.unsent
  const where = useLateMessage(shown)
  const sendAsMessage = (): void => {
    if (where === null) return
    const queued = queueMessage({ ...where.message, text })
    // The outbox could not store it: the text stays here.
    if (queued === null) {
      showToast('error', t('error.textKept'))
      return
    }
    answering.discard()
    showToast('done', t('request.onItsWay'), {
      actions: [{ label: t('common.open'), onPress: () => navigate(pathTo('task', { taskId: where.message.task })) }],
    })
  }
  return (
    <>
      {text === '' ? null : (
        <>
          <Button isDisabled={where === null} reason={t('request.notMember')} onClick={sendAsMessage}>
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
      {text === '' || !where?.to ? null : (
        <span className="text-meta text-t3">{t('request.lateGoesTo', { who: where.to })}</span>
      )}
    </>
  )
}

type LateMessage = { message: Omit<MessageInput, 'text'>; to: string | null }

/**
 * Where a late text goes: to the asker in their task; from outside of that task, to the person who answered.
 *
 * out     to: that person's name. null: it can go nowhere
 */
function useLateMessage({ request, asker, answeredBy }: RequestShown): LateMessage | null {
  const me = useMe()?.person.agent_id ?? null
  const group = useRecords(`task:${request.task}`, (world) => world.tasks[request.task]?.group ?? null)
  const base = useRows('overview').find((row) => row.base)?.task ?? null
  const common = { type: 'fyi', answers: null } as const
  if (group === null || me === null || group.includes(me)) {
    const receivers = asker.id === SYSTEM_TASK ? ('all' as const) : [asker.id]
    const { task, stage, message: replyTo } = request
    return { message: { ...common, task, stage, receivers, replyTo, mention: receivers !== 'all' }, to: null }
  }
  if (base === null || answeredBy?.kind !== 'human' || answeredBy.id === SYSTEM_TASK || answeredBy.id === me)
    return null
  const message = { ...common, task: base, stage: null, receivers: [answeredBy.id], replyTo: null, mention: true }
  return { message, to: answeredBy.name }
}
