/** Performs what an escalation step asks for: sounds, toasts, desktop notices. */
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { isPageActive } from '@/client/connection/activity'
import { navigate, pathTo } from '@/client/nav'
import { closeDesktop, showDesktop } from '@/client/notify/desktop'
import type { Effect } from '@/client/notify/escalation'
import type { PendingSound } from '@/client/notify/sound'
import { taskTitle } from '@/client/readersWords'
import { itemOf, type OpenRow, rowHref, rowSender, rowTask, rowText } from '@/components/inbox/rows'
import { useSenderName } from '@/components/request'
import { closeToast, showToast } from '@/components/ui/overlays/toast'
import { firstWords } from '@/lib/format/plainText'

/** More toasts than these in one step become one. */
const MAX_TOASTS = 3
const toastOf = (id: string): string => `item-${id}`

export function useAlerts(rowOf: (id: string) => OpenRow | undefined) {
  const t = useTranslations()
  const senderName = useSenderName()
  const toasted = useRef(new Set<string>())

  const wordsOf = (row: OpenRow): { title: string; text: string } => {
    const sender = rowSender(row)
    const who = senderName(sender)
    const task = taskTitle(row.taskName)
    const isUrgent = row.kind === 'request' ? row.request.type === 'urgent' : row.group === 'urgent'
    return {
      title: isUrgent
        ? t('inbox.urgentFrom', { who })
        : sender.kind === 'system'
          ? task
          : t('notify.sender', { who, task }),
      text: [firstWords(rowText(row), 120), aboutIn(row)].filter(Boolean).join(' · '),
    }
  }
  const aboutIn = (row: OpenRow): string =>
    row.kind === 'request' && row.about ? t('request.about', { text: row.about.text }) : ''
  const toast = (row: OpenRow): void => {
    const { title, text } = wordsOf(row)
    const reply = replyHref(row)
    toasted.current.add(itemOf(row))
    showToast('info', `${title} · ${text}`, {
      id: toastOf(itemOf(row)),
      actions: [
        { label: t('notify.open'), onPress: () => navigate(rowHref(row)) },
        ...(reply === null ? [] : [{ label: t('inbox.reply'), onPress: () => navigate(reply) }]),
      ],
    })
  }
  const perform = (effect: Effect, isLeader: boolean, sound: PendingSound | null): void => {
    const row = 'id' in effect ? rowOf(effect.id) : undefined
    switch (effect.kind) {
      case 'chime':
      case 'alarm':
        sound?.request(effect.kind, effect.soundIds)
        return
      case 'toast':
        // Each tab shows its own toasts: the member may look at another tab than the leader.
        if (row && isPageActive()) toast(row)
        return
      case 'desktop':
        if (isLeader && row)
          showDesktop(effect.id, {
            ...wordsOf(row),
            isUrgent: effect.isUrgent,
            onClick: () => navigate(rowHref(row)),
          })
        return
      case 'remind':
        if (isLeader)
          showDesktop('remind', {
            title: t('notify.remind', { count: effect.count }),
            text: t('notify.remindWhy'),
            isUrgent: false,
            onClick: () => navigate('/inbox'),
          })
        return
      case 'close':
        closeDesktop(effect.id)
        return
      default:
        effect satisfies never
    }
  }
  return {
    /** sound: null: the member wants none */
    perform: (
      effects: readonly Effect[],
      { isLeader, sound }: { isLeader: boolean; sound: PendingSound | null },
    ): void => {
      const count = effects.filter(({ kind }) => kind === 'toast').length
      // After a lost connection many items arrive at once.
      const isCrowd = count > MAX_TOASTS
      if (isCrowd && isPageActive())
        showToast('info', t('notify.upToDate', { count }), {
          id: 'notify-crowd',
          actions: [{ label: t('notify.open'), onPress: () => navigate('/inbox') }],
        })
      for (const effect of effects) if (!isCrowd || effect.kind !== 'toast') perform(effect, isLeader, sound)
    },
    /** Closes the toasts of items that are settled or in view, where they would only cover the page. */
    closeSettled: (onScreen: readonly string[]): void => {
      for (const id of toasted.current) {
        if (!onScreen.includes(id) && rowOf(id) !== undefined) continue
        closeToast(toastOf(id))
        toasted.current.delete(id)
      }
    },
  }
}

/** Where a reply to it is begun; null: it has no message to reply to. */
function replyHref(row: OpenRow): string | null {
  const message = row.kind === 'request' ? row.request.message : row.message.id
  if (message === null || (row.kind === 'request' && row.request.kind !== 'answer')) return null
  return `${pathTo('task', { taskId: rowTask(row) })}?reply=${encodeURIComponent(message)}`
}
