/** The dialog that erases a task: it says what goes and what stays, and asks for the name of the task. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { taskTitle } from '@/client/readersWords'
import { TextField } from '@/components/ui/fields/TextField'
import type { TaskRecord } from '@/lib/mas/records'
import { eraseTaskAct } from './acts'
import { FormDialog } from './FormDialog'

export function EraseTask({ task, onClose }: { task: TaskRecord; onClose: () => void }) {
  const t = useTranslations('operate')
  const [typed, setTyped] = useState('')
  const name = taskTitle(task.name)
  return (
    <FormDialog
      title={t('act.eraseTask')}
      action={t('do.eraseTask')}
      takesAway
      missing={typed.trim() === name.trim() ? null : t('missing.taskName')}
      act={eraseTaskAct(task.id)}
      besides={typed}
      done={t('done.eraseTask')}
      onClose={onClose}
    >
      <p>{t('what.eraseTask')}</p>
      <p>{t('notErased')}</p>
      <TextField label={t('taskName', { name })} value={typed} onChange={(event) => setTyped(event.target.value)} />
    </FormDialog>
  )
}
