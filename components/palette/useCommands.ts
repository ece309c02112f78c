/** The commands that the palette offers to this member now. */
import { CircleHelp, Layers, Link2, type LucideIcon, MessageCircle, Plus, Search, Settings, Wrench } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useRows } from '@/client'
import { setLanguage } from '@/client/account/language'
import { signOut } from '@/client/account/session'
import { useActionLook } from '@/client/actions/actionLook'
import { actionRow } from '@/client/actions/actionTable'
import { useBoundActions } from '@/client/actions/keyboard'
import { getPlace, pathTo } from '@/client/nav'
import { dndWith, useDnd } from '@/client/notify/useDnd'
import { useToolServers } from '@/client/queries/useToolServers'
import { messageText, taskTitle } from '@/client/readersWords'
import { setDisplay } from '@/client/theme'
import { isOpenRow, rowHref, rowSender, rowText } from '@/components/inbox/rows'
import type { ActQuestion } from '@/components/operate/ActDialog'
import { useRequestName, useSenderName } from '@/components/request'
import { useCommandToast } from '@/components/request/useCommandToast'
import { HIT_ICONS } from '@/components/search/hitIcons'
import { hrefOf, searchHref } from '@/components/search/hits'
import { useSearch } from '@/components/search/useSearch'
import { useKeep } from '@/components/settings/Setting'
import { copyText } from '@/components/ui/copyText'
import { useSaveSettings } from '@/components/ui/useSaveSettings'
import { firstWords } from '@/lib/format/plainText'
import { LOCALE_NAMES } from '@/lib/i18n'
import type { PaletteCommand } from './commands'
import { type PalettePage, useAgentCommands, useContextCommands } from './useContextCommands'

const SETTINGS_PAGES = ['profile', 'notifications', 'display', 'language', 'keyboard'] as const

type PaletteControls = {
  page: PalettePage
  turnTo: (page: PalettePage) => void
  ask: (asked: ActQuestion) => void
}

export function useCommands(
  query: string,
  { page, turnTo, ask }: PaletteControls,
): { commands: PaletteCommand[]; isSearching: boolean } {
  const fixed = useFixedCommands()
  const acts = useContextCommands(ask, turnTo)
  const agents = useAgentCommands(page === 'pause', ask)
  const { hits, isSearching } = useSearch(page === 'all' ? query : '')
  const needs = useInboxCommands()
  const runs = useToolCommands()
  const t = useTranslations('palette')
  const found = hits.flatMap((hit): PaletteCommand[] => {
    const href = hrefOf(hit)
    const isTitled = hit.kind === 'task' || hit.kind === 'agent'
    return href === null
      ? []
      : [
          {
            id: `${hit.kind}:${hit.id}`,
            group: 'found',
            icon: HIT_ICONS[hit.kind],
            label: isTitled ? hit.title : hit.text,
            hint: isTitled
              ? t(`kind.${hit.kind}`)
              : [...new Set([t(`kind.${hit.kind}`), hit.title, taskTitle(hit.taskName)])].join(' · '),
            ...(isTitled ? {} : { item: { name: hit.title, place: taskTitle(hit.taskName), text: hit.text } }),
            href,
          },
        ]
  })
  if (page === 'pause') return { commands: agents, isSearching: false }
  const text = query.trim()
  const everywhere: PaletteCommand[] =
    text === ''
      ? []
      : [
          {
            id: 'search:all',
            group: 'search',
            icon: Search,
            label: t('searchAll', { wish: text }),
            href: searchHref(text),
          },
        ]
  return { commands: [...needs, ...acts, ...fixed, ...runs, ...found, ...everywhere], isSearching }
}

function useInboxCommands(): PaletteCommand[] {
  const t = useTranslations()
  const rows = useRows('me')
  const nameOf = useRequestName()
  const senderName = useSenderName()
  return rows.filter(isOpenRow).map((row) => ({
    id: row.id,
    group: 'needs',
    icon: row.kind === 'request' ? CircleHelp : MessageCircle,
    label:
      row.kind === 'request'
        ? nameOf(row)
        : t('palette.message', { who: senderName(row.sender), text: firstWords(messageText(row.message)) }),
    hint: taskTitle(row.taskName),
    item: { name: senderName(rowSender(row)), place: taskTitle(row.taskName), text: firstWords(rowText(row)) },
    href: rowHref(row),
  }))
}

/** Tools of connected servers; the palette starts no server. */
function useToolCommands(): PaletteCommand[] {
  const t = useTranslations('tools')
  const { servers } = useToolServers(false)
  const taskId = getPlace()?.params.taskId
  // On the page of a task the tool runs in that task.
  const where = taskId === undefined ? '' : `?task=${taskId}`
  return servers.flatMap(({ name: server, offers }) =>
    (offers ?? []).map(
      ({ name: tool, title }): PaletteCommand => ({
        id: `run:${server}.${tool}`,
        group: 'go',
        icon: Wrench,
        label: t('palette', { name: `${server}.${tool}` }),
        words: title ?? '',
        href: pathTo('tool', { server, tool }) + where,
      }),
    ),
  )
}

/** The actions of the table that can be done now. */
function useActionCommands(): PaletteCommand[] {
  const t = useTranslations()
  const lookOf = useActionLook()
  return useBoundActions().flatMap(({ id, at, run, href }): PaletteCommand[] => {
    const row = actionRow(id)
    if (row.palette === undefined) return []
    const { group, words } = row.palette
    const command = { id, group, icon: row.icon, label: t(words), hint: lookOf(id, at).key }
    return [href === undefined ? { ...command, run } : { ...command, href }]
  })
}

function useFixedCommands(): PaletteCommand[] {
  const t = useTranslations()
  const tasks = useRows('overview')
  const { isResting } = useDnd()
  const run = useCommandToast()
  const keep = useKeep()
  const save = useSaveSettings()
  const actions = useActionCommands()
  const link = (icon: LucideIcon, id: string, label: string, href: string, words = '') =>
    ({ id, group: 'go', icon, label, words, href }) satisfies PaletteCommand
  const linkHere: PaletteCommand = {
    id: 'here:link',
    group: 'here',
    icon: Link2,
    label: t('palette.copyLink'),
    words: 'url address',
    run: () => copyText(window.location.href, t('common.copied')),
  }
  const go = [
    link(Plus, 'go:ask', t('tasks.ask'), `${pathTo('tasks')}?ask=1`, 'new task work'),
    ...actions,
    link(CircleHelp, 'go:help', t('shell.help'), pathTo('help'), 'docs words keys start'),
    ...SETTINGS_PAGES.map((page) =>
      link(
        Settings,
        `go:settings:${page}`,
        t('palette.settings', { page: t(`settings.${page}`) }),
        pathTo('settings', { page }),
      ),
    ),
    ...tasks.map((task) => ({
      ...link(Layers, task.id, taskTitle(task.name), pathTo('task', { taskId: task.task })),
      hint: t('palette.kind.task'),
    })),
  ]
  const setting = (id: string, label: string, run: () => void, words = '', hint?: string): PaletteCommand => ({
    id,
    group: 'settings',
    icon: Settings,
    label,
    words,
    hint,
    run,
  })
  const themes = (['light', 'dark', 'system'] as const).map((theme) => {
    const choose = (): void => {
      setDisplay({ theme })
      keep({ theme })
    }
    return setting(`theme:${theme}`, t(`palette.theme.${theme}`), choose, 'theme light dark')
  })
  const language = t('shell.language')
  const languages = LOCALE_NAMES.map(({ locale, name }) => {
    const choose = (): void => {
      setLanguage(locale)
      if (locale !== 'en-XA') keep({ language: locale })
    }
    return setting(`language:${locale}`, name, choose, `language ${language}`, language)
  })
  const turnRest = (): void => void save(dndWith({ isOn: !isResting, until: null }))
  const disturb = setting('rest', t(isResting ? 'palette.restOff' : 'palette.restOn'), turnRest, 'do not disturb dnd')
  const leave = setting('sign-out', t('shell.signOut'), () => void run(signOut()))
  return [...go, linkHere, ...themes, ...languages, disturb, leave]
}
