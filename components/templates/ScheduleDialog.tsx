import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { FormDialog } from '@/components/operate/FormDialog'
import { useActForm } from '@/components/operate/useActForm'
import { RepeatFields } from '@/components/tasks/RepeatFields'
import { cronOf, type Repeat, repeatOf, repeatShape } from '@/components/tasks/repeat'
import { TextArea } from '@/components/ui/fields/TextField'
import type { ScheduleShown } from '@/lib/wire'
import { changeScheduleAct } from './templateActs'

const shape = z.object({ text: z.string(), repeat: repeatShape })
type Form = { text: string; repeat: Repeat }
const read = (kept: unknown): Form | undefined => shape.safeParse(kept).data

type ScheduleDialogProps = { schedule: ScheduleShown; onDone: () => void; onClose: () => void }

export function ScheduleDialog({ schedule: { id, name, text, cron, timeZone }, onDone, onClose }: ScheduleDialogProps) {
  const t = useTranslations('templates')
  const nothing = { name, text, cron, timeZone }
  const start: Form = { text, repeat: { name, ...repeatOf(cron) } }
  const [form, change] = useActForm<Form>(changeScheduleAct(id, nothing).place, start, read)
  const next = cronOf(form.repeat)
  const missing =
    form.repeat.name.trim() === ''
      ? t('missing.name')
      : form.text.trim() === ''
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
      act={changeScheduleAct(id, { name: form.repeat.name.trim(), text: form.text, cron: next ?? '', timeZone })}
      form={form}
      done={t('scheduleSaved')}
      onDone={onDone}
      onClose={onClose}
    >
      <RepeatFields repeat={form.repeat} timeZone={timeZone} onChange={(repeat) => change({ ...form, repeat })} />
      <TextArea
        label={t('requestText')}
        value={form.text}
        minLines={3}
        maxLines={10}
        onChange={(event) => change({ ...form, text: event.target.value })}
      />
    </FormDialog>
  )
}
