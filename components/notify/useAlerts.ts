/** Draws what happens once: toasts, desktop notices, announcements. */
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { navigate, pathTo } from '@/client/nav'
import type { DrawnEffect } from '@/client/notify/attention'
import { closeDesktop, showDesktop } from '@/client/notify/desktop'
import { useFailedMessages } from '@/client/outbox'
import { taskTitle } from '@/client/readersWords'
import { announcer } from '@/components/announce/announcer'
import { type OpenRow, rowHref, rowSender, rowTask, rowText } from '@/components/inbox/rows'
import { useSenderName } from '@/components/request'
import { closeToast, showToast } from '@/components/ui/overlays/toast'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { firstWords } from '@/lib/format/plainText'

const WORDS = 120
const toastOf = (id: string): string => `item-${id}`

/** out: draws an effect; row: of its item */
export function useAlerts(): (effect: DrawnEffect, row: OpenRow | null) => void {
  const t = useTranslations()
  const wordsOf = useAlertWords()
  const toast = (id: string, row: OpenRow): void => {
    const { title, text } = wordsOf(row)
    const reply = replyHref(row)
    showToast('info', `${title} · ${text}`, {
      id: toastOf(id),
      actions: [
        { label: t('notify.open'), onPress: () => navigate(rowHref(row)) },
        ...(reply === null ? [] : [{ label: t('inbox.reply'), onPress: () => navigate(reply) }]),
      ],
    })
  }
  return (effect, row) => {
    switch (effect.kind) {
      case 'toast':
        if (row) toast(effect.id, row)
        return
      case 'crowd':
        showToast('info', t('notify.upToDate', { count: effect.count }), {
          id: 'notify-crowd',
          actions: [{ label: t('notify.open'), onPress: () => navigate('/inbox') }],
        })
        return
      case 'closeToast':
        closeToast(toastOf(effect.id))
        return
      case 'desktop':
        if (row)
          showDesktop(effect.id, {
            ...wordsOf(row),
            isUrgent: effect.isUrgent,
            onClick: () => navigate(rowHref(row)),
          })
        return
      case 'remind':
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
      case 'announce':
        if (row) announcer[effect.isUrgent ? 'urgent' : 'message'](effect.id, sentenceOf(row, t))
        return
      default:
        effect satisfies never
    }
  }
}

function useAlertWords(): (row: OpenRow) => { title: string; text: string } {
  const t = useTranslations()
  const senderName = useSenderName()
  return (row) => {
    const sender = rowSender(row)
    const who = senderName(sender)
    const task = taskTitle(row.taskName)
    const isUrgent = row.kind === 'request' ? row.request.type === 'urgent' : row.group === 'urgent'
    const about = row.kind === 'request' && row.about ? t('request.about', { text: row.about.text }) : ''
    return {
      title: isUrgent
        ? t('inbox.urgentFrom', { who })
        : sender.kind === 'system'
          ? task
          : t('notify.sender', { who, task }),
      text: [firstWords(rowText(row), WORDS), about].filter(Boolean).join(' · '),
    }
  }
}

function sentenceOf(row: OpenRow, t: ReturnType<typeof useTranslations<never>>): string {
  const sender = rowSender(row)
  const who = sender.kind === 'system' ? taskTitle(row.taskName) : sender.name
  const type = t(`type.${row.kind === 'message' ? row.message.type : row.request.type}`)
  return t('announce.message', { type, who, text: firstWords(rowText(row), WORDS) })
}

/** Announces messages that could not be sent, and gives the announcer its words. */
export function useFailureAnnouncements(): void {
  const t = useTranslations()
  const faultWords = useFaultWords()
  const failed = useFailedMessages()
  // Joins the announcer to the reader's language.
  useEffect(() => announcer.summarizeBy((count, forMe) => t('announce.several', { count, forMe })), [t])
  useEffect(() => {
    for (const { localId, wish, fault } of failed)
      announcer.urgent(
        `${localId} failed`,
        t('announce.notSent', {
          text: firstWords(wish.text, 60),
          reason: fault === null ? t('error.textKept') : faultWords(fault, t('error.textKept')),
        }),
      )
  }, [failed, t, faultWords])
}

/** Where a reply to it is begun; null: it has no message to reply to. */
function replyHref(row: OpenRow): string | null {
  const message = row.kind === 'request' ? row.request.message : row.message.id
  if (message === null || (row.kind === 'request' && row.request.kind !== 'answer')) return null
  return `${pathTo('task', { taskId: rowTask(row) })}?reply=${encodeURIComponent(message)}`
}
