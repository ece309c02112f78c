/** What asks for the attention of the member, on every page. `client/notify/attention.ts` decides; the parts here draw it. */
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { useTotals } from '@/client'
import { beforeSignOut, saveSettings, useMe } from '@/client/account/session'
import { useNow } from '@/client/clock'
import { setTitleMark } from '@/client/nav'
import type { ShownAlerts } from '@/client/notify/attention'
import { desktopPermission, requestDesktopPermission, setAppBadge } from '@/client/notify/desktop'
import { followNotices, turnOffPush } from '@/client/notify/push'
import { allowSound } from '@/client/notify/sound'
import { getDisplay } from '@/client/theme'
import { type OpenRow, rowSender } from '@/components/inbox/rows'
import { UrgentLayer } from '@/components/inbox/urgent/UrgentLayer'
import { useSenderName } from '@/components/request'
import { NoticeBar } from '@/components/shell/NoticeBar'
import { Button } from '@/components/ui/Button'
import { useIsNarrow } from '@/components/ui/useIsNarrow'
import type { AgentId } from '@/lib/mas/ids'
import { useAlerts, useFailureAnnouncements } from './useAlerts'
import { useAttention } from './useAttention'

const TITLE_TURN_MS = 2_000

export function AttentionLayer({ member, isSettled }: { member: AgentId; isSettled: boolean }) {
  const isAsked = useMe()?.settings.askedDesktop === true
  const { shown, rowOf, alerting, press } = useAttention(member, isSettled, useAlerts())
  const needsMe = useTotals('me')?.needsMe ?? 0
  useFailureAnnouncements()
  useWindowMark(shown, rowOf(shown?.titleItem))
  useEffect(() => allowSound(), [])
  useEffect(() => followNotices(), [])
  // The next person who signs in here gets no push that is meant for this one.
  useEffect(() => beforeSignOut(turnOffPush), [])
  // Joins the icon of the installed app.
  useEffect(() => setAppBadge(needsMe), [needsMe])
  // A phone has no desktop, and its top bar only room for the name of the page; Settings offer it pushes.
  const isPhone = useIsNarrow()
  return (
    <>
      <UrgentLayer alerting={alerting} open={rowOf(shown?.dialog)} hasBar={shown?.hasBar === true} onPress={press} />
      {shown?.isHandled && !isPhone && !isAsked && desktopPermission() === 'default' ? <DesktopPrompt /> : null}
    </>
  )
}

/** Sets the mark of the window's title and icon; while an item alerts, the title names its sender by turns. */
function useWindowMark(shown: ShownAlerts | null, first: OpenRow | null): void {
  const { title = '', icon = 'plain' } = shown ?? {}
  const t = useTranslations('notify')
  const senderName = useSenderName()
  const isSendersTurn = Math.floor(useNow(first ? 'seconds' : null) / TITLE_TURN_MS) % 2 === 1
  const sender = first && isSendersTurn && !isStill() ? t('waitsForYou', { who: senderName(rowSender(first)) }) : null
  useEffect(() => setTitleMark(title, sender), [title, sender])
  useEffect(() => setWindowIcon(icon), [icon])
  useEffect(
    () => () => {
      setTitleMark('')
      setWindowIcon('plain')
    },
    [],
  )
}

const isStill = (): boolean =>
  getDisplay().motion === 'reduced' || window.matchMedia('(prefers-reduced-motion: reduce)').matches

function DesktopPrompt() {
  const t = useTranslations('notify')
  const settle = (): void => void saveSettings({ askedDesktop: true })
  return (
    <NoticeBar
      rank="desktop"
      label={t('askDesktop')}
      action={
        <>
          <Button
            onClick={() => {
              settle()
              void requestDesktopPermission()
            }}
          >
            {t('allow')}
          </Button>
          <Button look="quiet" onClick={settle}>
            {t('notNow')}
          </Button>
        </>
      }
    >
      <b className="font-medium">{t('askDesktop')}</b> <span className="text-t2">{t('askDesktopWhy')}</span>
    </NoticeBar>
  )
}

const SIGN =
  '<rect x="2" y="9" width="14" height="14" rx="4" fill="#0b6166"/><path d="M17 16h4" stroke="#b0761d" stroke-width="2.5" stroke-dasharray="2.4 1.4"/><circle cx="25" cy="16" r="6" fill="#864a2c"/>'
const MARKS: Record<ShownAlerts['icon'], string> = {
  plain: SIGN,
  dot: `${SIGN}<circle cx="26" cy="6" r="6" fill="#b0761d"/>`,
  urgent:
    '<rect width="32" height="32" rx="7" fill="#b3261e"/><path d="M16 6v13" stroke="#fff" stroke-width="4"/><circle cx="16" cy="25.5" r="2.6" fill="#fff"/>',
}

let drawnIcon: ShownAlerts['icon'] = 'plain'

function setWindowIcon(icon: ShownAlerts['icon']): void {
  if (icon === drawnIcon) return
  drawnIcon = icon
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${MARKS[icon]}</svg>`
  for (const old of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"][data-mark]')) old.remove()
  if (icon === 'plain') return
  const link = document.createElement('link')
  link.rel = 'icon'
  link.type = 'image/svg+xml'
  link.dataset.mark = icon
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`
  document.head.append(link)
}
