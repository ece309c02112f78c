/** Help: what to do first, the words of the console, its keys, and where to read on. Nothing of it is asked of the server. */
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useActionLook } from '@/client/actions/actionLook'
import { Link, pathTo } from '@/client/nav'
import type { ScreenProps } from '@/client/nav/screenProps'
import { KeysTable } from '@/components/shell/keys/KeysTable'
import { PageHeading } from '@/components/ui/PageHeading'

const HELP_PARTS = ['start', 'words', 'keys', 'docs'] as const
export type HelpPart = (typeof HELP_PARTS)[number]

const isHelpPart = (text: unknown): text is HelpPart => HELP_PARTS.some((part) => part === text)

const FIRST_STEPS = [
  { name: 'demo', href: pathTo('inbox') },
  { name: 'answer', href: pathTo('inbox') },
  { name: 'request', href: `${pathTo('tasks')}?ask=1` },
  { name: 'follow', href: pathTo('tasks') },
  { name: 'model', href: pathTo('settings', { page: 'models' }) },
] as const

const TERMS = [
  'task',
  'stage',
  'part',
  'step',
  'manager',
  'request',
  'wait',
  'blocked',
  'fyi',
  'action',
  'urgent',
] as const

const DOCS = [
  { name: 'readme', path: 'README.md' },
  { name: 'configuration', path: 'docs/configuration.md' },
  { name: 'tools', path: 'docs/mcp.md' },
  { name: 'notifications', path: 'docs/reaching-people.md' },
  { name: 'debugging', path: 'docs/debugging.md' },
  { name: 'prompts', path: 'docs/prompts.md' },
  { name: 'peers', path: 'docs/other-systems.md' },
  { name: 'conversations', path: 'docs/harmony.md' },
  { name: 'api', path: 'docs/api.md' },
  { name: 'operate', path: 'docs/operate/README.md' },
] as const

export default function HelpPage({ params }: ScreenProps) {
  const t = useTranslations('help')
  const next = useActionLook()('next', 'page').key
  const page = useRef<HTMLDivElement>(null)
  const part = isHelpPart(params.part) ? params.part : null
  // Joins the browser's scrolling: an address of a part shows that part.
  useEffect(() => {
    if (part !== null) page.current?.querySelector(`#help-${part}`)?.scrollIntoView()
  }, [part])
  return (
    <div ref={page} data-scroll className="page-scroll pb-12">
      <div className="page-column flex flex-col gap-8">
        <div className="flex flex-col gap-2 pt-5 max-md:pt-4">
          <PageHeading title={[t('title')]}>{t('title')}</PageHeading>
          <nav aria-label={t('parts')} className="flex flex-wrap gap-x-4 gap-y-1">
            {HELP_PARTS.map((one) => (
              <Link
                key={one}
                href={pathTo('help', { part: one })}
                aria-current={one === part ? 'location' : undefined}
                className="inline-flex min-h-6 items-center text-accent underline underline-offset-2 max-md:min-h-11"
              >
                {t(`${one}.title`)}
              </Link>
            ))}
          </nav>
        </div>
        <Part part="start">
          <ol className="flex list-decimal flex-col gap-2 pl-5">
            {FIRST_STEPS.map(({ name, href }) => (
              <li key={name}>
                <Link href={href} className="font-medium text-accent underline underline-offset-2">
                  {t(`start.${name}.do`)}
                </Link>
                <span className="block text-t2">
                  {t(`start.${name}.why`)} {name === 'answer' && next !== '' ? t('start.nextKey', { key: next }) : null}
                </span>
              </li>
            ))}
          </ol>
        </Part>
        <Part part="words">
          <dl className="grid grid-cols-[minmax(7rem,auto)_1fr] gap-x-4 gap-y-2 max-md:grid-cols-1 max-md:gap-y-0">
            {TERMS.map((term) => (
              <div key={term} className="contents">
                <dt className="font-medium">{t(`words.${term}.name`)}</dt>
                <dd className="text-t2 max-md:mb-2">{t(`words.${term}.what`)}</dd>
              </div>
            ))}
          </dl>
        </Part>
        <Part part="keys">
          <KeysTable />
        </Part>
        <Part part="docs">
          <p className="text-t2">{t('docs.where')}</p>
          <dl className="mt-2 flex flex-col gap-2">
            {DOCS.map(({ name, path }) => (
              <div key={path}>
                <dt data-literal className="font-mono text-meta break-words">
                  {path}
                </dt>
                <dd className="text-t2">{t(`docs.${name}`)}</dd>
              </div>
            ))}
          </dl>
        </Part>
      </div>
    </div>
  )
}

function Part({ part, children }: { part: HelpPart; children: ReactNode }) {
  const t = useTranslations('help')
  return (
    <section id={`help-${part}`} aria-labelledby={`help-${part}-title`} className="scroll-mt-4">
      <h2 id={`help-${part}-title`} className="mb-2 text-question font-bold">
        {t(`${part}.title`)}
      </h2>
      {children}
    </section>
  )
}
