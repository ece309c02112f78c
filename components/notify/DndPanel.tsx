/** The panel of “Do not disturb”: for how long, and the way to its settings. */
import { useTranslations } from 'use-intl'
import { pageClock } from '@/client/clock'
import { Link } from '@/client/nav'
import { dndWith, useDnd } from '@/client/notify/useDnd'
import { Button } from '@/components/ui/Button'
import { useSaveSettings } from '@/components/ui/useSaveSettings'

const MINUTE_MS = 60_000
const CHOICES = [30, 60, 240] as const

export default function DndPanel({ onClose }: { onClose: () => void }) {
  const t = useTranslations('notify')
  const save = useSaveSettings()
  const { isResting, settings } = useDnd()
  const choose = (isOn: boolean, minutes: number | null): void => {
    onClose()
    const until = isOn && minutes !== null ? pageClock.now() + minutes * MINUTE_MS : null
    void save(dndWith({ isOn, until }))
  }
  return (
    <>
      <p className="mb-2 text-table text-t2">{t('disturbWhy')}</p>
      <div className="flex flex-col items-stretch gap-1.5">
        {isResting && settings.isOn ? (
          <Button look="primary" onClick={() => choose(false, null)}>
            {t('endRest')}
          </Button>
        ) : null}
        {CHOICES.map((minutes) => (
          <Button key={minutes} onClick={() => choose(true, minutes)}>
            {t('restFor', { minutes })}
          </Button>
        ))}
        <Button onClick={() => choose(true, null)}>{t('restOn')}</Button>
        <Link
          href="/settings/notifications"
          className="mt-1 flex items-center text-table text-link touch:h-11"
          onClick={onClose}
        >
          {t('toSettings')}
        </Link>
      </div>
    </>
  )
}
