/** The frame around every screen: top bar, rail or bottom tabs, list, main, inspector, at every width. */

import { ArrowLeft, X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useTotals } from '@/client'
import { usePasswordAsked } from '@/client/account/confirming'
import { MomentProvider, useMomentOf } from '@/client/moment'
import { MomentTimeContext, useMomentTime } from '@/client/momentTime'
import { Link, type NavPlace, PlaceProvider, setSearch, useScreenPlace } from '@/client/nav'
import type { InspectorProps, ScreenProps } from '@/client/nav/screenProps'
import { useReadersWords } from '@/client/readersWords'
import { Inspector } from '@/components/inspector/lazy'
import { MomentBar } from '@/components/moment/lazy'
import { AttentionLayer } from '@/components/notify/AttentionLayer'
import { CommandPalette } from '@/components/palette/lazy'
import { Button, buttonClass, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { ErrorBoundary } from '@/components/ui/ErrorBoundary'
import { ToastHost } from '@/components/ui/overlays/ToastHost'
import { PageHeading } from '@/components/ui/PageHeading'
import { Skeleton } from '@/components/ui/States'
import type { Me } from '@/lib/wire'
import { ConnectionBar } from './connection/ConnectionBar'
import { useFrameKeys } from './keys/useFrameKeys'
import { ConfirmPassword, KeysDialog, PaneEdge } from './lazy'
import { Rail } from './navigation/Rail'
import { type PaneSize, usePaneWidth } from './paneWidth'
import { rowOf, SCREENS, type ScreenRow } from './screens'
import { TopBar } from './TopBar'
import { useIsSettled } from './useIsSettled'
import type { ShellData } from './useShellData'

type FrameProps = {
  me: Me
  place: NavPlace
  data: ShellData
  /** The session ended while the page was open: it stays readable. */
  isSignedOut: boolean
}

const LIST: PaneSize = { name: 'list', min: 240, max: 400, normal: 288, edge: 'right' }
const INSPECTOR_SIZE: PaneSize = { name: 'inspector', min: 360, max: 560, normal: 400, edge: 'left' }
const PANE = 'min-w-0 flex-col overflow-hidden bg-s1 focus-visible:-outline-offset-2'

export function ConsoleFrame({ me, place: address, data, isSignedOut }: FrameProps) {
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const typed = useRef('')
  const callPalette = (): void => {
    if (!isPaletteOpen) typed.current = ''
    setPaletteOpen(true)
  }
  const list = useListToggle(address.pathname)
  const isSettled = useIsSettled()
  const row = useShownRow(rowOf(address))
  const { store: heldPlace, place } = useScreenPlace(row, rowOf, address)
  const inspect = place.search.get('inspect')
  const moment = useMomentOf(place.params.taskId, place.search.get('at'))
  const momentTime = useMomentTime()
  const isInspecting = inspect !== null
  const closeInspector = (): void => setSearch({ inspect: null, stage: null, tab: null })
  const isWatcher = me.person.access === 'operator' || me.person.access === 'developer'
  useFrameKeys({
    isWatcher,
    needs: data.needs,
    here: address.href,
    onHelp: () => setHelpOpen(true),
    onPalette: callPalette,
    onToggleList: row?.list ? list.toggle : null,
    onCloseInspector: isInspecting ? closeInspector : null,
    onEscape: list.closeDrawer,
  })

  // What is drawn already is drawn again once the page has the program's sentences in its own language.
  const words = useReadersWords(useTotals('me')?.language ?? null)
  const screenProps = place.screen ? { screen: place.screen, params: place.params, person: me.person } : null
  const password = usePasswordAsked()
  const isTurning = row !== rowOf(address)
  return (
    <div className="relative flex h-dvh flex-col overflow-clip">
      <SkipLinks hasInspector={isInspecting} />
      <ConnectionBar isSignedOut={isSignedOut} />
      <ErrorBoundary isQuiet>
        <AttentionLayer member={me.person.agent_id} isSettled={isSettled} />
      </ErrorBoundary>
      <TopBar
        me={me}
        hasList={row?.list !== undefined}
        onToggleList={list.toggle}
        taskId={place.params.taskId ?? null}
        onPalette={callPalette}
      />
      <div className="relative flex min-h-0 grow flex-col-reverse md:flex-row">
        <Rail screen={address.screen} counts={data.counts} isWatcher={isWatcher} />
        <PlaceProvider value={heldPlace}>
          <MomentProvider value={moment}>
            <MomentTimeContext.Provider value={moment === null ? null : momentTime}>
              {row?.list && screenProps ? (
                <ListPane
                  list={row.list}
                  row={row}
                  screenProps={screenProps}
                  isSettled={isSettled}
                  isTurning={isTurning}
                  isHidden={list.isHidden}
                  isDrawerOpen={list.isDrawerOpen}
                />
              ) : null}
              <main
                id="main"
                data-pane="main"
                tabIndex={-1}
                className={cx(
                  PANE,
                  'flex grow basis-0',
                  !row?.hasOwnContainers && '@container/main',
                  isInspecting && 'max-md:hidden',
                )}
              >
                <Frozen isFrozen={isTurning}>
                  {row && screenProps ? (
                    <row.main
                      key={place.screen === 'settings' ? keyOf(row) : `${keyOf(row)} ${words}`}
                      {...screenProps}
                    />
                  ) : (
                    <NothingHere />
                  )}
                </Frozen>
              </main>
              {inspect !== null ? (
                <InspectorPane
                  member={me.person.agent_id}
                  isSettled={isSettled}
                  inspect={inspect}
                  tab={place.search.get('tab')}
                  onClose={closeInspector}
                />
              ) : null}
            </MomentTimeContext.Provider>
          </MomentProvider>
        </PlaceProvider>
        {moment === null ? null : (
          <span
            aria-hidden
            className="pointer-events-none absolute inset-0 z-sheet border-2 border-dashed border-accent"
          />
        )}
      </div>
      {moment === null ? null : (
        <MomentProvider value={moment}>
          <MomentBar moment={moment} />
        </MomentProvider>
      )}
      {password === null ? null : <ConfirmPassword onClose={() => password.end(false)} />}
      {isHelpOpen ? <KeysDialog onClose={() => setHelpOpen(false)} /> : null}
      {isPaletteOpen ? <CommandPalette typed={typed} onClose={() => setPaletteOpen(false)} /> : null}
      <ToastHost />
    </div>
  )
}

/** From 1024 px on the list is a pane that can be hidden; below it is a drawer, open only at the address where it was opened. */
function useListToggle(pathname: string) {
  const [isHidden, setHidden] = useState(false)
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const isDrawerOpen = drawerAt === pathname
  const toggle = (): void => {
    if (window.matchMedia('(width >= 64rem)').matches) setHidden(!isHidden)
    else setDrawerAt(isDrawerOpen ? null : pathname)
  }
  return { isHidden, isDrawerOpen, toggle, closeDrawer: () => setDrawerAt(null) }
}

type SidePaneProps = ComponentProps<'aside'> & { size: PaneSize; edgeLabel: string; member: string; isSettled: boolean }

/** A pane beside main, as wide as the member made it. */
function SidePane({ size, edgeLabel, member, isSettled, className, children, ...rest }: SidePaneProps) {
  const [width, onWidth] = usePaneWidth(member, size)
  return (
    <aside
      {...rest}
      data-pane={size.name}
      tabIndex={-1}
      style={{ '--pane': `${width / 16}rem` }}
      className={cx(PANE, 'relative shrink-0 border-line xl:w-(--pane)', className)}
    >
      {children}
      {isSettled ? <PaneEdge label={edgeLabel} size={size} width={width} onWidth={onWidth} /> : null}
    </aside>
  )
}

type ListPaneProps = {
  list: NonNullable<ScreenRow['list']>
  row: ScreenRow
  screenProps: ScreenProps
  isSettled: boolean
  /** Another screen is about to be drawn. */
  isTurning: boolean
  isHidden: boolean
  isDrawerOpen: boolean
}

function ListPane(props: ListPaneProps) {
  const { list: List, row, screenProps, isSettled, isTurning, isHidden, isDrawerOpen } = props
  const t = useTranslations('shell')
  return (
    <SidePane
      size={LIST}
      aria-label={t('list')}
      edgeLabel={t('listWidth')}
      member={screenProps.person.agent_id}
      isSettled={isSettled}
      className={cx(
        'w-[19rem] border-r [anchor-name:--list] max-md:hidden lg:w-[16.5rem]',
        'md:max-lg:absolute md:max-lg:inset-y-0 md:max-lg:left-14 md:max-lg:z-sheet',
        isDrawerOpen ? 'md:max-lg:flex' : 'md:max-lg:hidden',
        isHidden ? 'lg:hidden' : 'lg:flex',
      )}
    >
      <Frozen isFrozen={isTurning}>
        {isSettled ? <List key={keyOf(row)} {...screenProps} /> : <Skeleton lines={5} />}
      </Frozen>
    </SidePane>
  )
}

function InspectorPane({ member, isSettled, ...paneProps }: InspectorProps & { member: string; isSettled: boolean }) {
  const t = useTranslations()
  const { onClose } = paneProps
  return (
    <SidePane
      id="inspector"
      size={INSPECTOR_SIZE}
      aria-label={t('shell.inspector')}
      edgeLabel={t('shell.inspectorWidth')}
      member={member}
      isSettled={isSettled}
      className={cx(
        'flex max-md:grow max-md:basis-0 md:border-l md:max-xl:absolute md:max-xl:inset-y-0 md:max-xl:right-0',
        'md:max-xl:z-sheet md:max-xl:w-[26.25rem] md:max-xl:animate-sheet',
      )}
    >
      <div className="shrink-0 border-b border-line px-1 md:hidden">
        <Button look="quiet" icon={<ArrowLeft />} onClick={onClose}>
          {t('common.back')}
        </Button>
      </div>
      <IconButton
        className="absolute top-2.5 right-3 z-sticky max-md:hidden"
        icon={<X />}
        label={t('shell.closeInspector')}
        onClick={onClose}
      />
      <Inspector {...paneProps} />
    </SidePane>
  )
}

/** Children are not drawn again while another screen is about to replace them. */
function Frozen({ isFrozen, children }: { isFrozen: boolean; children: ReactNode }) {
  const lastDrawn = useRef(children)
  if (!isFrozen) lastDrawn.current = children
  return lastDrawn.current
}

/** Another screen is another pane, with its own skeleton. */
const keyOf = (row: ScreenRow): number => Object.values(SCREENS).indexOf(row)

function SkipLinks({ hasInspector }: { hasInspector: boolean }) {
  const t = useTranslations('shell')
  const links = [
    { to: 'main [data-needs-me], [data-needs-me]', href: '/inbox?view=needs-me', word: t('skipNeeds') },
    { to: '#main', href: '#main', word: t('skipMain') },
    ...(hasInspector ? [{ to: '#inspector', href: '#inspector', word: t('skipInspector') }] : []),
  ]
  return links.map(({ to, href, word }) => (
    <a
      key={to}
      href={href}
      className={cx(
        'sr-only focus:not-sr-only focus:absolute focus:top-1 focus:left-1 focus:z-connection',
        'focus:rounded-control focus:bg-s2 focus:px-3! focus:py-2!',
      )}
      onClick={(event) => {
        event.preventDefault()
        document.querySelector<HTMLElement>(to)?.focus()
      }}
    >
      {word}
    </a>
  ))
}

/** At an address of no screen. */
export function NothingHere() {
  const t = useTranslations()
  return (
    <div role="alert" className="overflow-y-auto p-5">
      <PageHeading title={[t('error.nothingHere')]}>{t('error.nothingHere')}</PageHeading>
      <p className="mt-2 text-t2">{t('error.nothingHereWhy')}</p>
      <Link href="/inbox" className={cx(buttonClass('plain'), 'mt-4')}>
        {t('error.toInbox')}
      </Link>
    </div>
  )
}

/**
 * The screen that is drawn: that of the address, a moment after a change.
 *
 * A press gets its answer first (the rail marks the new place); the new screen is drawn in a task of its own. In the same task
 * it would delay the answer by a fifth of a second on a phone.
 */

/** For a page that is hidden, or too busy to paint. */
const AT_LATEST_MS = 100

/** row: of the address. out: the one to draw */
function useShownRow<Row extends object | null>(row: Row): Row {
  const [shown, setShown] = useState(row)
  useEffect(() => {
    // Joins the paint: a timer set in an animation frame fires after it.
    if (shown === row) return
    const show = (): void => setShown(row)
    const timers = [setTimeout(show, AT_LATEST_MS)]
    const frame = requestAnimationFrame(() => timers.push(setTimeout(show, 0)))
    return () => {
      cancelAnimationFrame(frame)
      for (const timer of timers) clearTimeout(timer)
    }
  }, [row, shown])
  return shown
}
