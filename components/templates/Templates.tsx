import { LayoutTemplate, Plus } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useMe } from '@/client/account/session'
import { draftAt } from '@/client/drafts'
import { Link, setSearch, useSearchParam } from '@/client/nav'
import { useFetched } from '@/client/useFetched'
import { HelpLink } from '@/components/help/HelpLink'
import { useActNow } from '@/components/operate/useSendAct'
import { Button } from '@/components/ui/Button'
import { TimeText } from '@/components/ui/marks/Time'
import { Menu, type MenuEntry } from '@/components/ui/overlays/Menu'
import { EmptyState, FaultState, Loading } from '@/components/ui/States'
import type { TemplateList, TemplateShown } from '@/lib/wire'
import { TemplateDialog } from './TemplateDialog'
import { removeTemplateAct, saveTemplateAct } from './templateActs'

const NEW = 'new'

export function Templates() {
  const t = useTranslations('templates')
  const isOperator = useMe()?.person.access === 'operator'
  const { answer, reload } = useFetched<TemplateList>('/api/templates')
  const list = answer?.ok ? answer.value.templates : []
  const asked = useSearchParam('edit')
  const isFromRequest = useSearchParam('from') === 'request'
  const edited = list.find(({ id }) => id === asked) ?? null
  const close = (): void => setSearch({ edit: null, from: null }, { replace: true })
  const live = list.filter(({ removed }) => !removed)
  const removed = list.filter((one) => one.removed)
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-question font-bold">{t('title')}</h2>
        {isOperator ? (
          <Button icon={<Plus />} onClick={() => setSearch({ edit: NEW })}>
            {t('new')}
          </Button>
        ) : null}
      </div>
      {answer?.ok === false ? (
        <FaultState title={t('broken')} fault={answer.fault} onRetry={reload} />
      ) : answer === null ? (
        <Loading lines={3} />
      ) : live.length === 0 ? (
        <EmptyState title={t('none')} icon={<LayoutTemplate />} isInColumn action={<HelpLink part="start" />}>
          {t(isOperator ? 'noneOperator' : 'noneWhy')}
        </EmptyState>
      ) : (
        <ul aria-label={t('title')} className="border-line border-t">
          {live.map((one) => (
            <TemplateRow key={one.id} template={one} isOperator={isOperator} onChanged={reload} />
          ))}
        </ul>
      )}
      {removed.length === 0 ? null : (
        <details className="mt-3">
          <summary className="text-table text-t2">{t('removed', { count: removed.length })}</summary>
          <ul aria-label={t('removed', { count: removed.length })}>
            {removed.map((one) => (
              <TemplateRow key={one.id} template={one} isOperator={isOperator} onChanged={reload} />
            ))}
          </ul>
        </details>
      )}
      {isOperator && (asked === NEW || edited !== null) ? (
        <TemplateDialog
          key={asked}
          template={edited}
          text={isFromRequest ? (draftAt('task:new-work').state.getState().text ?? '') : ''}
          onDone={reload}
          onClose={close}
        />
      ) : null}
    </>
  )
}

type TemplateRowProps = { template: TemplateShown; isOperator: boolean; onChanged: () => void }

function TemplateRow({ template, isOperator, onChanged }: TemplateRowProps) {
  const t = useTranslations('templates')
  const act = useActNow()
  const { id, name, text, fields, by, at, removed } = template
  const entries: MenuEntry[] = removed
    ? [
        {
          label: t('putBack'),
          onSelect: () => void act(saveTemplateAct(id, { name, text, fields }), t('saved')).then(onChanged),
        },
      ]
    : [
        { label: t('edit'), onSelect: () => setSearch({ edit: id }) },
        {
          label: t('remove'),
          isDanger: true,
          onSelect: () => void act(removeTemplateAct(id), t('didRemove')).then(onChanged),
        },
      ]
  return (
    <li data-id={id} data-kind="template" className="flex min-w-0 items-center gap-3 border-line border-b py-2.5">
      <div className="min-w-0 grow">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          {removed ? (
            <b className="min-w-0 break-words font-medium text-t2">{name}</b>
          ) : (
            <Link href={`/tasks?ask=1&template=${id}`} className="min-w-0 break-words font-medium hover:underline">
              {name}
            </Link>
          )}
          <span className="text-meta text-t3">
            {t('savedBy', { who: by })} · <TimeText at={at} />
          </span>
        </div>
        <p className="cut text-table text-t2">{text}</p>
      </div>
      {isOperator ? <Menu label={t('actionsFor', { name })} entries={entries} /> : null}
    </li>
  )
}
