/** A new key of another system, shown once. */
import { useTranslations } from 'use-intl'
import { Button } from '@/components/ui/Button'
import { copyText } from '@/components/ui/copyText'
import { TextField } from '@/components/ui/fields/TextField'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { AlertText } from '@/components/ui/States'
import type { Protocol } from '@/lib/mas/outsideRecords'
import type { MadeKey } from './PeerForm'

const PATHS: Record<Protocol, string> = {
  mamp: 'POST {origin}/mamp/v1/messages',
  a2a: 'POST {origin}/a2a/v1/messages',
  harmony: 'POST {origin}/api/harmony/import',
  map: '{socket}/map',
}

export function PeerKey({ made: { uri, key, may }, onClose }: { made: MadeKey; onClose: () => void }) {
  const t = useTranslations('directory')
  const words = useTranslations('common')
  const { origin } = window.location
  const pathOf = (protocol: Protocol): string =>
    PATHS[protocol].replace('{origin}', origin).replace('{socket}', origin.replace(/^http/, 'ws'))
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t('peer.keyTitle')}
      foot={
        <>
          {key === null ? null : (
            <Button look="primary" onClick={() => copyText(key, words('copied'))}>
              {t('peer.copyKey')}
            </Button>
          )}
          <Button onClick={onClose}>{t('peer.keyDone')}</Button>
        </>
      }
    >
      <p className="mb-3 font-mono break-all">{uri}</p>
      {key === null ? (
        <AlertText text={t('peer.keyLost')} />
      ) : (
        <>
          <TextField
            label={t('peer.key')}
            hint={t('peer.keyOnce')}
            value={key}
            readOnly
            className="font-mono"
            onFocus={(event) => event.target.select()}
          />
          <p className="mt-3">{t('peer.keyHow')}</p>
          <ul className="mt-1 font-mono text-meta break-all text-t2">
            {may.map((protocol) => (
              <li key={protocol}>{pathOf(protocol)}</li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
