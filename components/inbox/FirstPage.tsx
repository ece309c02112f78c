/** The inbox while nothing needs its reader: one field for what they need; for a newcomer the team, examples and the demo. A lazy file. */
import { CirclePlay, Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRows, useTotals } from '@/client'
import { useTeam } from '@/components/operate/MemberDialogs'
import { useNames } from '@/components/request'
import { useNewWork } from '@/components/tasks/newWork'
import { RequestField } from '@/components/tasks/RequestField'
import { useDemo } from '@/components/tasks/useDemo'
import { useSendWork } from '@/components/tasks/useSendWork'
import { Button } from '@/components/ui/Button'
import { AvatarRow } from '@/components/ui/marks/Avatar'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText } from '@/components/ui/States'
import { useServerAway } from '@/components/ui/serverAway'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { AgentId } from '@/lib/mas/ids'
import { LastAnswers } from './LastAnswers'
import type { InboxRow } from './rows'

/** They work on the files that come with the program (packages/rehearsal/runs/examples.test.ts). */
const EXAMPLES = ['compare', 'total', 'find'] as const

export default function FirstPage({ me, rows }: { me: AgentId; rows: readonly InboxRow[] }) {
  const t = useTranslations()
  const tasks = useRows('overview')
  const work = useNewWork(me, null)
  const [isSent, setSent] = useState(false)
  const { ask, isSending, problem, forget } = useSendWork(work, () => setSent(true))
  const isAway = useServerAway() !== null
  const isEmpty = work.text.text.trim() === '' && work.form.template === null
  const submit = (): void => {
    if (!isEmpty && !isSending && !isAway) void ask()
  }
  const hasWork = tasks.some((row) => !row.base)
  return (
    <div className="mx-auto flex max-w-[44rem] flex-col gap-4 py-10 max-md:py-6">
      <div className="text-center">
        {hasWork ? <p className="mb-1 text-t2">{t('inbox.nobody')}</p> : null}
        <h2 className="text-login font-bold tracking-tight">{t('tasks.wish')}</h2>
      </div>
      <RequestField
        work={work}
        problem={problem}
        onType={forget}
        onSubmit={submit}
        isLarge
        foot={
          <ServerButton
            look="primary"
            icon={<Send />}
            isDisabled={isEmpty || isSending}
            reason={isSending ? t('tasks.asking') : t('tasks.writeFirst')}
            onClick={submit}
          >
            {t('tasks.askButton')}
          </ServerButton>
        }
      />
      {isSent ? (
        <p role="status" className="text-center text-t2">
          {t('inbox.sent')}
        </p>
      ) : null}
      {hasWork ? (
        <LastAnswers rows={rows} />
      ) : (
        <>
          <ul aria-label={t('inbox.examples')} className="flex flex-wrap justify-center gap-2">
            {EXAMPLES.map((one) => (
              <li key={one}>
                <Button onClick={() => work.text.setText(t(`inbox.example.${one}.text`))}>
                  {t(`inbox.example.${one}.name`)}
                </Button>
              </li>
            ))}
          </ul>
          <Team />
          <Demo />
        </>
      )}
    </div>
  )
}

/** Who works on it. */
function Team() {
  const t = useTranslations('inbox')
  const namesOf = useNames()
  const base = useRows('overview').find((row) => row.base)
  const team = useTeam()
  // A participant knows those of their own tasks.
  const agents = (team.length > 0 ? team : (base?.members ?? [])).filter(({ kind }) => kind !== 'human')
  if (agents.length === 0) return null
  return (
    <div className="mt-2 flex flex-wrap items-center justify-center gap-x-3 gap-y-1.5 text-t2">
      <AvatarRow people={agents} size={28} max={8} />
      <span>{t('team', { names: namesOf(agents.slice(0, 4).map(({ name }) => name)), count: agents.length })}</span>
    </div>
  )
}

/** The second way to begin: a task that plays by itself and asks its reader three things. */
function Demo() {
  const t = useTranslations('inbox')
  const faultWords = useFaultWords()
  const isRehearsal = useTotals('me')?.rehearsal ?? false
  const { state, start } = useDemo()
  const [failure, setFailure] = useState<string | null>(null)
  if (!isRehearsal) return null
  const begin = async (): Promise<void> => {
    setFailure(null)
    const answer = await start()
    if (!answer.ok) setFailure(faultWords(answer.fault))
  }
  return (
    <div className="mt-2 flex flex-col items-center gap-2 border-t border-line pt-5 text-center text-t2">
      {state === 'coming' || state === 'running' ? (
        <p role="status">{t('demoStarted')}</p>
      ) : (
        <>
          <p className="max-w-[34rem] text-table">{t('demoWhat')}</p>
          <ServerButton
            icon={<CirclePlay />}
            isDisabled={state !== 'ready'}
            reason={t('demoStarting')}
            onClick={() => void begin()}
          >
            {t('startDemo')}
          </ServerButton>
        </>
      )}
      <AlertText text={failure} className="text-meta" />
    </div>
  )
}
