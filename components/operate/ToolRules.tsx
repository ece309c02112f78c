/** The tools that an operator allowed for a task, or has always ask there: who, when, taking it back, one more. */
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useToolServers } from '@/client/queries/useToolServers'
import { Checkbox, OptionalSelect, RadioChoice } from '@/components/ui/fields/Choice'
import { TimeText } from '@/components/ui/marks/Time'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import type { TaskRecord, ToolRule } from '@/lib/mas/records'
import { actAt, ruleToolAct } from './acts'
import { FormDialog } from './FormDialog'
import type { Shown } from './TaskDialogs'
import { useActForm } from './useActForm'
import { useSendAct } from './useSendAct'

const newRule = z.object({ tool: z.string(), rule: z.enum(['allow', 'ask']), overAlways: z.boolean() })
const NO_RULE: z.infer<typeof newRule> = { tool: '', rule: 'allow', overAlways: false }

/** A server's name has no slash. */
const keyOf = (server: string, tool: string): string => `${server}/${tool}`
const toolAt = (key: string): { server: string; tool: string } => {
  const [server = '', ...tool] = key.split('/')
  return { server, tool: tool.join('/') }
}

export function ToolRules({ task, nameOf, onClose }: Shown) {
  const t = useTranslations('operate')
  const rules = task.toolRules ?? []
  const place = ruleToolAct(task.id, { server: '', tool: 'new' }, 'allow', false).place
  const { values: form, set } = useActForm(place, newRule, NO_RULE)
  const { servers } = useToolServers(true)
  const tools = servers.flatMap(({ name, offers }) => (offers ?? []).map((offer) => keyOf(name, offer.name)))
  const act = ruleToolAct(task.id, toolAt(form.tool), form.rule, form.overAlways)
  return (
    <FormDialog
      title={t('toolRule.list')}
      action={t('toolRule.add')}
      missing={form.tool === '' ? t('toolRule.chooseTool') : null}
      act={actAt(place, act)}
      done={t(`toolRule.done.${form.rule}`, { tool: form.tool.replace('/', '.') })}
      onClose={onClose}
    >
      {rules.length === 0 ? (
        <p className="text-t2">{t('toolRule.none')}</p>
      ) : (
        <ul
          aria-label={t('toolRule.list')}
          className="flex flex-col divide-y divide-line rounded-control border border-line"
        >
          {rules.map((rule) => (
            <RuleRow key={keyOf(rule.server, rule.tool)} task={task} rule={rule} by={nameOf(rule.by)} />
          ))}
        </ul>
      )}
      <OptionalSelect
        label={t('toolRule.tool')}
        none={t('toolRule.chooseTool')}
        options={tools.map((key) => ({ value: key, label: key.replace('/', '.') }))}
        value={form.tool || null}
        onChange={(tool) => set({ tool: tool ?? '' })}
      />
      <RadioChoice
        label={t('toolRule.rule')}
        choices={[
          { value: 'allow', label: t('toolRule.word.allow') },
          { value: 'ask', label: t('toolRule.word.ask') },
        ]}
        value={form.rule}
        onChange={(rule) => set({ rule })}
      />
      {form.rule === 'allow' ? (
        <Checkbox
          label={t('toolRule.overAlways')}
          isChecked={form.overAlways}
          onChange={(overAlways) => set({ overAlways })}
        />
      ) : null}
    </FormDialog>
  )
}

function RuleRow({ task, rule, by }: { task: TaskRecord; rule: ToolRule; by: string }) {
  const t = useTranslations('operate')
  const { failure, isSending, send } = useSendAct()
  const tool = `${rule.server}.${rule.tool}`
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-table">
      <span className="min-w-0 grow">
        <span data-literal className="font-mono break-words">
          {tool}
        </span>{' '}
        · <b>{t(`toolRule.word.${rule.rule}`)}</b>
        <span className="block text-meta text-t3">
          {t.rich('toolRule.byWhen', { who: by, time: () => <TimeText key="t" at={rule.at} /> })}
          {rule.overAlways ? ` · ${t('toolRule.overAlwaysShort')}` : ''}
        </span>
      </span>
      <ServerButton
        isDisabled={isSending}
        aria-label={t('toolRule.revokeNamed', { tool })}
        onClick={() => void send(tool, (head) => ruleToolAct(task.id, rule, null, false)('', head))}
      >
        {t('toolRule.revoke')}
      </ServerButton>
      <AlertText text={failure} className="basis-full text-meta" />
    </li>
  )
}
