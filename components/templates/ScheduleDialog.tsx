import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { FormDialog } from '@/components/operate/FormDialog'
import { useActForm } from '@/components/operate/useActForm'
import { RepeatFields } from '@/components/tasks/RepeatFields'
import { cronOf, repeatOf, repeatShape } from '@/components/tasks/repeat'
import { TextArea } from '@/components/ui/fields/TextField'
import type { ScheduleShown } from '@/lib/wire'
import { changeScheduleAct } from './templateActs'

const shape = z.object({ text: z.string(), repeat: repeatShape })

type ScheduleDialogProps = { schedule: ScheduleShown; onDone: () => void; onClose: () => void }

export function ScheduleDialog({ schedule: { id, name, text, cron, timeZone }, onDone, onClose }: ScheduleDialogProps) {
  const t = useTranslations('templates')
  const nothing = { name, text, cron, timeZone }
  const start = { text, repeat: { name, ...repeatOf(cron) } }
  const form = useActForm(changeScheduleAct(id, nothing).place, shape, start)
  const { repeat, text: request } = form.values
  const next = cronOf(repeat)
  const missing =
    repeat.name.trim() === ''
      ? t('missing.name')
      : request.trim() === ''
        ? t('missing.text')
        : next === null
          ? t('missing.time')
          : null
  return (
    <FormDialog
      title={t('changeSchedule')}
      action={t('save')}
      hasReason={false}
      missing={missing}
      act={changeScheduleAct(id, { name: repeat.name.trim(), text: request, cron: next ?? '', timeZone })}
      done={t('scheduleSaved')}
      onDone={onDone}
      onClose={onClose}
    >
      <RepeatFields repeat={repeat} timeZone={timeZone} onChange={(repeat) => form.set({ repeat })} />
      <TextArea {...form.text('text')} label={t('requestText')} minLines={3} maxLines={10} />
    </FormDialog>
  )
}
