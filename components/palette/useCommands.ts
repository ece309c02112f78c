/** What the command palette offers to this member now. */

import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { setLanguage } from '@/client/account/language'
import { saveSettings, signOut } from '@/client/account/session'
import { getPlace, navigate, type Params, pathTo } from '@/client/nav'
import { saveDnd, useDnd } from '@/client/notify/useDnd'
import { setDisplay } from '@/client/theme'
import { isOpenRow } from '@/components/inbox/rows'
import type { ActQuestion } from '@/components/operate/ActDialog'
import { useRequestName } from '@/components/request'
import { hrefOf, searchHref } from '@/components/search/hits'
import { useSearch } from '@/components/search/useSearch'
import { RAIL } from '@/components/shell/screens'
import { useTools } from '@/components/tools/useTools'
import { showToast } from '@/components/ui/toast'
import { firstWords } from '@/lib/format/plainText'
import { LOCALE_NAMES } from '@/lib/i18n'
import type { PaletteCommand } from './commands'
import { type PalettePage, useAgentCommands, useContextCommands } from './useContextCommands'

const SETTINGS_PAGES = ['profile', 'notifications', 'display', 'language', 'keyboard'] as const

export type PaletteControls = {
  page: PalettePage
  turnTo: (page: PalettePage) => void
  ask: (asked: ActQuestion) => void
}

export function useCommands(
  wish: string,
  isWatcher: boolean,
  { page, turnTo, ask }: PaletteControls,
): { commands: PaletteCommand[]; isSearching: boolean } {
  const fixed = useFixedCommands(isWatcher)
  const acts = useContextCommands(ask, turnTo)
  const agents = useAgentCommands(page === 'pause', ask)
  const { hits, isSearching } = useSearch(page === 'all' ? wish : '')
  const needs = useInboxCommands()
  const runs = useToolCommands()
  const t = useTranslations('palette')
  const found = hits.flatMap((hit): PaletteCommand[] => {
    const href = hrefOf(hit)
    return href === null
      ? []
      : [
          {
            id: `${hit.kind}:${hit.id}`,
            group: 'found',
            label: hit.kind === 'task' || hit.kind === 'agent' ? hit.title : hit.text,
            hint:
              hit.kind === 'task' || hit.kind === 'agent'
                ? t(`kind.${hit.kind}`)
                : [...new Set([t(`kind.${hit.kind}`), hit.title, hit.taskName])].join(' · '),
            href,
            run: () => navigate(href),
          },
        ]
  })
  if (page === 'pause') return { commands: agents, isSearching: false }
  const text = wish.trim()
  const everywhere: PaletteCommand[] =
    text === ''
      ? []
      : [
          {
            id: 'search:all',
            group: 'search',
            label: t('searchAll', { wish: text }),
            href: searchHref(text),
            run: () => navigate(searchHref(text)),
          },
        ]
  return { commands: [...needs, ...acts, ...fixed, ...runs, ...found, ...everywhere], isSearching }
}

function useInboxCommands(): PaletteCommand[] {
  const t = useTranslations()
  const rows = useRows('me')
  const nameOf = useRequestName()
  return rows.filter(isOpenRow).map(
    (row): PaletteCommand =>
      row.kind === 'request'
        ? {
            id: row.id,
            group: 'needs',
            label: nameOf(row),
            hint: row.taskName,
            href: pathTo('request', { requestId: row.request.id }),
            run: () => navigate(pathTo('request', { requestId: row.request.id })),
          }
        : {
            id: row.id,
            group: 'needs',
            label: t('palette.message', {
              who: row.sender.kind === 'system' ? t('request.theTask') : row.sender.name,
              text: firstWords(row.message.text),
            }),
            hint: row.taskName,
            href: pathTo('message', { taskId: row.message.task, messageId: row.message.id }),
            run: () => navigate(pathTo('message', { taskId: row.message.task, messageId: row.message.id })),
          },
  )
}

/** Tools of servers that are connected: opening the palette starts none. */
function useToolCommands(): PaletteCommand[] {
  const t = useTranslations('tools')
  const { servers } = useTools(false)
  const taskId = getPlace()?.params.taskId
  // From a task it is run in that task.
  const where = taskId === undefined ? '' : `?task=${taskId}`
  return servers.flatMap(({ name: server, offers }) =>
    (offers ?? []).map(
      ({ name: tool, title }): PaletteCommand => ({
        id: `run:${server}.${tool}`,
        group: 'go',
        label: t('palette', { name: `${server}.${tool}` }),
        words: title ?? '',
        href: pathTo('tool', { server, tool }) + where,
        run: () => navigate(pathTo('tool', { server, tool }) + where),
      }),
    ),
  )
}

function useFixedCommands(isWatcher: boolean): PaletteCommand[] {
  const t = useTranslations()
  const tasks = useRows('overview')
  const { isResting, settings: rest } = useDnd()
  return useMemo((): PaletteCommand[] => {
    const params: Params = getPlace()?.params ?? {}
    const { taskId } = params
    const link = (id: string, label: string, href: string, words = ''): PaletteCommand => ({
      id,
      group: 'go',
      label,
      words,
      href,
      run: () => navigate(href),
    })
    const here: PaletteCommand[] = [
      ...(taskId
        ? [
            { ...link('here:chat', t('chat.chat'), pathTo('task', { taskId })), group: 'here' as const, hint: '1' },
            { ...link('here:tree', t('chat.tree'), pathTo('tree', { taskId })), group: 'here' as const, hint: '2' },
            {
              ...link('here:waits', `${t('chat.waits')}: ${t('chat.task')}`, pathTo('taskWaits', { taskId })),
              group: 'here' as const,
              hint: '4',
            },
          ]
        : []),
      {
        id: 'here:link',
        group: 'here',
        label: t('palette.copyLink'),
        words: 'url address',
        run: () =>
          void navigator.clipboard?.writeText(window.location.href).then(
            () => showToast('done', t('common.copied')),
            () => showToast('error', t('palette.noClipboard')),
          ),
      },
    ]
    const go = [
      link('go:ask', t('tasks.ask'), `${pathTo('tasks')}?ask=1`, 'new task work'),
      ...RAIL.filter((row) => isWatcher || !row.isForWatchers).map((row) => ({
        ...link(`go:${row.screen}`, t(`shell.${row.word}`), row.href),
        hint: row.key,
      })),
      ...SETTINGS_PAGES.map((page) =>
        link(`go:settings:${page}`, `${t('shell.settings')}: ${t(`settings.${page}`)}`, pathTo('settings', { page })),
      ),
      ...tasks.map((task) => ({
        ...link(task.id, task.name, pathTo('task', { taskId: task.task })),
        hint: t('palette.kind.task'),
      })),
    ]
    const themes = (['light', 'dark', 'system'] as const).map(
      (theme): PaletteCommand => ({
        id: `theme:${theme}`,
        group: 'settings',
        label: t(`palette.theme.${theme}`),
        words: 'theme light dark',
        run: () => {
          setDisplay({ theme })
          void saveSettings({ theme })
        },
      }),
    )
    const languages = LOCALE_NAMES.map(
      (one): PaletteCommand => ({
        id: `language:${one.locale}`,
        group: 'settings',
        label: one.name,
        words: `language ${t('shell.language')}`,
        hint: t('shell.language'),
        run: () => {
          setLanguage(one.locale)
          if (one.locale !== 'en-XA') void saveSettings({ language: one.locale })
        },
      }),
    )
    const disturb: PaletteCommand = {
      id: 'rest',
      group: 'settings',
      label: isResting ? t('palette.restOff') : t('palette.restOn'),
      words: 'do not disturb dnd',
      run: () => void saveDnd({ ...rest, isOn: !isResting, until: null }),
    }
    const leave: PaletteCommand = {
      id: 'sign-out',
      group: 'settings',
      label: t('shell.signOut'),
      run: () => void signOut(),
    }
    return [...here, ...go, ...themes, ...languages, disturb, leave]
  }, [t, tasks, isWatcher, isResting, rest])
}
