import { Download } from 'lucide-react'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { setSearch } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { DetailsTitle, Fetched, NamedValue, NamedValues } from '@/components/inspector/parts'
import { Button } from '@/components/ui/Button'
import { JsonView } from '@/components/ui/lazy'
import { TimeText } from '@/components/ui/marks/Time'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { AlertText } from '@/components/ui/States'
import { saveFile } from '@/components/ui/saveFile'
import { LongText } from '@/components/ui/text/LongText'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { formatBytes } from '@/lib/format'
import { jsonValueOf } from '@/lib/json'
import type { CheckpointDetail } from '@/lib/wire'
import { type Artifact, askArtifact, fetchArtifact } from './artifact'
import { TaskCell, WhoLink } from './cells'

export function CheckpointDialog({ id }: { id: string }) {
  const t = useTranslations('directory')
  const query = useApiQuery<CheckpointDetail>(`/api/directory/checkpoints/${encodeURIComponent(id)}`)
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => (isOpen ? undefined : setSearch({ checkpoint: null }, { replace: true }))}
      title={query.data?.checkpoint.label ?? t('checkpoint')}
      className="w-[44rem]!"
    >
      <Fetched query={query} goneText={t('checkpointGone')}>
        {(detail) => <CheckpointBody detail={detail} />}
      </Fetched>
    </Dialog>
  )
}

function CheckpointBody({ detail: { checkpoint, metadata, artifacts } }: { detail: CheckpointDetail }) {
  const t = useTranslations('directory')
  return (
    <div className="flex flex-col gap-3">
      <NamedValues>
        <NamedValue name={t('column.who')}>
          <WhoLink who={checkpoint.agent} />
        </NamedValue>
        <NamedValue name={t('column.task')}>{checkpoint.task && <TaskCell task={checkpoint.task} />}</NamedValue>
        <NamedValue name={t('column.session')}>
          {checkpoint.session === checkpoint.task?.id ? null : checkpoint.session}
        </NamedValue>
        <NamedValue name={t('column.at')}>
          <TimeText at={checkpoint.at} isClock />
        </NamedValue>
      </NamedValues>
      {metadata === null ? (
        <p className="text-table text-t3">{t('saidNoMore')}</p>
      ) : (
        <JsonView value={metadata} name={checkpoint.label} />
      )}
      {artifacts.length === 0 ? null : (
        <section aria-label={t('artifacts')} className="flex flex-col gap-2">
          <DetailsTitle>{t('artifacts')}</DetailsTitle>
          {artifacts.map((name) => (
            <ArtifactLine key={name} checkpoint={checkpoint.id} name={name} />
          ))}
        </section>
      )}
    </div>
  )
}

type State =
  | { is: 'not asked' }
  | { is: 'coming'; share: number }
  | { is: 'here'; artifact: Artifact }
  | { is: 'failed'; why: string }

function ArtifactLine({ checkpoint, name }: { checkpoint: string; name: string }) {
  const t = useTranslations('directory')
  const locale = useLocale()
  const faultWords = useFaultWords()
  const [state, setState] = useState<State>({ is: 'not asked' })
  const [isOpen, setOpen] = useState(false)
  const fetchOnce = async (): Promise<Artifact | null> => {
    if (state.is === 'here') return state.artifact
    setState({ is: 'coming', share: 0 })
    const fetched = await fetchArtifact(askArtifact(checkpoint, name), (share) => setState({ is: 'coming', share }))
    if (fetched.ok) {
      setState({ is: 'here', artifact: fetched.artifact })
      return fetched.artifact
    }
    const { why } = fetched
    setState({
      is: 'failed',
      why: typeof why === 'string' ? t(`artifact.${why}`) : faultWords(why),
    })
    return null
  }
  const off = state.is === 'coming' ? t('artifact.coming') : undefined
  return (
    <div className="rounded-control border border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-2 text-table">
        <span data-literal className="font-mono">
          {name}
        </span>
        <span role="status" className="text-meta text-t3">
          {state.is === 'coming'
            ? new Intl.NumberFormat(locale, { style: 'percent' }).format(state.share)
            : state.is === 'here'
              ? `${formatBytes(state.artifact.bytes.length)} · ${t(`artifact.${state.artifact.hash}`)}`
              : null}
        </span>
        <span className="grow" />
        <Button
          look="quiet"
          isDisabled={off !== undefined}
          reason={off}
          aria-label={t(isOpen ? 'artifact.hideNamed' : 'artifact.readNamed', { name })}
          onClick={() => (isOpen ? setOpen(false) : void fetchOnce().then((came) => setOpen(came !== null)))}
        >
          {t(isOpen ? 'artifact.hide' : 'artifact.read')}
        </Button>
        <Button
          look="quiet"
          icon={<Download />}
          isDisabled={off !== undefined}
          reason={off}
          aria-label={t('artifact.saveNamed', { name })}
          onClick={() => void fetchOnce().then((came) => came && save(name, came))}
        >
          {t('artifact.save')}
        </Button>
      </div>
      <AlertText text={state.is === 'failed' ? state.why : null} className="mt-1 text-table" />
      {isOpen && state.is === 'here' ? <ArtifactText artifact={state.artifact} name={name} /> : null}
    </div>
  )
}

/** JSON as a tree; lines of JSON as a list of them; all else as text. */
function ArtifactText({ artifact, name }: { artifact: Artifact; name: string }) {
  const text = new TextDecoder().decode(artifact.bytes)
  // Lines of JSON are shown as a list of them.
  const lines = text.split('\n').filter((line) => line !== '')
  const json = artifact.mime === 'application/jsonl' ? `[${lines.join(',\n')}]` : text
  return (
    <div className="mt-2">
      {jsonValueOf(json) === undefined ? (
        <p className="text-table break-words whitespace-pre-wrap">
          <LongText text={text} />
        </p>
      ) : (
        <JsonView text={json} name={name} />
      )}
    </div>
  )
}

const save = (name: string, { bytes, mime, sha }: Artifact): void =>
  saveFile(`${name}-${sha.slice(0, 8)}.${mime === 'application/jsonl' ? 'jsonl' : 'json'}`, bytes)
