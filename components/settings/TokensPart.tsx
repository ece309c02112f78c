/** The member's personal access tokens: listed, made (the secret is shown once), revoked. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { makeToken, myTokensPath, revokeToken } from '@/client/account/api'
import { pageClock } from '@/client/clock'
import { useApiQuery } from '@/client/queries'
import { ActionDialog } from '@/components/ui/ActionDialog'
import { Checkbox, Select } from '@/components/ui/fields/Choice'
import { TextField } from '@/components/ui/fields/TextField'
import { useTimeStyle } from '@/components/ui/marks/Time'
import { CopyDialog } from '@/components/ui/overlays/CopyDialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { AlertText, FaultState, Skeleton } from '@/components/ui/States'
import { useFaultWords } from '@/components/ui/useFaultWords'
import { formatClock } from '@/lib/format'
import type { MyToken, MyTokens } from '@/lib/wire'
import { SCOPES, type Scope } from '@/lib/wire/scopes'
import { Setting } from './Setting'

/** As TOKEN_NAME_LENGTH of the server, which checks again. */
const NAME_LENGTH = 60
const EXPIRY_DAYS = [7, 30, 90, 365]
const USUAL_DAYS = 90

type Made = { name: string; secret: string }

export function TokensPart() {
  const t = useTranslations('settings')
  const { data, error, refetch } = useApiQuery<MyTokens>(myTokensPath)
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  const [revoking, setRevoking] = useState<MyToken | null>(null)
  const tokens = data?.tokens ?? []
  return (
    <Setting name={t('tokens')} hint={t('tokensWhy')}>
      {error !== null ? (
        <FaultState title={t('tokensFailed')} fault={error} onRetry={refetch} />
      ) : data === undefined ? (
        <Skeleton lines={1} />
      ) : (
        <>
          {tokens.length === 0 ? (
            <p className="text-table text-t2">{t('noTokens')}</p>
          ) : (
            <ul aria-label={t('tokens')} className="flex flex-col">
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </ul>
          )}
          <ServerButton className="mt-3" icon={<Plus />} onClick={() => setMaking(true)}>
            {t('newToken')}
          </ServerButton>
        </>
      )}
      {isMaking ? <NewTokenDialog onMade={setMade} onClose={() => setMaking(false)} /> : null}
      {made ? (
        <CopyDialog
          title={t('tokenMade', { name: made.name })}
          text={made.secret}
          action={t('copyToken')}
          onClose={() => setMade(null)}
        >
          <p className="mb-3 text-t2">{t('tokenMadeWhy')}</p>
        </CopyDialog>
      ) : null}
      {revoking ? <RevokeDialog token={revoking} onClose={() => setRevoking(null)} /> : null}
    </Setting>
  )
}

function TokenRow({ token, onRevoke }: { token: MyToken; onRevoke: () => void }) {
  const t = useTranslations('settings')
  const how = useTimeStyle()
  const clock = (at: number): string => formatClock(at, { ...how, now: pageClock.now() })
  const { name, scopes, since, lastUsed, expiresAt } = token
  const about = { scopes: scopes.map((one) => t(`scope.${one}`)).join(', '), since: clock(since) }
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 last:border-b-0" data-kind="token">
      <div className="min-w-0 grow">
        <p className="cut text-table font-medium" title={name}>
          {name}
        </p>
        <p className="text-meta text-t3">
          {t('tokenAbout', { ...about, expires: clock(expiresAt) })}
          {' · '}
          {lastUsed === null ? t('tokenUnused') : t('tokenUsed', { at: clock(lastUsed) })}
        </p>
      </div>
      <ServerButton aria-label={t('revokeOf', { name })} onClick={onRevoke}>
        {t('revoke')}
      </ServerButton>
    </li>
  )
}

function NewTokenDialog({ onMade, onClose }: { onMade: (made: Made) => void; onClose: () => void }) {
  const t = useTranslations('settings')
  const faultWords = useFaultWords()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['read'])
  const [days, setDays] = useState(USUAL_DAYS)
  const [refusal, setRefusal] = useState<string | null>(null)
  const missing = name.trim() === '' ? t('tokenNameMissing') : scopes.length === 0 ? t('tokenScopeMissing') : null

  const act = async (): Promise<boolean> => {
    const answer = await makeToken({ name: name.trim(), scopes: [...scopes], days })
    if (answer.ok) onMade({ name: name.trim(), secret: answer.value.token })
    setRefusal(answer.ok ? null : faultWords(answer.fault))
    return answer.ok
  }

  return (
    <ActionDialog title={t('newToken')} action={t('createToken')} missing={missing} act={act} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <TextField
          label={t('tokenName')}
          hint={t('tokenNameWhy')}
          maxLength={NAME_LENGTH}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <fieldset>
          <legend className="mb-1 text-table font-medium">{t('tokenScopes')}</legend>
          <div className="flex flex-col gap-1.5">
            {SCOPES.map((one) => (
              <Checkbox
                key={one}
                label={t(`scopeWhy.${one}`)}
                isChecked={scopes.includes(one)}
                onChange={(isOn) => setScopes(SCOPES.filter((it) => (it === one ? isOn : scopes.includes(it))))}
              />
            ))}
          </div>
        </fieldset>
        <Select
          label={t('tokenExpires')}
          value={`${days}`}
          onChange={(value) => setDays(Number(value))}
          options={EXPIRY_DAYS.map((count) => ({ value: `${count}`, label: t('tokenDays', { count }) }))}
        />
        <AlertText text={refusal} />
      </div>
    </ActionDialog>
  )
}

function RevokeDialog({ token: { id, name }, onClose }: { token: MyToken; onClose: () => void }) {
  const t = useTranslations('settings')
  const faultWords = useFaultWords()
  const act = async (): Promise<boolean> => {
    const answer = await revokeToken(id)
    if (answer.ok) showToast('done', t('tokenRevoked', { name }))
    else showToast('error', faultWords(answer.fault))
    return answer.ok
  }
  return (
    <ActionDialog title={t('revokeTitle', { name })} action={t('revoke')} missing={null} act={act} onClose={onClose}>
      <p className="text-t2">{t('revokeWhy')}</p>
    </ActionDialog>
  )
}
