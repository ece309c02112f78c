/** A workbook as tables, a text document as text: what the server reads in it. A lazy file. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useApiQuery } from '@/client/queries'
import { Select } from '@/components/ui/fields/Choice'
import { FaultState, Loading } from '@/components/ui/States'
import type { FoundDocument } from '@/lib/wire'
import { documentHref } from './places'
import { RowsTable } from './RowsTable'

type DocumentContentProps = { path: string; version: number | undefined; name: string }

export default function DocumentContent({ path, version, name }: DocumentContentProps) {
  const t = useTranslations('files')
  const { data, error, refetch } = useApiQuery<FoundDocument>(documentHref(path, version))
  if (error !== null) return <FaultState title={t('broken')} fault={error} onRetry={refetch} />
  if (data === undefined) return <Loading lines={10} className="px-0!" />
  return <Found found={data} name={name} />
}

function Found({ found, name }: { found: FoundDocument; name: string }) {
  const t = useTranslations('files')
  switch (found.kind) {
    case 'none':
      return <p className="py-6 text-t2">{t(`document.${found.why}`)}</p>
    case 'words':
      return (
        <>
          <article
            aria-label={name}
            className="max-w-[80ch] rounded-card border border-line bg-s2 px-5 py-4 break-words whitespace-pre-wrap max-md:px-3.5"
          >
            {found.text === '' ? t('document.empty') : found.text}
          </article>
          {found.left > 0 ? (
            <p className="pt-2 text-table text-t3">{t('document.lettersLeft', { n: found.left })}</p>
          ) : null}
        </>
      )
    case 'sheets':
      return <Sheets sheets={found.sheets} left={found.left} />
    default:
      return found satisfies never
  }
}

type SheetsProps = Pick<Extract<FoundDocument, { kind: 'sheets' }>, 'sheets' | 'left'>

function Sheets({ sheets, left }: SheetsProps) {
  const t = useTranslations('files')
  const [at, setAt] = useState(0)
  const sheet = sheets[at]
  if (sheet === undefined) return <p className="py-6 text-t2">{t('document.empty')}</p>
  return (
    <>
      {sheets.length > 1 ? (
        <div className="max-w-xs pb-2">
          <Select
            label={t('document.sheet')}
            value={`${at}`}
            options={sheets.map(({ name }, n) => ({ value: `${n}`, label: name }))}
            onChange={(value) => setAt(Number(value))}
          />
        </div>
      ) : null}
      {sheet.rows.length === 0 ? (
        <p className="py-6 text-t2">{t('document.empty')}</p>
      ) : (
        <RowsTable key={at} rows={sheet.rows} name={sheet.name} />
      )}
      {sheet.left > 0 ? <p className="pt-1 text-table text-t3">{t('document.rowsLeft', { n: sheet.left })}</p> : null}
      {left > 0 ? <p className="pt-1 text-table text-t3">{t('document.sheetsLeft', { n: left })}</p> : null}
    </>
  )
}
