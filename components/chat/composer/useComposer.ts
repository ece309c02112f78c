/** What a composer holds, derived from its draft and its task, and the sending of it. */
import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { getPageClient } from '@/client'
import { useMe } from '@/client/account/session'
import { useDraft } from '@/client/drafts'
import { queueMessage } from '@/client/outbox'
import { showToast } from '@/components/ui/overlays/toast'
import type { AgentId } from '@/lib/mas/ids'
import { answeredRequest, openRequestsFor } from '../fns/answers'
import { chosenReceivers, receiverChoices } from '../fns/members'
import type { TaskWorld } from '../useTaskWorld'
import { type ComposerState, changeComposer, composerOf } from './composerState'
import { clearUploads, useAttachments } from './useAttachments'

export type ComposerModel = ReturnType<typeof useComposer>

export function useComposer(task: TaskWorld) {
  const t = useTranslations('chat')
  const place = `task:${task.task?.id ?? ''}`
  const draft = useDraft(place)
  const state = useMemo(() => composerOf(draft.more), [draft.more])
  const savedGroups = useMe()?.settings.groups ?? []
  const choices = task.task ? receiverChoices(task.world, task.task.id, task.me, savedGroups) : []
  const chosen = state.to
  const receivers = chosenReceivers(chosen, choices)
  const { replyTo, request: picked, answerOff: isOff } = state
  const answered = answeredRequest(task.requests, task.me, { receivers, replyTo, picked, isOff })
  const running = task.stages.find((stage) => stage.state === 'running')?.id ?? null
  const stage = task.isBase ? null : state.noStage ? null : (state.stage ?? running)
  const files = useAttachments(place, state.files)
  const uploading = files.filter((file) => file.state === 'sending').length
  const attachments = state.files.map(({ id, alt, ...file }) =>
    alt.trim() === '' ? file : { ...file, alt: alt.trim() },
  )
  const isEmpty = draft.text.trim() === '' && attachments.length === 0
  const isSomeoneGone = chosen.some((id) => !choices.some((choice) => choice.id === id))
  const hasNoReceiver = choices.length === 0 || receivers.length === 0
  const blocked = isSomeoneGone
    ? t('someoneGone')
    : hasNoReceiver
      ? t('nobodyHere')
      : uploading > 0
        ? t('attach.wait', { count: uploading })
        : isEmpty
          ? t('writeFirst')
          : null
  const agents = choices.filter(({ kind, id }) => kind === 'agent' && includes(receivers, id)).length
  const readers = [
    t(task.task?.talk ? 'twoRead' : task.isBase ? 'baseReaders' : 'everyoneReads'),
    ...(agents > 0 ? [t('agentsRead', { count: agents })] : []),
  ].join(' · ')
  const change = (next: Partial<ComposerState>): void => changeComposer(place, next)
  // An answer is announced at its request, another message at its conversation.
  const sayWriting = (isWriting: boolean): void => getPageClient().live.sendDrafting(answered?.id ?? place, isWriting)
  /** out: whether the outbox has stored it; if not, the text stays in the box */
  const send = (): boolean => {
    if (blocked !== null || task.task === null) return false
    const queued = queueMessage({
      task: task.task.id,
      receivers,
      text: draft.text.trim(),
      type: state.type,
      stage,
      answers: answered?.id ?? null,
      replyTo: replyTo ?? answered?.message ?? null,
      mention: chosen.length > 0,
      ...(attachments.length > 0 ? { attachments } : {}),
    })
    if (queued === null) {
      showToast('error', t('notKept'))
      return false
    }
    sayWriting(false)
    // The receivers are cleared too, so that nobody gets the next message by habit.
    draft.clear()
    clearUploads(place)
    return true
  }
  return {
    place,
    draft,
    state,
    choices,
    chosen,
    remove: (id: string): void => change({ to: chosen.filter((one) => one !== id), answerOff: false }),
    receivers,
    savedGroups,
    open: openRequestsFor(task.requests, task.me, receivers),
    answered,
    stage,
    files,
    isEmpty,
    blocked,
    readers,
    change,
    sayWriting,
    send,
  }
}

const includes = (receivers: readonly AgentId[] | 'all', id: string): boolean =>
  receivers === 'all' || receivers.some((one) => one === id)
