/** New work: one text, and the forms that were asked for: of a template, of a repetition, of one's own choice of members. A lazy file. */
import { CalendarClock, Paperclip, Send } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { navigate } from '@/client/nav'
import { type ApiQuery, useApiQuery } from '@/client/queries'
import { myZone } from '@/client/theme'
import { Button } from '@/components/ui/Button'
import { Checkbox, OptionalSelect } from '@/components/ui/fields/Choice'
import { useFileChoice } from '@/components/ui/fields/useFileChoice'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { useServerAway } from '@/components/ui/serverAway'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { AgainAnswer, TemplateList, TemplateShown } from '@/lib/wire'
import { type Again, useAskAgain } from './askAgain'
import { type NewWork, useNewWork } from './newWork'
import { RepeatFields } from './RepeatFields'
import { RefusedFiles, RequestField, useTakeFiles, WorkFiles } from './RequestField'
import { cronOf, FIRST_REPEAT } from './repeat'
import { TaskFields, useTaskForm } from './TaskFields'
import { TemplateForm } from './TemplateForm'
import { useSendWork } from './useSendWork'

type AskDialogProps = {
  onClose: () => void
  me: string
  /** What is asked again; null: a new request. */
  again: Again | null
  /** The template to begin with; null: none. */
  template: string | null
  /** It begins with the choice of members. */
  isOwnTask: boolean
}

export default function AskDialog({ onClose, me, again, template: first, isOwnTask }: AskDialogProps) {
  const t = useTranslations()
  const work = useNewWork(me, again?.id ?? null)
  const before = useAskAgain(again, work)
  const templates = useApiQuery<TemplateList>('/api/templates').data?.templates ?? []
  const isOperator = useMe()?.person.access === 'operator'
  const isAway = useServerAway() !== null
  const { ask, schedule, makeTask, isSending, problem, forget } = useSendWork(work, onClose)
  const [isTask, setTask] = useState(isOwnTask && isOperator)
  const task = useTaskForm()
  const { form } = work
  const template = templates.find(({ id, removed }) => id === form.template && !removed) ?? null
  const missingWork = useMissing(work, template)
  const missing = missingWork ?? (isTask ? task.missing : null)
  const openWith = useEffectEvent((name: string | null): void => {
    if (name !== null && form.template !== name) work.setForm({ ...form, template: name, values: {} })
  })
  // Joins the address, which names the template that the dialog opens with.
  useEffect(() => openWith(first), [first])
  const submit = (): void => {
    if (missing !== null || isSending || isAway) return
    const cron = form.repeat === null ? null : cronOf(form.repeat)
    if (isTask) void makeTask(task)
    else void (cron === null ? ask() : schedule(cron, form.repeat?.zone || myZone()))
  }
  const canBeTask = isOperator && form.template === null && form.repeat === null && again === null
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('tasks.ask')}
      className="md:w-[44rem]!"
      foot={
        <>
          <ServerButton
            look="primary"
            icon={form.repeat === null ? <Send /> : <CalendarClock />}
            isDisabled={missing !== null || isSending}
            reason={isSending ? t('tasks.asking') : (missing ?? undefined)}
            onClick={submit}
          >
            {isTask ? t('operate.do.makeTask') : t(form.repeat === null ? 'tasks.askButton' : 'tasks.scheduleButton')}
          </ServerButton>
          {isOperator && template === null && work.text.text.trim() !== '' && again === null && !isTask ? (
            <Button look="quiet" onClick={() => navigate('/settings/templates?edit=new&from=request')}>
              {t('tasks.saveTemplate')}
            </Button>
          ) : null}
          <span className="min-w-0 text-meta text-t3">
            {isSending ? t('tasks.asking') : work.isEmpty ? null : t('tasks.draftKept')}
          </span>
        </>
      }
    >
      {again ? <AskedBefore query={before} /> : null}
      <div className="flex flex-col gap-4">
        {form.template === null ? (
          <RequestField work={work} problem={problem} onType={forget} onSubmit={submit} />
        ) : (
          <FilledTemplate work={work} template={template} problem={problem} onType={forget} />
        )}
        <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
          {isTask ? null : <TemplateChoice work={work} templates={templates} />}
          {isTask ? null : (
            <Checkbox
              label={t('tasks.repeat')}
              isChecked={form.repeat !== null}
              onChange={(isOn) => work.setForm({ ...form, repeat: isOn ? FIRST_REPEAT : null })}
            />
          )}
          {isTask || form.repeat !== null ? null : (
            <Checkbox
              label={t('tasks.reviewPlans')}
              isChecked={form.reviewPlans || template?.reviewPlans === true}
              isDisabled={template?.reviewPlans === true}
              onChange={(reviewPlans) => work.setForm({ ...form, reviewPlans })}
            />
          )}
          {canBeTask ? <Checkbox label={t('tasks.ownMembers')} isChecked={isTask} onChange={setTask} /> : null}
        </div>
        {form.repeat === null || isTask ? null : (
          <RepeatFields repeat={form.repeat} onChange={(repeat) => work.setForm({ ...form, repeat })} />
        )}
        {isTask && canBeTask ? <TaskFields form={task.form} /> : null}
      </div>
    </Dialog>
  )
}

/** The missing input of the request, as text; null: none. */
function useMissing(work: NewWork, template: TemplateShown | null): string | null {
  const t = useTranslations('tasks')
  const { form, text, files } = work
  if (form.template === null) {
    if (text.text.trim() === '') return t('writeFirst')
  } else {
    if (template === null) return t('templateGone')
    const names = files.map(({ name }) => name)
    const isOpen = (name: string, kind: string): boolean => {
      const value = form.values[name]?.trim() ?? ''
      return value === '' || (kind === 'file' && !names.includes(value))
    }
    const open = template.fields.find(({ name, kind, required }) => required && isOpen(name, kind))
    if (open) return t('fillIn', { name: open.name })
  }
  if (form.repeat === null) return null
  if (form.repeat.name.trim() === '') return t('nameSchedule')
  return cronOf(form.repeat) === null ? t('chooseTime') : null
}

function TemplateChoice({ work, templates }: { work: NewWork; templates: readonly TemplateShown[] }) {
  const t = useTranslations('tasks')
  const { form } = work
  const live = templates.filter(({ removed }) => !removed)
  if (live.length === 0 && form.template === null) return null
  return (
    <OptionalSelect
      label={t('template')}
      isLabelHidden
      className="w-52"
      none={t('noTemplate')}
      value={form.template}
      onChange={(template) => work.setForm({ ...form, template, values: {} })}
      options={live.map(({ id, name }) => ({ value: id as string, label: name }))}
    />
  )
}

/** What is not found is gone, or the reader may not read it any more. */
function AskedBefore({ query: { data, error } }: { query: ApiQuery<AgainAnswer> }) {
  const t = useTranslations('tasks')
  const faultWords = useFaultWords()
  if (error !== null && error.error !== 'NOT_FOUND')
    return <AlertText text={t('againBroken', { reason: faultWords(error) })} className="mb-3" />
  return (
    <p className="mb-3 text-table text-t2" role="status">
      {error !== null
        ? t('againGone')
        : data === undefined
          ? t('againLoading')
          : t('askedBefore', { name: data.name ?? t('againMessage') })}
    </p>
  )
}

type FilledTemplateProps = {
  work: NewWork
  /** null: it was removed. */
  template: TemplateShown | null
  problem: string | null
  onType: () => void
}

/** The fields of a template in place of the text, with the files that they name. */
function FilledTemplate({ work, template, problem, onType }: FilledTemplateProps) {
  const t = useTranslations('tasks')
  const { take, refused } = useTakeFiles(work)
  const { input, choose } = useFileChoice((list) => void take(list), { multiple: true })
  return (
    <div className="flex flex-col gap-3">
      {template ? (
        <TemplateForm
          template={template}
          values={work.form.values}
          files={work.files}
          onChange={(values) => {
            onType()
            work.setForm({ ...work.form, values })
          }}
        />
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {input}
        <Button icon={<Paperclip />} onClick={choose}>
          {t('addFiles')}
        </Button>
        <WorkFiles work={work} />
      </div>
      <AlertText text={problem} />
      <RefusedFiles refused={refused} />
    </div>
  )
}
