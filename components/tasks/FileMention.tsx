/** Files of the workspace that "@" offers while a request is written. The focus stays in the text. */
import { File, Folder } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl'
import type { TextDraft } from '@/client/drafts'
import { menuRef } from '@/client/pageUse'
import { useApiQuery } from '@/client/queries'
import { Button } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { mentionAt } from '@/components/ui/fields/mentionAt'
import { formatBytes } from '@/lib/format'
import type { FilesPage } from '@/lib/wire'
import { insertPath } from './workFiles'

/** Lines that are offered. */
const MOST = 8

export function useFileMention(draft: TextDraft, box: RefObject<HTMLTextAreaElement | null>) {
  const id = useId()
  const [at, setAt] = useState<{ from: number; typed: string } | null>(null)
  /** Where the arrow keys went. */
  const [picked, setPicked] = useState(0)
  const { data, error, refetch } = useApiQuery<FilesPage>(at === null ? null : '/api/files?depth=3')
  const typed = at?.typed.toLocaleLowerCase() ?? ''
  const entries = data?.entries ?? []
  const offered =
    at === null ? [] : entries.filter(({ path }) => path.toLocaleLowerCase().includes(typed)).slice(0, MOST)
  const index = Math.min(picked, Math.max(0, offered.length - 1))
  const active = offered[index]?.path ?? null
  const close = (): void => setAt(null)
  const choose = (path: string): void => {
    if (at === null) return
    const end = at.from + 1 + at.typed.length
    const put = insertPath(draft.text.slice(0, at.from) + draft.text.slice(end), path, at.from)
    // Drawn at once: a caret set a frame later would jump over what was typed meanwhile.
    flushSync(() => {
      draft.setText(put.text)
      close()
    })
    box.current?.focus()
    box.current?.setSelectionRange(put.cursor, put.cursor)
  }
  return {
    id,
    at,
    entries,
    isLoading: data === undefined && error === null,
    isBroken: error !== null,
    refetch,
    offered,
    active,
    choose,
    close,
    typed: (text: string, caret: number): void => {
      setAt(mentionAt(text, caret))
      setPicked(0)
    },
    /** By its button: as if "@" were typed. */
    begin: (): void => {
      const area = box.current
      if (!area) return
      const caret = area.selectionStart
      const before = draft.text.slice(0, caret)
      const text = `${before}${before === '' || /\s$/.test(before) ? '' : ' '}@`
      flushSync(() => draft.setText(text + draft.text.slice(caret)))
      area.focus()
      area.setSelectionRange(text.length, text.length)
      setAt(mentionAt(text, text.length))
      setPicked(0)
    },
    /** out: whether the key belonged to the list */
    onKeyDown: (event: KeyboardEvent): boolean => {
      if (at === null) return false
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (event.key === 'Escape') {
        event.stopPropagation()
        close()
      } else if (active === null) return false
      else if (step !== 0) setPicked((index + step + offered.length) % offered.length)
      else if ((event.key === 'Enter' && !event.metaKey && !event.ctrlKey) || event.key === 'Tab') choose(active)
      else return false
      event.preventDefault()
      return true
    },
    boxProps:
      at === null
        ? {}
        : ({
            role: 'combobox',
            'aria-autocomplete': 'list',
            'aria-expanded': true,
            'aria-controls': id,
            ...(active === null ? {} : { 'aria-activedescendant': `${id}-${index}` }),
          } as const),
  }
}

export function FileMention({ mention }: { mention: ReturnType<typeof useFileMention> }) {
  const t = useTranslations()
  const { id, at, entries, isLoading, isBroken, refetch, offered, active, choose } = mention
  if (at === null) return null
  const note = 'px-2.5 py-1.5 text-table text-t3'
  return (
    <div
      ref={menuRef}
      id={offered.length === 0 ? id : undefined}
      className="absolute inset-x-3 top-full z-popover mt-1 max-h-72 max-w-lg overflow-y-auto rounded-card border border-line bg-s2 p-1 shadow-overlay"
      onPointerDown={(event) => event.preventDefault()}
    >
      {isLoading ? (
        <p className={note}>{t('common.loading')}</p>
      ) : isBroken ? (
        <p className={cx(note, 'flex flex-wrap items-center gap-2')}>
          {t('tasks.workspaceBroken')}
          <Button look="quiet" onClick={refetch}>
            {t('common.tryAgain')}
          </Button>
        </p>
      ) : offered.length === 0 ? (
        <p className={note}>{t(entries.length === 0 ? 'tasks.workspaceEmpty' : 'tasks.noFileFits')}</p>
      ) : (
        <div id={id} role="listbox" aria-label={t('tasks.workspace')}>
          {offered.map((entry, index) => {
            const Icon = entry.kind === 'folder' ? Folder : File
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text box's, which keeps the focus.
              <div
                key={entry.path}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={entry.path === active}
                onClick={() => choose(entry.path)}
                className={cx(
                  'flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2.5 text-table hover:bg-hover touch:min-h-11',
                  entry.path === active && 'bg-sel',
                )}
              >
                <Icon aria-hidden className="size-3.5 shrink-0 text-t3" />
                <span data-literal className="cut grow font-mono">
                  {entry.path}
                </span>
                {entry.kind === 'file' ? <span className="text-meta text-t3">{formatBytes(entry.bytes)}</span> : null}
              </div>
            )
          })}
        </div>
      )}
    </div>
  )
}
