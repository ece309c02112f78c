/** Standing rules for tools: in a task, by an agent, and what the configuration says; one more, and taking one back. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { useRecords } from '@/client'
import { pageClock } from '@/client/clock'
import { type ApiQuery, useApiQuery } from '@/client/queries'
import { OptionalSelect, RadioChoice, Select } from '@/components/ui/fields/Choice'
import { TimeText } from '@/components/ui/marks/Time'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText, FaultState, Skeleton } from '@/components/ui/States'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import { TOOL_RULES, type ToolRule } from '@/lib/mas/records'
import type { RuleOwner } from '@/lib/mas/steps/toolRules'
import type { ToolRulesAnswer } from '@/lib/wire'
import { actAt, ruleToolAct } from './acts'
import { FormDialog } from './FormDialog'
import { useTeam } from './MemberDialogs'
import { useActForm } from './useActForm'
import { useSendAct } from './useSendAct'

const HOUR_MS = 3_600_000
/** How long a tool may be allowed for; null: until it is taken back. */
const TERMS = { hour: HOUR_MS, workday: 8 * HOUR_MS, week: 7 * 24 * HOUR_MS, open: null } as const
type Term = keyof typeof TERMS

const newRule = z.object({
  tool: z.string(),
  /** The id of an agent; '': the task. */
  agent: z.string(),
  rule: z.enum(TOOL_RULES),
  term: z.enum(['hour', 'workday', 'week', 'open']),
})

type Tool = Pick<ToolRule, 'server' | 'tool'>
/** A server's name has no slash. */
const keyOf = ({ server, tool }: Tool): string => `${server}/${tool}`
const toolAt = (key: string): Tool => {
  const [server = '', ...tool] = key.split('/')
  return { server, tool: tool.join('/') }
}
const nameOf = ({ server, tool }: Tool): string => `${server}.${tool}`

/** in: task: of this task and its members; null: all; version: fetched again when it changes */
const useToolRules = (task: TaskId | null, version: string): ApiQuery<ToolRulesAnswer> =>
  useApiQuery<ToolRulesAnswer>(task === null ? '/api/tool_rules' : `/api/tool_rules?task=${encodeURIComponent(task)}`, {
    version,
  })

type ToolRulesProps = {
  task: TaskId
  /** The one call about which it was opened; null: any tool, by any agent of the task. */
  of: (Tool & { agent: AgentId }) | null
  onClose: () => void
}

/** in: of a task and its members */
export function ToolRulesDialog({ task, of, onClose }: ToolRulesProps) {
  const members = useRecords(`task:${task}`, (world) =>
    (world.tasks[task]?.group ?? []).flatMap((id) => world.agents[id] ?? []),
  )
  const version = useRecords(`task:${task}`, (world) =>
    JSON.stringify([world.tasks[task], ...members].map((owner) => owner?.toolRules)),
  )
  return <RuleForm task={task} of={of} members={members} version={version} onClose={onClose} />
}

/** One more rule for an agent, in all tasks. */
function AgentRuleDialog({ onClose }: Pick<ToolRulesProps, 'onClose'>) {
  return <RuleForm task={null} of={null} members={useTeam()} version="" onClose={onClose} />
}

type RuleFormProps = Omit<ToolRulesProps, 'task'> & {
  /** null: rules of agents alone. */
  task: TaskId | null
  members: readonly { id: string; name: string; kind: string }[]
  version: string
}

function RuleForm({ task, of, members, version, onClose }: RuleFormProps) {
  const t = useTranslations('operate')
  const agents = members.filter(({ kind }) => kind === 'llm')
  const { data, error, refetch } = useToolRules(task, version)
  const about: RuleOwner = task === null ? { agent: asId<AgentId>('new') } : { task }
  const place = ruleToolAct(about, of ?? { server: '', tool: 'new' }, 'ask').place
  // The narrowest and strictest is chosen first.
  const start = { tool: of === null ? '' : keyOf(of), agent: '', rule: 'ask', term: 'workday' } as const
  const { values: form, set } = useActForm(place, newRule, start)
  const tools = data?.tools ?? []
  const chosen = tools.find((one) => keyOf(one) === form.tool)
  const isLocked = chosen?.configured === 'always'
  const rule = isLocked && form.rule === 'allow' ? 'ask' : form.rule
  const owner: RuleOwner = form.agent === '' ? about : { agent: asId<AgentId>(form.agent) }
  const term = rule === 'allow' ? TERMS[form.term] : null
  const act = ruleToolAct(owner, toolAt(form.tool), rule, term === null ? null : pageClock.now() + term)
  const shownTools = of === null ? tools.map(keyOf) : [keyOf(of)]
  return (
    <FormDialog
      title={t('toolRule.list')}
      action={t('toolRule.add')}
      missing={
        form.tool === ''
          ? t('toolRule.chooseTool')
          : task === null && form.agent === ''
            ? t('toolRule.chooseAgent')
            : null
      }
      act={actAt(place, act)}
      done={t('toolRule.done', { tool: form.tool.replace('/', '.'), rule: t(`toolRule.word.${rule}`) })}
      onClose={onClose}
    >
      {task === null ? null : <Rules data={data} error={error} refetch={refetch} only={of} />}
      <OptionalSelect
        label={t('toolRule.tool')}
        none={t('toolRule.chooseTool')}
        options={shownTools.map((key) => ({ value: key, label: key.replace('/', '.') }))}
        value={form.tool || null}
        onChange={(tool) => set({ tool: tool ?? '' })}
      />
      <Select
        label={t('toolRule.where')}
        options={[
          { value: '', label: t(task === null ? 'toolRule.chooseAgent' : 'toolRule.inTask') },
          ...agents
            .filter(({ id }) => of === null || id === of.agent)
            .map(({ id, name }) => ({ value: `${id}`, label: t('toolRule.byAgent', { name }) })),
        ]}
        value={form.agent}
        onChange={(agent) => set({ agent })}
      />
      <RadioChoice
        label={t('toolRule.rule')}
        choices={TOOL_RULES.filter((one) => one !== 'allow' || !isLocked).map((one) => ({
          value: one,
          label: t(`toolRule.word.${one}`),
        }))}
        value={rule}
        onChange={(rule) => set({ rule })}
      />
      {isLocked ? <p className="text-table text-t2">{t('toolRule.locked')}</p> : null}
      {rule === 'allow' ? (
        <>
          <Select
            label={t('toolRule.term')}
            options={(Object.keys(TERMS) as Term[]).map((one) => ({ value: one, label: t(`toolRule.terms.${one}`) }))}
            value={form.term}
            onChange={(term) => set({ term })}
          />
          <p className="text-table text-t2">{t('toolRule.allowWhat')}</p>
        </>
      ) : null}
    </FormDialog>
  )
}

/** All rules of operators, for the page of tools, and one more for an agent. */
export function AllToolRules() {
  const t = useTranslations('operate')
  const rules = useToolRules(null, '')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Rules {...rules} only={null} />
      <ServerButton icon={<Plus />} className="mt-2" onClick={() => setOpen(true)}>
        {t('toolRule.new')}
      </ServerButton>
      {isOpen ? (
        <AgentRuleDialog
          onClose={() => {
            setOpen(false)
            rules.refetch()
          }}
        />
      ) : null}
    </>
  )
}

type RulesProps = Pick<ApiQuery<ToolRulesAnswer>, 'data' | 'error' | 'refetch'> & { only: Tool | null }

function Rules({ data, error, refetch, only }: RulesProps) {
  const t = useTranslations('operate')
  if (data) return <RuleList answer={data} only={only} onRevoked={refetch} />
  if (error) return <FaultState title={t('toolRule.broken')} fault={error} onRetry={refetch} />
  return <Skeleton lines={2} className="px-0!" />
}

type RuleRow = ToolRulesAnswer['rules'][number]
type RuleListProps = { answer: ToolRulesAnswer; only: Tool | null; onRevoked: () => void }

function RuleList({ answer: { rules, tools }, only, onRevoked }: RuleListProps) {
  const t = useTranslations('operate')
  const isShown = (one: Tool): boolean => only === null || keyOf(one) === keyOf(only)
  const own = rules.filter(isShown)
  const configured = tools.filter((one) => one.configured !== 'risky' && isShown(one))
  if (own.length + configured.length === 0) return <p className="text-t2">{t('toolRule.none')}</p>
  return (
    <ul
      aria-label={t('toolRule.list')}
      className="flex flex-col divide-y divide-line rounded-control border border-line"
    >
      {own.map((rule) => (
        <OwnRule key={`${rule.owner.id} ${keyOf(rule)}`} rule={rule} onRevoked={onRevoked} />
      ))}
      {configured.map((one) => (
        <li key={keyOf(one)} className="px-3 py-2 text-table">
          <RuleName tool={one} word={t(`toolRule.configured.${one.configured}`)} />
          <span className="block text-meta text-t3">{t('toolRule.byConfiguration')}</span>
        </li>
      ))}
    </ul>
  )
}

function RuleName({ tool, word }: { tool: Tool; word: string }) {
  return (
    <>
      <span data-literal className="font-mono break-words">
        {nameOf(tool)}
      </span>{' '}
      · <b>{word}</b>
    </>
  )
}

function OwnRule({ rule, onRevoked }: { rule: RuleRow; onRevoked: () => void }) {
  const t = useTranslations('operate')
  const { failure, isSending, send } = useSendAct()
  const { owner } = rule
  const whose: RuleOwner = owner.kind === 'task' ? { task: asId(owner.id) } : { agent: asId(owner.id) }
  const revoke = async (): Promise<void> => {
    if (await send(keyOf(rule), (head) => ruleToolAct(whose, rule, null)('', head))) onRevoked()
  }
  const time = (at: number) => () => <TimeText key="t" at={at} />
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-table">
      <span className="min-w-0 grow">
        <RuleName tool={rule} word={t(`toolRule.word.${rule.rule}`)} />
        <span className="block text-meta text-t3">
          {owner.kind === 'task'
            ? t('toolRule.ofTask', { name: owner.name })
            : t('toolRule.byAgent', { name: owner.name })}
          {' · '}
          {t.rich('toolRule.byWhen', { who: rule.by, time: time(rule.at) })}
          {rule.endsAt === null ? null : <> · {t.rich('toolRule.endsAt', { time: time(rule.endsAt) })}</>}
        </span>
      </span>
      <ServerButton
        isDisabled={isSending}
        aria-label={t('toolRule.revokeNamed', { tool: nameOf(rule) })}
        onClick={() => void revoke()}
      >
        {t('toolRule.revoke')}
      </ServerButton>
      <AlertText text={failure} className="basis-full text-meta" />
    </li>
  )
}
