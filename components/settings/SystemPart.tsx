/** For operators: people, their sign-in links, passwords and sessions; and the running system. */
import { Ellipsis, KeyRound, Link2, LogOut } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { type AccountResult, getPeople, makeLink, resetPassword, signOutPerson } from '@/client/account/api'
import { useMe } from '@/client/account/session'
import { pageClock } from '@/client/clock'
import { useDisplay } from '@/client/theme'
import { Avatar } from '@/components/ui/Avatar'
import { Button, IconButton } from '@/components/ui/Button'
import { ConfirmDialog, Dialog } from '@/components/ui/Dialog'
import { Menu } from '@/components/ui/Menu'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/States'
import { TextField } from '@/components/ui/TextField'
import { showToast } from '@/components/ui/toast'
import { formatClock } from '@/lib/format'
import type { LinkAnswer, PersonInfo } from '@/lib/wire'
import { useAccessWord } from './accessWord'
import { WhatRuns } from './WhatRuns'

export function SystemPart() {
  const t = useTranslations('settings')
  const access = useMe()?.person.access
  if (access !== 'operator') return <EmptyState title={t('people')}>{t('peopleOnly')}</EmptyState>
  return (
    <>
      <People />
      <WhatRuns />
    </>
  )
}

type Asking = { act: 'reset' | 'signOut'; person: PersonInfo }
type MadeLink = { person: PersonInfo; link: LinkAnswer }

function People() {
  const t = useTranslations('settings')
  const say = useTranslations('error')
  const [answer, setAnswer] = useState<AccountResult<{ people: PersonInfo[] }> | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [made, setMade] = useState<MadeLink | null>(null)

  const load = useCallback(() => void getPeople().then(setAnswer), [])
  // Joins the server: the list is fetched when the page opens, and after each change.
  useEffect(load, [load])

  const failed = (refusal: AccountResult<unknown>): void => {
    if (!refusal.ok)
      showToast('error', refusal.status === 0 ? say('server') : say('refused', { reason: refusal.message }))
  }
  const link = (person: PersonInfo): void =>
    void makeLink(person.agent_id).then((got) => (got.ok ? setMade({ person, link: got.value }) : failed(got)))

  const confirm = async ({ act, person }: Asking): Promise<void> => {
    const got = act === 'reset' ? await resetPassword(person.agent_id) : await signOutPerson(person.agent_id)
    setAsking(null)
    load()
    if (!got.ok) return failed(got)
    showToast('done', t(act === 'reset' ? 'didReset' : 'didSignOut', { name: person.name }))
    if ('url' in got.value) setMade({ person, link: got.value })
  }

  if (answer === null) return <Skeleton lines={4} />
  if (!answer.ok) {
    return (
      <ErrorState title={t('peopleFailed')} onRetry={load}>
        {answer.message || say('server')}
      </ErrorState>
    )
  }
  return (
    <section aria-label={t('people')}>
      <h2 className="text-question font-bold">{t('people')}</h2>
      <p className="mb-3 text-t2">{t('peopleWhy')}</p>
      <PeopleTable
        people={answer.value.people}
        onLink={link}
        onReset={(person) => setAsking({ act: 'reset', person })}
        onSignOut={(person) => setAsking({ act: 'signOut', person })}
      />
      <ConfirmDialog
        isOpen={asking !== null}
        onOpenChange={() => setAsking(null)}
        title={asking ? t(asking.act === 'reset' ? 'resetTitle' : 'signOutTitle', { name: asking.person.name }) : ''}
        action={t(asking?.act === 'reset' ? 'resetPassword' : 'signOutPerson')}
        onConfirm={() => (asking ? confirm(asking) : undefined)}
      >
        {asking ? t(asking.act === 'reset' ? 'resetWhy' : 'signOutWhy', { name: asking.person.name }) : null}
      </ConfirmDialog>
      {made ? <LinkDialog made={made} onClose={() => setMade(null)} /> : null}
    </section>
  )
}

function PeopleTable({
  people,
  onLink,
  onReset,
  onSignOut,
}: {
  people: readonly PersonInfo[]
  onLink: (person: PersonInfo) => void
  onReset: (person: PersonInfo) => void
  onSignOut: (person: PersonInfo) => void
}) {
  const t = useTranslations('settings')
  const accessWord = useAccessWord()
  const head = 'border-b border-line py-1.5 pr-3 text-left text-meta font-medium text-t3'
  const cell = 'h-row border-b border-line pr-3 touch:h-13'
  return (
    <table className="w-full border-collapse text-table">
      <thead>
        <tr>
          <th className={head}>{t('person')}</th>
          <th className={`${head} max-md:hidden`}>{t('access')}</th>
          <th className={head}>{t('passwordState')}</th>
          <th className={`${head} max-md:hidden`}>{t('sessions')}</th>
          <th className={head}>
            <span className="sr-only">{t('system')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.agent_id} data-id={person.agent_id} data-kind="person">
            <td className={cell}>
              <span className="flex items-center gap-2">
                <Avatar
                  who={{ id: person.agent_id, name: person.name, kind: 'human', access: person.access }}
                  size={24}
                />
                <span className="font-medium">{person.name}</span>
                <span className="font-mono text-meta text-t3 max-md:hidden">{person.id}</span>
              </span>
            </td>
            <td className={`${cell} max-md:hidden`}>{accessWord(person.access)}</td>
            <td className={cell}>{t(person.hasPassword ? 'hasPassword' : 'noPassword')}</td>
            <td className={`${cell} max-md:hidden`}>{t('sessionCount', { count: person.sessions })}</td>
            <td className={`${cell} pr-0! text-right`}>
              <Menu
                label={t('actionsFor', { name: person.name })}
                align="end"
                trigger={<IconButton icon={<Ellipsis aria-hidden />} label={t('actionsFor', { name: person.name })} />}
                entries={[
                  { kind: 'action', label: t('makeLink'), icon: <Link2 aria-hidden />, onSelect: () => onLink(person) },
                  {
                    kind: 'action',
                    label: t('resetPassword'),
                    icon: <KeyRound aria-hidden />,
                    onSelect: () => onReset(person),
                  },
                  {
                    kind: 'action',
                    label: t('signOutPerson'),
                    icon: <LogOut aria-hidden />,
                    onSelect: () => onSignOut(person),
                  },
                ]}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function LinkDialog({ made, onClose }: { made: MadeLink; onClose: () => void }) {
  const t = useTranslations()
  const locale = useLocale()
  const style = useDisplay((display) => display.time)
  const { person, link } = made
  const time = formatClock(link.expiresAt, { locale, style, now: pageClock.now() })
  const title = t('settings.linkFor', { name: person.name })
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={title}
      foot={
        <>
          <Button
            look="primary"
            onClick={() =>
              void navigator.clipboard?.writeText(link.url).then(() => showToast('done', t('common.copied')))
            }
          >
            {t('common.copyLink')}
          </Button>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <p className="mb-3 text-t2">{t('settings.linkWhy', { name: person.name, time })}</p>
      <TextField
        label={title}
        isLabelHidden
        readOnly
        value={link.url}
        onFocus={(event) => event.target.select()}
        className="font-mono text-table"
      />
    </Dialog>
  )
}
