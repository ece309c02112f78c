/** How loudly a task alerts this member, kept in their settings. */
import { Bell, BellDot, BellMinus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { IconButton } from '@/components/ui/Button'
import { Menu, type MenuEntry } from '@/components/ui/overlays/Menu'
import { showToast } from '@/components/ui/overlays/toast'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import type { TaskId } from '@/lib/mas/ids'
import { LEVELS, levelOf, type RingLevel } from '@/lib/wire/levels'

const ICONS: Record<RingLevel, typeof Bell> = { all: BellDot, mentions: Bell, urgent: BellMinus }

/** out: the level now, and the choice as a menu entry */
export function useLevelEntry(task: TaskId): { level: RingLevel; entry: MenuEntry } {
  const t = useTranslations()
  const level = levelOf(useMe()?.settings.levels, task)
  const save = useSaveSettings()
  const keep = (next: RingLevel): Promise<boolean> => save(({ levels }) => ({ levels: { ...levels, [task]: next } }))
  const choose = async (next: RingLevel): Promise<void> => {
    if (next === level || !(await keep(next))) return
    showToast('done', t(`chat.level.did.${next}`), {
      actions: [{ label: t('common.undo'), onPress: () => void keep(level) }],
    })
  }
  return {
    level,
    entry: {
      kind: 'choice',
      isAct: true,
      label: t('chat.level.menu'),
      value: level,
      options: LEVELS.map((value) => ({ value, label: t(`chat.level.${value}`) })),
      onChange: (value) => {
        const next = LEVELS.find((one) => one === value)
        if (next) void choose(next)
      },
    },
  }
}

export function LevelMenu({ task }: { task: TaskId }) {
  const t = useTranslations('chat.level')
  const { level, entry } = useLevelEntry(task)
  const Icon = ICONS[level]
  return (
    <span className="max-md:hidden">
      <Menu
        label={t('menu')}
        trigger={<IconButton icon={<Icon aria-hidden />} label={t('button', { level: t(level) })} />}
        entries={[entry]}
      />
    </span>
  )
}
