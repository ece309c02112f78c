import { CalendarClock, Send } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ApiResult } from '@/client'
import { useMe } from '@/client/account/session'
import { navigate, pathTo } from '@/client/nav'
import { type ApiQuery, useApiQuery } from '@/client/queries'
import { myZone } from '@/client/theme'
import { Button } from '@/components/ui/Button'
import { Checkbox, OptionalSelect } from '@/components/ui/fields/Choice'
import { isSubmit } from '@/components/ui/fields/keyboard'
import { DraftArea } from '@/components/ui/fields/OtherDraft'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { useServerAway } from '@/components/ui/serverAway'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { AgainAnswer, TemplateList, TemplateShown } from '@/lib/wire'
import { type Again, useAskAgain } from './askAgain'
import { FileDrop } from './FileDrop'
import { type NewWork, useNewWork } from './newWork'
import { RepeatFields } from './RepeatFields'
import { cronOf, FIRST_REPEAT } from './repeat'
import { TemplateForm } from './TemplateForm'
import { WorkspaceList } from './WorkspaceList'
import { insertPath } from './workFiles'

type AskDialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  me: string
  /** null: not loaded yet */
  baseTask: string | null
  /** What is asked again; null: a new request. */
  again: Again | null
  /** The template to begin with; null: none. */
  template: string | null
}

export function AskDialog({ isOpen, onOpenChange, me, baseTask, again, template: first }: AskDialogProps) {
  const t = useTranslations()
  const work = useNewWork(me, again?.id ?? null)
  const before = useAskAgain(isOpen ? again : null, work)
  const templates = useApiQuery<TemplateList>(isOpen ? '/api/templates' : null).data?.templates ?? []
  const isOperator = useMe()?.person.access === 'operator'
  const isAway = useServerAway() !== null
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { form } = work
  const template = templates.find(({ id, removed }) => id === form.template && !removed) ?? null
  const missing = useMissing(work, template)
  const openWith = useEffectEvent((name: string | null): void => {
    if (name !== null && form.template !== name) work.setForm({ ...form, template: name, values: {} })
  })
  // Joins the address, which names the template that the dialog opens with.
  useEffect(() => openWith(first), [first])
  const faultWords = useFaultWords()
  const failed = (answer: ApiResult<unknown>): boolean => {
    if (answer.ok) return false
    setProblem(faultWords(answer.fault, t('error.textKept')))
    return true
  }
  const ask = async (): Promise<void> => {
    const answer = await work.ask()
    setAsking(false)
    if (failed(answer) || !answer.ok) return
    onOpenChange(false)
    const open = {
      label: t('tasks.openChat'),
      onPress: () => baseTask && navigate(pathTo('task', { taskId: baseTask })),
    }
    showToast('done', t('tasks.asked', { count: answer.value.saved.length }), { actions: baseTask ? [open] : [] })
  }
  const schedule = async (cron: string, zone: string): Promise<void> => {
    const answer = await work.schedule(cron, zone)
    setAsking(false)
    if (failed(answer)) return
    onOpenChange(false)
    const open = { label: t('tasks.openSchedules'), onPress: () => navigate('/settings/templates') }
    showToast('done', t('tasks.scheduled'), { actions: [open] })
  }
  const submit = (): void => {
    if (missing !== null || isAsking || isAway) return
    setAsking(true)
    setProblem(null)
    const cron = form.repeat === null ? null : cronOf(form.repeat)
    void (cron === null ? ask() : schedule(cron, form.repeat?.zone || myZone()))
  }
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={t('tasks.ask')}
      className="md:w-[40rem]!"
      foot={
        <>
          <ServerButton
            look="primary"
            icon={form.repeat === null ? <Send /> : <CalendarClock />}
            isDisabled={missing !== null || isAsking}
            reason={isAsking ? t('tasks.asking') : (missing ?? undefined)}
            onClick={submit}
          >
            {t(form.repeat === null ? 'tasks.askButton' : 'tasks.scheduleButton')}
          </ServerButton>
          <Button look="quiet" onClick={() => onOpenChange(false)}>
            {t('common.close')}
          </Button>
          {isOperator && template === null && work.text.text.trim() !== '' && again === null ? (
            <Button look="quiet" onClick={() => navigate('/settings/templates?edit=new&from=request')}>
              {t('tasks.saveTemplate')}
            </Button>
          ) : null}
          <span className="min-w-0 text-meta text-t3">
            {isAsking ? t('tasks.asking') : work.isEmpty ? null : t('tasks.draftKept')}
          </span>
        </>
      }
    >
      {isOpen && again ? <AskedBefore query={before} /> : null}
      <div className="flex flex-col gap-4">
        <TemplateChoice work={work} templates={templates} />
        <WorkFields
          work={work}
          template={template}
          problem={problem}
          onType={() => setProblem(null)}
          onSubmit={submit}
        />
        <Checkbox
          label={t('tasks.repeat')}
          isChecked={form.repeat !== null}
          onChange={(isOn) => work.setForm({ ...form, repeat: isOn ? FIRST_REPEAT : null })}
        />
        {form.repeat === null ? null : (
          <RepeatFields repeat={form.repeat} onChange={(repeat) => work.setForm({ ...form, repeat })} />
        )}
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
      none={t('noTemplate')}
      value={form.template}
      onChange={(template) => work.setForm({ ...form, template, values: {} })}
      options={live.map(({ id, name }) => ({ value: id as string, label: name }))}
    />
  )
}

/** answer: null: it is loading. What is not found is gone, or the reader may not read it any more. */
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

type WorkFieldsProps = {
  work: NewWork
  template: TemplateShown | null
  problem: string | null
  onType: () => void
  onSubmit: () => void
}

function WorkFields({ work, template, problem, onType, onSubmit }: WorkFieldsProps) {
  const t = useTranslations()
  const box = useRef<HTMLTextAreaElement>(null)
  const cursor = useRef<number | null>(null)
  const pick = (path: string): void => {
    const put = insertPath(work.text.text, path, cursor.current ?? work.text.text.length)
    work.text.setText(put.text)
    cursor.current = put.cursor
    // After React wrote the new text.
    requestAnimationFrame(() => {
      box.current?.focus()
      box.current?.setSelectionRange(put.cursor, put.cursor)
    })
  }
  return (
    <div className="flex flex-col gap-4">
      {template === null ? (
        <>
          <DraftArea
            draft={work.text}
            ref={box}
            label={t('tasks.wish')}
            hint={t('tasks.wishHint')}
            placeholder={t('tasks.examples')}
            error={problem}
            minLines={4}
            maxLines={8}
            onText={(text) => {
              onType()
              work.text.setText(text)
            }}
            onSelect={(event) => {
              cursor.current = event.currentTarget.selectionStart
            }}
            onKeyDown={(event) => {
              if (!isSubmit(event, 'mod-enter')) return
              event.preventDefault()
              onSubmit()
            }}
          />
          <div>
            <h3 className="mb-1 text-table font-medium">{t('tasks.workspace')}</h3>
            <WorkspaceList onPick={pick} />
          </div>
        </>
      ) : (
        <>
          <TemplateForm
            template={template}
            values={work.form.values}
            files={work.files}
            onChange={(values) => {
              onType()
              work.setForm({ ...work.form, values })
            }}
          />
          <AlertText text={problem} />
        </>
      )}
      <DraftArea
        draft={work.pasted}
        label={t('tasks.pasted')}
        hint={t('tasks.pastedHint')}
        minLines={2}
        maxLines={8}
        className="font-mono text-table!"
      />
      <div>
        <h3 className="mb-1 text-table font-medium">{t('tasks.files')}</h3>
        <FileDrop files={work.files} onChange={work.setFiles} />
      </div>
    </div>
  )
}
