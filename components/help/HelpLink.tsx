import { useTranslations } from 'use-intl'
import { Link, pathTo } from '@/client/nav'
import type { HelpPart } from '.'

export function HelpLink({ part }: { part: HelpPart }) {
  const t = useTranslations('helpLink')
  return (
    <Link href={pathTo('help', { part })} className="text-accent underline underline-offset-2">
      {t(part)}
    </Link>
  )
}
