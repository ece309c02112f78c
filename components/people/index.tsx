/** For operators: people of the team, invited, changed and taken out; their sign-in links, passwords and sessions. */
import { KeyRound, Link2, LogOut, Pencil, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import * as z from 'zod/mini'
import { makeLink, resetPassword, signOutPerson } from '@/client/account/api'
import { pageClock } from '@/client/clock'
import { setSearch, useSearchParam } from '@/client/nav'
import { useApiQuery } from '@/client/queries'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { actAt } from '@/components/operate/acts'
import { ChangesList } from '@/components/setup/ChangesList'
import { useSetupQuery } from '@/components/setup/useSetupQuery'
import { Button } from '@/components/ui/Button'
import { Avatar } from '@/components/ui/marks/Avatar'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { CopyDialog } from '@/components/ui/overlays/CopyDialog'
import { Menu } from '@/components/ui/overlays/Menu'
import { showToast } from '@/components/ui/overlays/toast'
import { FaultState, Skeleton } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { formatClock } from '@/lib/format'
import type { LinkAnswer, PeopleAnswer, PersonInfo, SetupShown } from '@/lib/wire'
import { LeaveDialog } from './LeaveDialog'
import { PersonDialog } from './PersonDialog'

const Named = z.object({ name: z.string() })

/** The name that the last change took away. */
const nameOf = ({ id, changes }: SetupShown<'people'>): string =>
  Named.safeParse(changes.findLast(({ before }) => before !== null)?.before).data?.name ?? id

function RemovedPeople({ records }: { records: readonly SetupShown<'people'>[] }) {
  const t = useTranslations('people')
  const removed = records.filter(({ value, changes }) => value === null && changes.length > 0)
  if (removed.length === 0) return null
  const label = t('removedPeople', { count: removed.length })
  return (
    <details className="mt-6">
      <summary className="text-table text-t2">{label}</summary>
      <ul aria-label={label}>
        {removed.map((record) => (
          <li key={record.id} className="py-2">
            <p className="mb-1 text-table font-medium">{nameOf(record)}</p>
            <ChangesList kind="human" record={record} value={null} />
          </li>
        ))}
      </ul>
    </details>
  )
}

export function PeoplePart() {
  const t = useTranslations('settings')
  const words = useTranslations('people')
  const faultWords = useFaultWords()
  const { data, error, refetch } = useApiQuery<PeopleAnswer>('/api/people')
  const [asking, setAsking] = useState<ActQuestion | null>(null)
  const [made, setMade] = useState<MadeLink | null>(null)

  const { data: setup } = useSetupQuery()
  const asked = useSearchParam('person')
  const act = useSearchParam('act')
  const close = (): void => setSearch({ person: null, act: null }, { replace: true })

  const link = (person: PersonInfo): void =>
    void makeLink(person.agent_id).then((got) =>
      got.ok ? setMade({ name: person.name, link: got.value }) : showToast('error', faultWords(got.fault)),
    )

  const ask = (name: 'reset' | 'signOut', { name: who, agent_id: id }: PersonInfo): void =>
    setAsking({
      title: t(`${name}Title`, { name: who }),
      what: t(`${name}Why`, { name: who }),
      action: t(name === 'reset' ? 'resetPassword' : 'signOutPerson'),
      hasReason: false,
      act: actAt(`act:people.${name}`, async () => {
        if (name === 'signOut') return signOutPerson(id)
        const got = await resetPassword(id)
        if (got.ok) setMade({ name: who, link: got.value })
        return got
      }),
      done: t(name === 'reset' ? 'didReset' : 'didSignOut', { name: who }),
    })

  if (error !== null) return <FaultState title={t('peopleFailed')} fault={error} onRetry={refetch} />
  if (data === undefined) return <Skeleton lines={4} />
  const { people } = data
  const records = setup?.people ?? []
  const record = records.find(({ id }) => id === asked) ?? null
  const person = people.find(({ id }) => id === asked) ?? null
  const changed = act === 'change' ? record : null
  return (
    <section aria-label={t('people')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-question font-bold">{t('people')}</h2>
        {setup === undefined ? null : (
          <Button icon={<UserPlus />} onClick={() => setSearch({ act: 'invite' })}>
            {words('invite')}
          </Button>
        )}
      </div>
      <p className="mb-3 text-t2">{t('peopleWhy')}</p>
      <PeopleTable
        people={people}
        records={records}
        onLink={link}
        onReset={(person) => ask('reset', person)}
        onSignOut={(person) => ask('signOut', person)}
      />
      <RemovedPeople records={records} />
      <ActDialog asked={asking} onClose={() => setAsking(null)} />
      {setup && (act === 'invite' || changed !== null) ? (
        <PersonDialog
          key={changed?.id}
          record={changed}
          tools={setup.offered}
          onInvited={(name, link) => setMade({ name, link })}
          onClose={close}
        />
      ) : null}
      {act === 'remove' && record !== null && person !== null ? (
        <LeaveDialog key={record.id} record={record} person={person} people={people} onClose={close} />
      ) : null}
      {made ? <LinkDialog made={made} onClose={() => setMade(null)} /> : null}
    </section>
  )
}

type PeopleTableProps = {
  people: readonly PersonInfo[]
  /** Those who can be changed here; empty while they are not known. */
  records: readonly SetupShown<'people'>[]
  onLink: (person: PersonInfo) => void
  onReset: (person: PersonInfo) => void
  onSignOut: (person: PersonInfo) => void
}

function PeopleTable({ people, records, onLink, onReset, onSignOut }: PeopleTableProps) {
  const t = useTranslations('settings')
  const words = useTranslations('people')
  const isKnown = (id: string | null): boolean => records.some((record) => record.id === id && record.value !== null)
  const head = 'border-b border-line py-1.5 pr-3 text-left text-meta font-medium text-t3'
  const cell = 'h-row border-b border-line pr-3 whitespace-nowrap touch:h-13'
  return (
    <table className="w-full border-collapse text-table">
      <thead>
        <tr>
          <th className={head}>{t('person')}</th>
          <th className={`${head} max-md:hidden`}>{t('access')}</th>
          <th className={head}>{t('signInWay')}</th>
          <th className={`${head} max-md:hidden`}>{t('sessions')}</th>
          <th className={head}>
            <span className="sr-only">{t('system')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.agent_id} data-id={person.agent_id} data-kind="person">
            <td className={`${cell} w-[45%] max-w-0`}>
              <span className="flex min-w-0 items-center gap-2">
                <Avatar
                  who={{ id: person.agent_id, name: person.name, kind: 'human', access: person.access }}
                  size={24}
                />
                <span className="cut font-medium" title={person.name}>
                  {person.name}
                </span>
                <span data-literal className="cut font-mono text-meta text-t3 max-md:hidden">
                  {person.id}
                </span>
              </span>
            </td>
            <td className={`${cell} max-md:hidden`}>{t(`accessWord.${person.access}`)}</td>
            <td className={cell}>
              {[...person.providers, ...(person.hasPassword ? [t('hasPassword')] : [])].join(' · ') || t('noPassword')}
            </td>
            <td className={`${cell} max-md:hidden`}>
              {t('sessionCount', { count: person.sessions })}
              {person.tokens === 0 ? null : ` · ${t('tokenCount', { count: person.tokens })}`}
            </td>
            <td className={`${cell} pr-0! text-right`}>
              <Menu
                label={t('actionsFor', { name: person.name })}
                entries={[
                  isKnown(person.id)
                    ? {
                        label: words('change'),
                        icon: <Pencil />,
                        onSelect: () => setSearch({ act: 'change', person: person.id }),
                      }
                    : null,
                  { label: t('makeLink'), icon: <Link2 />, onSelect: () => onLink(person) },
                  { label: t('resetPassword'), icon: <KeyRound />, onSelect: () => onReset(person) },
                  { label: t('signOutPerson'), icon: <LogOut />, onSelect: () => onSignOut(person) },
                  ...(isKnown(person.id)
                    ? [
                        { kind: 'line' as const },
                        {
                          label: words('remove'),
                          icon: <UserMinus />,
                          isDanger: true,
                          onSelect: () => setSearch({ act: 'remove', person: person.id }),
                        },
                      ]
                    : []),
                ]}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type MadeLink = { name: string; link: LinkAnswer }

function LinkDialog({ made, onClose }: { made: MadeLink; onClose: () => void }) {
  const t = useTranslations()
  const how = useTimeStyle()
  const { name, link } = made
  const time = formatClock(link.expiresAt, { ...how, now: pageClock.now() })
  const title = t('settings.linkFor', { name })
  return (
    <CopyDialog title={title} text={link.url} action={t('common.copyLink')} onClose={onClose}>
      <p className="mb-3 text-t2">{t('settings.linkWhy', { name, time })}</p>
      {link.onlyHere ? <p className="mb-3">{t('settings.onlyHere')}</p> : null}
    </CopyDialog>
  )
}
