/** Teams as files: the ready ones and one's own, shown before they are imported; and this team as a file. A lazy file. */
import { Download, Upload, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { call } from '@/client'
import type { ApiResult, CallRefused } from '@/client/api'
import { useApiQuery } from '@/client/queries'
import { actsOn } from '@/components/operate/acts'
import { FormDialog } from '@/components/operate/FormDialog'
import { Button } from '@/components/ui/Button'
import { useFileChoice } from '@/components/ui/fields/useFileChoice'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { saveFile } from '@/components/ui/saveFile'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { useList } from '@/components/ui/useList'
import type { CheckedTeam, PackedTeam, ReadyTeams } from '@/lib/wire'
import { plainId } from './setupCalls'

const TEAM = '/api/team'

type Chosen = { text: string; checked: CheckedTeam }

export default function TeamFiles({ onClose }: { onClose: () => void }) {
  const t = useTranslations('teamFile')
  const faultWords = useFaultWords()
  const ready = useApiQuery<ReadyTeams>(`${TEAM}/ready`).data?.teams ?? []
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [notes, setNotes] = useState<CheckedTeam['notes']>([])
  const refuse = (fault: CallRefused): void => setProblem(faultWords(fault))
  const check = async (text: string): Promise<void> => {
    setProblem(null)
    const answer: ApiResult<CheckedTeam> = await call('POST', `${TEAM}/check`, { team: text })
    if (answer.ok) setChosen({ text, checked: answer.value })
    else refuse(answer.fault)
  }
  const { input, choose } = useFileChoice(([file]) => void file?.text().then(check), {
    accept: '.json,application/json',
  })
  const save = async (): Promise<void> => {
    setProblem(null)
    const answer: ApiResult<PackedTeam> = await call('GET', `${TEAM}/package`)
    if (!answer.ok) {
      refuse(answer.fault)
      return
    }
    const { team, notes: left } = answer.value
    setNotes(left)
    saveFile(`${plainId(team.name, 40) || 'team'}.json`, `${JSON.stringify(team, null, 2)}\n`)
  }
  if (chosen !== null) return <TeamPreview {...chosen} onBack={() => setChosen(null)} onClose={onClose} />
  return (
    <Dialog isOpen onOpenChange={onClose} title={t('title')} className="md:w-[44rem]!">
      <div className="flex flex-col gap-4">
        <section aria-label={t('ready')}>
          <h2 className="mb-1 font-medium text-table">{t('ready')}</h2>
          <ul className="flex flex-col gap-2">
            {ready.map(({ id, name, about, agents, ...team }) => (
              <li key={id} className="flex flex-wrap items-start gap-2 rounded-control bg-s3 px-3 py-2">
                <div className="min-w-0 grow basis-64">
                  <p className="font-medium text-table">{name}</p>
                  <p className="text-table text-t2">{about}</p>
                  <p className="text-meta text-t3">{agents.map((agent) => agent.name).join(' · ')}</p>
                </div>
                <ServerButton
                  icon={<UsersRound />}
                  aria-label={t('lookNamed', { name })}
                  onClick={() => void check(JSON.stringify({ ...team, name, about, agents }))}
                >
                  {t('look')}
                </ServerButton>
              </li>
            ))}
          </ul>
        </section>
        <section aria-label={t('own')}>
          <h2 className="mb-1 font-medium text-table">{t('own')}</h2>
          <p className="mb-2 text-table text-t2">{t('ownWhat')}</p>
          <div className="flex flex-wrap gap-2">
            {input}
            <Button icon={<Upload />} onClick={choose}>
              {t('open')}
            </Button>
            <ServerButton icon={<Download />} onClick={() => void save()}>
              {t('save')}
            </ServerButton>
          </div>
          <Notes notes={notes} title={t('notInFile')} />
        </section>
        <AlertText text={problem} />
      </div>
    </Dialog>
  )
}

/** What importing it adds, and what of it is otherwise or left out. */
function TeamPreview({ text, checked, onBack, onClose }: Chosen & { onBack: () => void; onClose: () => void }) {
  const t = useTranslations('teamFile')
  const listOf = useList()
  const { name, about, agents, templates, rules, notes, digest } = checked
  const isEmpty = agents.length + templates.length + rules.length === 0
  return (
    <FormDialog
      title={t('previewTitle', { name })}
      action={t('take')}
      hasReason={false}
      missing={isEmpty ? t('nothing') : null}
      act={actsOn(`${TEAM}/import`, { team: text, digest }, ['team'])}
      done={t('taken', { name })}
      extra={
        <Button look="quiet" onClick={onBack}>
          {t('back')}
        </Button>
      }
      isWide
      onClose={onClose}
    >
      {about === '' ? null : <p className="text-table text-t2">{about}</p>}
      <section aria-label={t('agents', { count: agents.length })}>
        <h2 className="font-medium text-table">{t('agents', { count: agents.length })}</h2>
        <ul className="text-table">
          {agents.map((agent) => (
            <li key={agent.id}>
              <b>{agent.name}</b> <span className="text-t2">{agent.role}</span>
              {agent.tools.length === 0 ? null : (
                <span className="text-t3"> · {t('withTools', { names: listOf(agent.tools) })}</span>
              )}
            </li>
          ))}
        </ul>
      </section>
      {templates.length === 0 ? null : (
        <p className="text-table">
          <b>{t('templates', { count: templates.length })}</b> {listOf(templates)}
        </p>
      )}
      {rules.length === 0 ? null : (
        <section aria-label={t('rules', { count: rules.length })}>
          <h2 className="font-medium text-table">{t('rules', { count: rules.length })}</h2>
          <ul className="text-table text-t2">
            {rules.map(({ agent, tool, rule }) => (
              <li key={`${agent} ${tool}`}>{t(ruleWord(rule), { agent, tool })}</li>
            ))}
          </ul>
        </section>
      )}
      <Notes notes={notes} title={t('otherwise')} />
    </FormDialog>
  )
}

const RULE_WORDS = { ask: 'rule.ask', urgent: 'rule.urgent', off: 'rule.off' } as const
const ruleWord = (rule: string) => RULE_WORDS[rule === 'urgent' || rule === 'off' ? rule : 'ask']

function Notes({ notes, title }: { notes: CheckedTeam['notes']; title: string }) {
  const t = useTranslations('teamFile')
  if (notes.length === 0) return null
  return (
    <section aria-label={title} className="mt-2">
      <h2 className="font-medium text-table">{title}</h2>
      <ul className="text-table text-t2">
        {notes.map(({ name, why, detail }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are never reordered.
          <li key={at} className="break-words">
            {t(`note.${why}`, { name, detail })}
          </li>
        ))}
      </ul>
    </section>
  )
}
