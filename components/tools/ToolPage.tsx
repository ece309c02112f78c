import { Play } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { command, type TextDraft, useConnection, useDraft } from '@/client'
import { Link, pathTo, setSearch, useSearchParam } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { useApiQuery } from '@/client/queries'
import { isAway, type ListedToolServer, useToolServers } from '@/client/queries/useToolServers'
import { taskTitle } from '@/client/readersWords'
import { type Field, fieldsOf } from '@/components/form/schemaFields'
import { useSendAct } from '@/components/operate/useSendAct'
import { ArgumentsView } from '@/components/request/bodies/ArgumentsView'
import { editedAt } from '@/components/request/useAnswering'
import { LinkButton } from '@/components/ui/Button'
import { Select } from '@/components/ui/fields/Choice'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { ConfirmDialog } from '@/components/ui/overlays/Dialog'
import { PageHeading } from '@/components/ui/PageHeading'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText, ErrorState, FaultState, Skeleton } from '@/components/ui/States'
import { LongText } from '@/components/ui/text/LongText'
import { Scrolled } from '@/components/ui/text/Scrolled'
import { useToolWords } from '@/components/ui/text/toolWords'
import { fieldsIn, isJsonObject } from '@/lib/json'
import type { Json } from '@/lib/mas/records'
import type {
  ArgumentsAnswer,
  CommandAnswer,
  CommandHead,
  PostRunTool,
  RequestAnswerBody,
  StepAnswer,
  ToolAnswer,
  ToolOffer,
} from '@/lib/wire'
import { ArgumentsForm } from './ArgumentsForm'
import { RunResult } from './RunResult'
import { How, ServerStateChip, useAwayWords } from './ToolLines'
import {
  type Arguments,
  argumentsOf,
  draftKey,
  editedDraft,
  filledDraft,
  type ReadArguments,
  readToolDraft,
  type ToolDraft,
  writeToolDraft,
} from './toolDraft'
import { type Places, usePlaces, WITHOUT_STAGE, WITHOUT_TASK } from './usePlaces'

export default function ToolPage({ params, person }: ScreenProps) {
  const t = useTranslations('tools')
  const { isLoading, fault, servers, refetch } = useToolServers(true)
  const awayWords = useAwayWords()
  const [name = '', tool = ''] = [params.server, params.tool]
  const server = servers.find((one) => one.name === name)
  const offer = server?.offers?.find((one) => one.name === tool)
  const all = <LinkButton href={pathTo('tools')}>{t('all')}</LinkButton>
  const signIn = <LinkButton href={pathTo('settings', { page: 'models' })}>{t('signIn')}</LinkButton>
  return (
    <div data-scroll className="page-scroll pb-12">
      <div className="page-column">
        <Link href={pathTo('tools')} className="mt-3 inline-block text-table text-t2 hover:underline lg:hidden">
          {t('all')}
        </Link>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-4 pb-1 max-lg:pt-1">
          <PageHeading title={[`${name}.${tool}`, t('title')]} className="min-w-0 break-words">
            {offer?.title ?? tool}
          </PageHeading>
          {offer ? <How offer={offer} /> : null}
          {server ? <ServerStateChip state={server.state} /> : null}
        </div>
        {server && offer ? (
          <OpenTool key={`${name}/${tool}`} server={server} offer={offer} person={person} />
        ) : fault !== null ? (
          <FaultState title={t('broken')} fault={fault} onRetry={refetch} />
        ) : isLoading || server?.offers === null ? (
          <div aria-busy="true">
            <Skeleton lines={6} className="px-0!" />
          </div>
        ) : server === undefined ? (
          <ErrorState title={t('notYours', { server: name })} action={all}>
            {t('notYoursWhy')}
          </ErrorState>
        ) : isAway(server) ? (
          <ErrorState
            title={t(server.state === 'needs_sign_in' ? 'signInFirst' : 'away', { server: name })}
            onRetry={refetch}
            action={server.state === 'needs_sign_in' && person.access === 'operator' ? signIn : all}
            details={server.fault === null ? (server.error ?? undefined) : JSON.stringify(server.fault)}
          >
            {awayWords(server)}
          </ErrorState>
        ) : (
          <ErrorState title={t('gone', { tool, server: name })} action={all}>
            {t('goneWhy')}
          </ErrorState>
        )}
      </div>
    </div>
  )
}

type ToolCall = { args: Arguments; task: string; stage: string | null }

type OpenToolProps = { server: ListedToolServer; offer: ToolOffer; person: ScreenProps['person'] }

function OpenTool({ server, offer, person }: OpenToolProps) {
  const t = useTranslations('tools')
  const fields = useMemo(() => fieldsOf(offer.schema), [offer.schema])
  const { from, filled } = useFilled()
  const kept = useDraft(draftKey(server.name, offer.name, from))
  const reason = useDraft(draftKey(server.name, offer.name, 'reason'))
  const draft = readToolDraft(kept.text)
  const asked = useSearchParam('task')
  const places = usePlaces({ task: asked ?? draft.task, stage: draft.stage }, person.access)
  const [wrong, setWrong] = useState<Extract<ReadArguments, { ok: false }> | null>(null)
  const [toConfirm, setToConfirm] = useState<ToolCall | null>(null)
  const { run, isSending, failure, forget } = useRun(server.name)
  const step = useSearchParam('run')
  useFill(filled, kept, fields)

  const change = (more: Partial<ToolDraft>): void => {
    setWrong(null)
    forget()
    kept.setText(writeToolDraft({ ...draft, ...more }))
  }
  const off = useWhyOff(places, isSending)
  const start = async (call: ToolCall, confirmed: { reason: string } | null): Promise<boolean> => {
    const { args, task, stage } = call
    const made = await run({
      task,
      stage,
      tool: offer.name,
      arguments: args,
      confirmed: confirmed !== null,
      reason: confirmed?.reason ?? '',
    })
    if (made !== null) setSearch({ run: made }, { replace: true })
    return made !== null
  }
  const press = (): void => {
    const read = argumentsOf(draft, fields)
    setWrong(read.ok ? null : read)
    if (!read.ok || off !== null || places.task === null) return
    const stage = places.stage === WITHOUT_STAGE ? null : places.stage
    const call = { args: read.args, task: places.task.task, stage }
    if (offer.asks) setToConfirm(call)
    else void start(call, null)
  }
  const endConfirm = (): void => {
    setToConfirm(null)
    forget()
  }

  return (
    <>
      <ToolIntro server={server.name} offer={offer} />
      <form
        aria-label={t('formOf', { name: offer.name })}
        className="flex min-w-0 flex-col gap-4 rounded-card border border-line bg-s1 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          press()
        }}
      >
        <PlaceSelects
          places={places}
          onTask={(task) => {
            if (asked !== null) setSearch({ task: null }, { replace: true })
            change({ task, stage: null })
          }}
          onStage={(stage) => change({ stage })}
        />
        {places.isTaskGone ? <p className="text-table text-waiting">{t('taskOver')}</p> : null}
        <OtherDraft draft={kept} />
        {filled.state === 'failed' ? <p className="text-table text-waiting">{t('notFilled')}</p> : null}
        <ArgumentsForm draft={draft} fields={fields} wrong={wrong} onChange={change} />
        <RunFoot off={off} isSending={isSending} asksFirst={offer.asks} failure={toConfirm === null ? failure : null} />
      </form>
      <ConfirmDialog
        isOpen={toConfirm !== null}
        onOpenChange={endConfirm}
        title={t('confirmTitle', { call: `${server.name}.${offer.name}` })}
        action={t('confirmAct')}
        reasonLabel={t('confirmReason')}
        draft={reason}
        failure={failure}
        onConfirm={async (why) => {
          if (toConfirm !== null && (await start(toConfirm, { reason: why }))) {
            reason.clear()
            setToConfirm(null)
          }
        }}
      >
        <p>{t('confirmWhat', { task: taskTitle(places.task?.name ?? '') })}</p>
        {toConfirm === null ? null : <CallArguments args={toConfirm.args} />}
      </ConfirmDialog>
      {step === null ? null : <RunResult key={step} step={step} me={person.agent_id} />}
    </>
  )
}

function CallArguments({ args }: { args: Arguments }) {
  const t = useTranslations('tools')
  return (
    <Scrolled label={t('confirmArguments')} className="mt-2 max-h-72 overflow-auto rounded-control bg-s3 px-3 py-2">
      {Object.keys(args).length === 0 ? (
        <p className="text-table text-t3">{t('noArguments')}</p>
      ) : (
        <ArgumentsView given={{ json: args, text: JSON.stringify(args) }} />
      )}
    </Scrolled>
  )
}

/** Write the requested arguments into an empty draft. */
function useFill(filled: Filled, kept: TextDraft, fields: readonly Field[] | null): void {
  const isToFill = filled.state === 'here' && kept.text === ''
  const fill = kept.setText
  useEffect(() => {
    // Joins the draft: the requested arguments are loaded, and nobody has typed over them.
    if (!isToFill || filled.state !== 'here') return
    const { args, edited, task, stage } = filled
    const next = edited === null ? filledDraft(args, fields) : editedDraft(edited, fields)
    fill(writeToolDraft({ ...next, task, stage }))
  }, [isToFill, filled, fields, fill])
}

function useWhyOff(places: Places, isSending: boolean): string | null {
  const t = useTranslations('tools')
  const { word } = useConnection()
  return isSending
    ? t('sending')
    : word === 'offline' || word === 'crowded'
      ? t('offline')
      : places.task === null
        ? t('chooseTask')
        : places.task.paused
          ? t('paused', { task: taskTitle(places.task.name) })
          : null
}

type PlaceSelectsProps = { places: Places; onTask: (task: string) => void; onStage: (stage: string) => void }

function PlaceSelects({ places, onTask, onStage }: PlaceSelectsProps) {
  const t = useTranslations('tools')
  return (
    <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
      <Select label={t('task')} options={places.tasks} value={places.task?.task ?? WITHOUT_TASK} onChange={onTask} />
      <Select label={t('stage')} options={places.stages} value={places.stage} onChange={onStage} />
    </div>
  )
}

function ToolIntro({ server, offer }: { server: string; offer: ToolOffer }) {
  const toReader = useToolWords()
  return (
    <>
      <p data-literal className="pb-1 font-mono text-meta text-t3">
        {server}.{offer.name}
      </p>
      {offer.description === '' ? null : (
        <div className="max-w-[68ch] pb-3 break-words whitespace-pre-line text-t2">
          <LongText text={toReader(offer.description).trim()} />
        </div>
      )}
    </>
  )
}

type RunFootProps = { off: string | null; isSending: boolean; asksFirst: boolean; failure: string | null }

/** The button of the form; off: why it cannot be pressed. */
function RunFoot({ off, isSending, asksFirst, failure }: RunFootProps) {
  const t = useTranslations('tools')
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <ServerButton type="submit" look="primary" icon={<Play />} isDisabled={off !== null} reason={off ?? undefined}>
          {isSending ? t('sending') : t('run')}
        </ServerButton>
        {off === null || isSending ? null : <span className="text-meta text-t3">{off}</span>}
        {asksFirst ? <span className="text-meta text-t3">{t('asksFirst')}</span> : null}
      </div>
      <AlertText text={failure} className="text-table break-words" />
    </>
  )
}

type RunInput = Omit<PostRunTool, keyof CommandHead>

function useRun(server: string): {
  isSending: boolean
  failure: string | null
  forget: () => void
  /** out: the step that runs it; null: refused, or unanswered. */
  run: (input: RunInput) => Promise<string | null>
} {
  const t = useTranslations('tools')
  const { send, ...sending } = useSendAct(t('unheard'))
  return {
    ...sending,
    async run(input) {
      let step: string | null = null
      await send(JSON.stringify(input), async (head) => {
        const answer = await command(`/api/tools/${encodeURIComponent(server)}/run`, input, head)
        if (answer.ok) step = stepIn(answer.value.reply)
        return answer
      })
      return step
    },
  }
}

const stepIn = (reply: CommandAnswer['reply']): string | null => {
  const { step } = fieldsIn(reply)
  return typeof step === 'string' ? step : null
}

/** failed: they are gone, or this member may not read them. */
type Filled =
  | { state: 'none' | 'asking' | 'failed' }
  | { state: 'here'; args: Json; task: string; stage: string | null; edited: string | null }

function useFilled(): { from: string | null; filled: Filled } {
  const like = useSearchParam('like')
  const request = useSearchParam('request')
  const isEdited = useSearchParam('edited') !== null && request !== null
  const edited = useDraft(isEdited ? editedAt(request) : null).text
  const ofStep = like && `/api/steps/${encodeURIComponent(like)}`
  const ofRequest = like === null && request !== null ? `/api/requests/${encodeURIComponent(request)}` : null
  const step = useApiQuery<StepAnswer>(ofStep)
  const call = useApiQuery<ToolAnswer>(ofStep && `${ofStep}/tool`)
  const asked = useApiQuery<RequestAnswerBody>(ofRequest)
  const held = useApiQuery<ArgumentsAnswer>(ofRequest && `${ofRequest}/arguments`)
  const [record, args] = ofStep !== null ? [step, call] : [asked, held]
  const filled = (): Filled => {
    if (ofStep === null && ofRequest === null) return { state: 'none' }
    if (record.error !== null || args.error !== null) return { state: 'failed' }
    if (record.data === undefined || args.data === undefined) return { state: 'asking' }
    const json = 'json' in args.data ? args.data.json : args.data.arguments
    // Arguments are an object; cut ones are a text.
    if (!isJsonObject(json)) return { state: 'failed' }
    const { task, stage } = 'step' in record.data ? record.data.step : record.data.request
    return { state: 'here', args: json, task, stage, edited: edited === '' ? null : edited }
  }
  return { from: like ?? (isEdited ? `${request}-edited` : request), filled: filled() }
}
