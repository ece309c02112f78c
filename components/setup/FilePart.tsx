/** “Write it into the file”: what was changed here, put into convene.yaml; a file that is read-only is downloaded instead. */
import { FileCheck2, FilePen } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useApiQuery } from '@/client/queries'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { FaultState } from '@/components/ui/States'
import { saveFile } from '@/components/ui/saveFile'
import { useFaultWords } from '@/components/ui/useFaultWords'
import type { SetupFileShown } from '@/lib/wire'
import { setupFilePath, writeFile } from './setupCalls'
import { useSetupQuery } from './useSetupQuery'

export function FilePart() {
  const t = useTranslations('setup')
  const faultWords = useFaultWords()
  const { data: setup } = useSetupQuery()
  const { data: file, error, refetch } = useApiQuery<SetupFileShown>(setup ? setupFilePath : null)
  if (setup === undefined) return null
  const write = async (): Promise<void> => {
    const answer = await writeFile()
    if (!answer.ok) {
      showToast('error', faultWords(answer.fault))
      return
    }
    const { name, text } = answer.value
    if (text !== null) saveFile(name, text)
    showToast('done', t(text === null ? 'file.written' : 'file.saved', { name }))
  }
  return (
    <section aria-label={t('file.title')} className="mt-6 border-t border-line pt-4">
      <h2 className="text-body font-medium">{t('file.title')}</h2>
      {file === undefined ? (
        error !== null && <FaultState title={t('broken')} fault={error} onRetry={refetch} />
      ) : file.isSame ? (
        <p className="flex gap-2 text-table text-t2">
          <FileCheck2 className="mt-0.5 size-4 shrink-0 text-done" />
          {t('file.same', { name: file.name })}
        </p>
      ) : (
        <>
          <p className="mb-2 text-table text-t2">
            {t(file.canWrite ? 'file.about' : 'file.readOnly', { name: file.name })}
          </p>
          <ServerButton icon={<FilePen />} onClick={() => void write()}>
            {t(file.canWrite ? 'file.write' : 'file.download')}
          </ServerButton>
        </>
      )}
    </section>
  )
}
