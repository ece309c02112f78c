/** The command palette: one box for open items, places, search results and settings. Keys and roles of its list are cmdk's. */
import { Command } from 'cmdk'
import { Dialog as RadixDialog } from 'radix-ui'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { navigate } from '@/client/nav'
import { ActDialog, type ActQuestion } from '@/components/operate/ActDialog'
import { ItemLine } from '@/components/ui/marks/ItemLine'
import { matchingCommands, type PaletteCommand } from './commands'
import type { PaletteProps } from './PaletteBox'
import { useCommands } from './useCommands'
import type { PalettePage } from './useContextCommands'

export default function CommandPalette({ typed, onClose }: PaletteProps) {
  const t = useTranslations('palette')
  const [query, setQuery] = useState('')
  const box = useRef<HTMLInputElement>(null)
  const [page, setPage] = useState<PalettePage>('all')
  const [asked, setAsked] = useState<ActQuestion | null>(null)
  const [at, setAt] = useState('')
  const turnTo = (next: PalettePage): void => {
    setPage(next)
    setQuery('')
  }
  const { commands, isSearching } = useCommands(query, { page, turnTo, ask: setAsked })
  const groups = matchingCommands(commands, query)
  const run = ({ run, href, isKept }: PaletteCommand): void => {
    const act = run ?? (() => navigate(href))
    if (isKept) {
      act()
      return
    }
    onClose()
    // Once the dialog has given the focus back: the new page takes it.
    requestAnimationFrame(act)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Backspace' && query === '' && page !== 'all') turnTo('all')
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
            // After the focus, or a key pressed between the two would be lost.
            setQuery(typed.current)
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
              value={query}
              onValueChange={setQuery}
              placeholder={page === 'pause' ? t('whichAgent') : t('search')}
              aria-label={t('search')}
              maxLength={200}
              className="h-12 shrink-0 border-b border-line bg-transparent px-4 text-question outline-none placeholder:text-t3"
            />
            <Command.List label={t('lines')} className="min-h-0 grow overflow-y-auto p-1.5">
              {groups.every(({ group }) => group === 'search') ? (
                <p role="status" className="px-3 py-6 text-center text-table text-t2">
                  {isSearching ? t('searching') : t('nothing', { wish: query })}
                </p>
              ) : null}
              {groups.map(({ group, commands: inGroup }) => (
                <Command.Group
                  key={group}
                  heading={t(`group.${group}`)}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-meta [&_[cmdk-group-heading]]:text-t3"
                >
                  {inGroup.map((line) => (
                    <Command.Item
                      key={line.id}
                      value={line.id}
                      onSelect={() => run(line)}
                      aria-label={line.item ? [line.label, line.hint].filter(Boolean).join(' · ') : undefined}
                      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-2.5 text-table aria-selected:bg-sel touch:min-h-11"
                    >
                      {line.item ? (
                        <Item {...line} {...line.item} />
                      ) : (
                        <>
                          <line.icon aria-hidden className="size-4 shrink-0 text-t3" />
                          <span className="cut grow">{line.label}</span>
                          {line.hint ? (
                            <span className="cut max-w-[40%] shrink-0 text-meta text-t3">{line.hint}</span>
                          ) : null}
                        </>
                      )}
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

type ItemProps = Pick<PaletteCommand, 'icon'> & NonNullable<PaletteCommand['item']>

function Item({ icon: Icon, name, place, text }: ItemProps) {
  return (
    <div aria-hidden className="min-w-0 grow py-1.5">
      <ItemLine mark={<Icon />} name={name} place={place === name ? undefined : place}>
        {text}
      </ItemLine>
    </div>
  )
}
