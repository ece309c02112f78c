/**
 * The command palette: one box that finds what needs me, where to go, what there is, and how the console looks.
 *
 * Keys and roles of the list are cmdk's.
 */
import { Command } from 'cmdk'
import { Dialog as RadixDialog } from 'radix-ui'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { matchingCommands, type PaletteCommand } from './commands'
import { useCommands } from './useCommands'
import type { PalettePage } from './useContextCommands'

export type CommandPaletteProps = {
  isWatcher: boolean
  /** What was typed while this file was on its way; it stops being held when it is asked for. */
  typed: () => string
  onClose: () => void
}

export default function CommandPalette({ isWatcher, typed, onClose }: CommandPaletteProps) {
  const t = useTranslations('palette')
  const [wish, setWish] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const [page, setPage] = useState<PalettePage>('all')
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const [at, setAt] = useState('')
  const turnTo = (next: PalettePage): void => {
    setPage(next)
    setWish('')
  }
  const { commands, isSearching } = useCommands(wish, isWatcher, { page, turnTo, ask: setAsked })
  const groups = matchingCommands(commands, wish)
  const run = (line: PaletteCommand): void => {
    if (line.isKept) {
      line.run()
      return
    }
    onClose()
    // After the dialog gave the focus back, so that the page gone to can take it.
    requestAnimationFrame(line.run)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' && wish === '' && page !== 'all') turnTo('all')
    const href = commands.find(({ id }) => id === at)?.href
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || href === undefined) return
    event.preventDefault()
    window.open(href, '_blank', 'noopener')
    onClose()
  }
  if (asked !== null) return <ActDialog asked={asked} onClose={onClose} />
  return (
    <RadixDialog.Root open onOpenChange={onClose}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-dialog bg-scrim" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            box.current?.focus()
            // Only now: a key between the two would be nobody's.
            setWish(typed())
          }}
          className="fixed top-[12dvh] left-1/2 z-dialog flex max-h-[70dvh] w-[38rem] max-w-[calc(100vw-1rem)] -translate-x-1/2 animate-pop flex-col overflow-hidden rounded-dialog border border-line bg-s2 shadow-overlay max-md:top-2 max-md:max-h-[calc(100dvh-1rem)]"
        >
          <RadixDialog.Title className="sr-only">{t('title')}</RadixDialog.Title>
          <Command
            shouldFilter={false}
            loop
            label={t('search')}
            value={at}
            onValueChange={setAt}
            onKeyDown={onKeyDown}
            className="flex min-h-0 flex-col"
          >
            <Command.Input
              ref={box}
              value={wish}
              onValueChange={setWish}
              placeholder={page === 'pause' ? t('whichAgent') : t('search')}
              aria-label={t('search')}
              maxLength={200}
              className="h-12 shrink-0 border-b border-line bg-transparent px-4 text-question outline-none placeholder:text-t3"
            />
            <Command.List label={t('lines')} className="min-h-0 grow overflow-y-auto p-1.5">
              {groups.every(({ group }) => group === 'search') ? (
                <p role="status" className="px-3 py-6 text-center text-table text-t2">
                  {isSearching ? t('searching') : t('nothing', { wish })}
                </p>
              ) : null}
              {groups.map(({ group, lines }) => (
                <Command.Group
                  key={group}
                  heading={t(`group.${group}`)}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-t3"
                >
                  {lines.map((line) => (
                    <Command.Item
                      key={line.id}
                      value={line.id}
                      onSelect={() => run(line)}
                      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2.5 text-table aria-selected:bg-sel touch:min-h-11"
                    >
                      <span className="cut grow">{line.label}</span>
                      {line.hint ? (
                        <span className="cut max-w-[40%] shrink-0 text-meta text-t3">{line.hint}</span>
                      ) : null}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}
