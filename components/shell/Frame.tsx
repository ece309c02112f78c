/** The frame around every screen: top bar, rail or bottom tabs, list, main, inspector, at every width. */
import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Link, type NavPlace, PlaceProvider, setSearch, useScreenPlace } from '@/client/nav'
import { UrgentLayer } from '@/components/inbox/UrgentDialog'
import { Button, buttonClass, IconButton } from '@/components/ui/Button'
import { cx } from '@/components/ui/cx'
import { ErrorBoundary } from '@/components/ui/ErrorBoundary'
import { useLazy } from '@/components/ui/lazy'
import { PageHeading } from '@/components/ui/PageHeading'
import { Skeleton } from '@/components/ui/States'
import { reportServerAway } from '@/components/ui/serverAway'
import { ToastHost } from '@/components/ui/ToastHost'
import { useLazyPart } from '@/components/ui/useLazyPart'
import type { Me } from '@/lib/wire'
import { ConnectionBar } from './ConnectionBar'
import { useCalledPart } from './keyboard'
import { keysDialog, palette, paneEdge } from './lazyParts'
import { Everywhere, Pane } from './Pane'
import { type PaneSize, usePaneWidth } from './paneWidth'
import { Rail } from './Rail'
import { EVERYWHERE, INSPECTOR, rowOf, SCREENS, type ScreenRow } from './screens'
import { TopBar } from './TopBar'
import { useFrameKeys } from './useFrameKeys'
import { useIsSettled } from './useIsSettled'
import type { ShellData } from './useShellData'
import { useShownRow } from './useShownRow'

export type FrameProps = {
  me: Me
  place: NavPlace
  data: ShellData
  /** The session ended while the page was open: it stays readable. */
  isSignedOut: boolean
}

const LIST: PaneSize = { name: 'list', min: 240, max: 400, normal: 288 }
const INSPECTOR_SIZE: PaneSize = { name: 'inspector', min: 360, max: 560, normal: 400 }
const PANE = 'min-w-0 flex-col overflow-hidden bg-s1 focus-visible:-outline-offset-2'

export function ConsoleFrame({ me, place: address, data, isSignedOut }: FrameProps) {
  const t = useTranslations()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const paletteCall = useCalledPart()
  // From 1024 px on the list is a pane that can be hidden; below it is a drawer, open only where it was opened.
  const [isListHidden, setListHidden] = useState(false)
  const [listWidth, setListWidth] = usePaneWidth(me.person.agent_id, LIST)
  const [inspectorWidth, setInspectorWidth] = usePaneWidth(me.person.agent_id, INSPECTOR_SIZE)
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const isSettled = useIsSettled()
  const PaneEdge = useLazyPart(paneEdge, isSettled)
  const row = useShownRow(rowOf(address))
  const { store: heldPlace, place } = useScreenPlace(row, rowOf, address)
  const isDrawerOpen = drawerAt === address.pathname
  const inspect = place.search.get('inspect')
  const isInspecting = INSPECTOR !== null && inspect !== null
  const { word, lastBeatAt } = data.connection
  const silence = word === 'offline' ? lastBeatAt : null
  // Joins the chips of the page: what ran when the server fell silent is drawn as not known.
  useEffect(() => reportServerAway(silence), [silence])
  const closeInspector = (): void => setSearch({ inspect: null, tab: null })
  const toggleList = (): void => {
    if (window.matchMedia('(width >= 64rem)').matches) setListHidden(!isListHidden)
    else setDrawerAt(isDrawerOpen ? null : address.pathname)
  }

  const keysPart = useLazy(keysDialog, isHelpOpen, () => setHelpOpen(false))

  const palettePart = useLazy(palette, paletteCall.called !== null, paletteCall.leave)

  const isWatcher = me.person.access === 'operator' || me.person.access === 'developer'
  useFrameKeys({
    isWatcher,
    needs: data.needs,
    here: address.href,
    hasList: row?.list !== undefined,
    isInspecting,
    onHelp: () => setHelpOpen(true),
    onPalette: paletteCall.call,
    onToggleList: toggleList,
    onCloseInspector: closeInspector,
    onEscape: () => setDrawerAt(null),
  })

  const screenProps = place.screen ? { screen: place.screen, params: place.params, person: me.person } : null
  const isTurning = row !== rowOf(address)
  return (
    <div className="relative flex h-dvh flex-col overflow-clip">
      <SkipLinks hasInspector={isInspecting} />
      <ConnectionBar connection={data.connection} isSignedOut={isSignedOut} />
      <ErrorBoundary isQuiet>
        <UrgentLayer person={me.person} />
      </ErrorBoundary>
      {isSettled
        ? EVERYWHERE.map((file) => (
            <Everywhere key={String(EVERYWHERE.indexOf(file))} file={file} partProps={{ person: me.person }} />
          ))
        : null}
      <TopBar
        me={me}
        connection={data.connection}
        hasList={row?.list !== undefined}
        onToggleList={toggleList}
        taskId={place.params.taskId ?? null}
        onPalette={paletteCall.call}
      />
      <div className="relative flex min-h-0 grow flex-col-reverse md:flex-row">
        <Rail screen={address.screen} counts={data.counts} isWatcher={isWatcher} />
        <PlaceProvider value={heldPlace}>
          {row?.list && screenProps ? (
            <aside
              data-pane="list"
              tabIndex={-1}
              aria-label={t('shell.list')}
              style={{ '--pane': `${listWidth / 16}rem` }}
              className={cx(
                PANE,
                'relative w-[19rem] shrink-0 border-r border-line max-md:hidden lg:w-[16.5rem] xl:w-(--pane)',
                'md:max-lg:absolute md:max-lg:inset-y-0 md:max-lg:left-14 md:max-lg:z-sheet',
                isDrawerOpen ? 'md:max-lg:flex' : 'md:max-lg:hidden',
                isListHidden ? 'lg:hidden' : 'lg:flex',
              )}
            >
              <Kept isStill={isTurning}>
                {isSettled ? (
                  <Pane key={keyOf(row)} load={row.list} paneProps={screenProps} resetKey={place.pathname} />
                ) : (
                  <Skeleton lines={5} />
                )}
              </Kept>
              {PaneEdge ? (
                <PaneEdge
                  label={t('shell.listWidth')}
                  size={LIST}
                  width={listWidth}
                  onWidth={setListWidth}
                  side="right"
                />
              ) : null}
            </aside>
          ) : null}
          <main
            id="main"
            data-pane="main"
            tabIndex={-1}
            className={cx(PANE, '@container/main flex grow basis-0', isInspecting && 'max-md:hidden')}
          >
            <Kept isStill={isTurning}>
              {row && screenProps ? (
                <Pane key={keyOf(row)} load={row.main} paneProps={screenProps} resetKey={place.pathname} />
              ) : (
                <NothingHere />
              )}
            </Kept>
          </main>
          {isInspecting && INSPECTOR && inspect ? (
            <aside
              id="inspector"
              data-pane="inspector"
              tabIndex={-1}
              aria-label={t('shell.inspector')}
              style={{ '--pane': `${inspectorWidth / 16}rem` }}
              className={cx(
                PANE,
                'relative flex shrink-0 border-line md:border-l xl:w-(--pane)',
                'max-md:grow max-md:basis-0 md:max-xl:absolute md:max-xl:inset-y-0 md:max-xl:right-0 md:max-xl:z-sheet md:max-xl:w-[26.25rem] md:max-xl:animate-sheet',
              )}
            >
              <div className="shrink-0 border-b border-line px-1 md:hidden">
                <Button look="quiet" icon={<ArrowLeft aria-hidden />} onClick={closeInspector}>
                  {t('common.back')}
                </Button>
              </div>
              <IconButton
                className="absolute top-2.5 right-3 z-sticky max-md:hidden"
                icon={<X aria-hidden />}
                label={t('shell.closeInspector')}
                onClick={closeInspector}
              />
              <Pane
                load={INSPECTOR}
                paneProps={{ inspect, tab: place.search.get('tab'), onClose: closeInspector }}
                resetKey={inspect}
              />
              {PaneEdge ? (
                <PaneEdge
                  label={t('shell.inspectorWidth')}
                  size={INSPECTOR_SIZE}
                  width={inspectorWidth}
                  onWidth={setInspectorWidth}
                  side="left"
                />
              ) : null}
            </aside>
          ) : null}
        </PlaceProvider>
      </div>
      {keysPart && isHelpOpen ? <keysPart.default onClose={() => setHelpOpen(false)} /> : null}
      {palettePart && paletteCall.called ? (
        <palettePart.default isWatcher={isWatcher} typed={paletteCall.called.typed} onClose={paletteCall.leave} />
      ) : null}
      <ToastHost />
    </div>
  )
}

/** What it holds is not drawn again while the reader is on their way to another screen. */
function Kept({ isStill, children }: { isStill: boolean; children: ReactNode }) {
  const kept = useRef(children)
  if (!isStill) kept.current = children
  return kept.current
}

/** Another screen is another pane: its own skeleton, and nothing of the last one kept behind it. */
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
      className="sr-only focus:not-sr-only focus:absolute focus:top-1 focus:left-1 focus:z-connection focus:rounded-control focus:bg-s2 focus:px-3! focus:py-2!"
      onClick={(event) => {
        event.preventDefault()
        document.querySelector<HTMLElement>(to)?.focus()
      }}
    >
      {word}
    </a>
  ))
}

function NothingHere() {
  const t = useTranslations()
  const home = SCREENS.inbox ? '/inbox' : '/settings'
  return (
    <div role="alert" className="overflow-y-auto p-5">
      <PageHeading title={[t('error.nothingHere')]}>{t('error.nothingHere')}</PageHeading>
      <p className="mt-2 text-t2">{t('error.nothingHereWhy')}</p>
      <Link href={home} className={cx(buttonClass('plain'), 'mt-4')}>
        {home === '/inbox' ? t('error.toInbox') : t('shell.settings')}
      </Link>
    </div>
  )
}
