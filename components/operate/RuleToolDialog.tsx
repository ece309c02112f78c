/** An operator allows a tool for one task, or has it always ask there. */
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { Checkbox } from '@/components/ui/fields/Choice'
import type { TaskId } from '@/lib/mas/ids'
import type { HeldCall, ToolRule } from '@/lib/mas/records'
import { ruleToolAct } from './acts'
import { FormDialog } from './FormDialog'
import { useActForm } from './useActForm'

const shape = z.object({ isOver: z.boolean() })

type RuleToolDialogProps = {
  task: TaskId
  /** Of the tool; always: its configuration says that it always asks. */
  call: Pick<HeldCall, 'server' | 'tool' | 'always'>
  rule: ToolRule['rule']
  onClose: () => void
}

export function RuleToolDialog({ task, call, rule, onClose }: RuleToolDialogProps) {
  const t = useTranslations('operate')
  const tool = `${call.server}.${call.tool}`
  const { place } = ruleToolAct(task, call, rule, false)
  const { values, set } = useActForm(place, shape, { isOver: false })
  const { isOver } = values
  const isStrong = rule === 'allow' && call.always === true
  return (
    <FormDialog
      title={t(`toolRule.title.${rule}`, { tool })}
      action={t(`toolRule.do.${rule}`)}
      missing={isStrong && !isOver ? t('toolRule.overAlwaysFirst') : null}
      act={ruleToolAct(task, call, rule, isOver)}
      done={t(`toolRule.done.${rule}`, { tool })}
      onClose={onClose}
    >
      <p>{t(`toolRule.what.${rule}`, { tool })}</p>
      {isStrong ? (
        <Checkbox label={t('toolRule.overAlways')} isChecked={isOver} onChange={(isOver) => set({ isOver })} />
      ) : null}
    </FormDialog>
  )
}
