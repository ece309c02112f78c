/** The toasts on screen: three at most, newest last, Alt+T to reach; at the lower left, above what one writes and presses there. */
import { useEffect, useEffectEvent, useState } from 'react'
import { toast as sonner, Toaster } from 'sonner'
import { useTranslations } from 'use-intl'
import { buttonClass } from '../Button'
import { useIsNarrow } from '../useIsNarrow'
import { drawToasts, isToastThere, type ToastKind, type ToastNote } from './toast'

const SHOWN_MS: Record<ToastKind, number> = { done: 5_000, info: 8_000, error: Number.POSITIVE_INFINITY }

function show({ id, kind, text, actions }: ToastNote): void {
  const [first, second] = actions
  sonner(<span>{text}</span>, {
    id,
    duration: SHOWN_MS[kind],
    closeButton: kind === 'error',
    action: first ? { label: first.label, onClick: first.onPress } : undefined,
    cancel: second ? { label: second.label, onClick: second.onPress } : undefined,
    className: kind === 'error' ? 'border-failed!' : undefined,
    // Beside a long text or two buttons there is no room for the other.
    classNames: { content: actions.length > 1 || text.length > BESIDE_LENGTH ? 'basis-full' : 'basis-32' },
  })
}

const LOOK_EVERY_MS = 500
/** A longer text has its button below it. */
const BESIDE_LENGTH = 60
const WIDTH = 352
const LEAST_WIDTH = 200
const GAP = 12

/**
 * Pixels that toasts keep free at the lower edge: everything marked `data-foot` (the composer, the foot of a pane, a phone's
 * navigation) below them.
 */
function footHeight(left: number, right: number): number {
  const tops = [...document.querySelectorAll('[data-foot]')].flatMap((foot) => {
    const box = foot.getBoundingClientRect()
    return box.height > 0 && box.left < right && box.right > left ? [box.top] : []
  })
  return Math.max(0, window.innerHeight - Math.min(window.innerHeight, ...tops))
}

/** The left edge of the page's text, px. In a wide window there is room for toasts beside it. */
const textEdge = (): number => document.querySelector('main h1')?.getBoundingClientRect().left ?? 0

/** Tells the page's scroller (`page-scroll`) how much of its lower end toasts cover, px. */
function tellRoom(): void {
  const page = document.querySelector('[data-pane=main]')?.getBoundingClientRect()
  const covered = [...document.querySelectorAll('[data-sonner-toast]')].map((toast) => {
    const box = toast.getBoundingClientRect()
    return page && box.right > page.left ? page.bottom - box.top : 0
  })
  document.documentElement.style.setProperty('--toast-room', `${Math.max(0, ...covered)}px`)
}

/** The position of toasts. It is updated while there are any: a composer grows, a page changes. */
function usePlace(isNarrow: boolean): { left: number; bottom: number; width: number; look: () => void } {
  const [place, setPlace] = useState({ left: GAP, bottom: GAP, width: WIDTH })
  const look = (): void => {
    const nav = isNarrow ? null : document.querySelector('[data-pane=nav]')
    const left = (nav?.getBoundingClientRect().right ?? 0) + GAP
    // Beside a list a toast is over the list alone: in the pane next to it people write and press.
    const list = isNarrow ? undefined : document.querySelector('[data-pane=list]')?.getBoundingClientRect()
    const room = list && list.width > 0 ? Math.max(LEAST_WIDTH, list.right - left - GAP) : textEdge() - left - GAP
    const width = room < LEAST_WIDTH ? WIDTH : Math.min(WIDTH, room)
    const bottom = footHeight(left, isNarrow ? window.innerWidth : left + width) + GAP
    setPlace((before) =>
      before.left === left && before.bottom === bottom && before.width === width ? before : { left, bottom, width },
    )
  }
  return { ...place, look }
}

export default function ToastList() {
  const t = useTranslations()
  const isNarrow = useIsNarrow()
  const { left, bottom, width, look: lookAgain } = usePlace(isNarrow)
  const look = useEffectEvent(lookAgain)
  useEffect(() => {
    // Joins the toasts: the list below is subscribed by now, since effects of children run first.
    drawToasts({
      show: (note) => {
        look()
        show(note)
      },
      close: (id) => void sonner.dismiss(id),
    })
    let wasThere = false
    const timer = setInterval(() => {
      const isThere = isToastThere()
      if (isThere) look()
      if (isThere || wasThere) tellRoom()
      wasThere = isThere
    }, LOOK_EVERY_MS)
    return () => {
      clearInterval(timer)
      drawToasts(null)
    }
  }, [])
  return (
    <Toaster
      position={isNarrow ? 'bottom-center' : 'bottom-left'}
      offset={{ left, bottom }}
      mobileOffset={{ left: 16, right: 16, bottom }}
      visibleToasts={3}
      expand
      hotkey={['altKey', 'KeyT']}
      containerAriaLabel={t('shell.announced')}
      className="font-sans! z-toast!"
      style={{ ['--toast-width' as string]: `${width}px` }}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: t('common.close'),
        classNames: {
          toast:
            'flex w-(--toast-width) max-w-[calc(100vw-2rem)] flex-wrap items-center justify-end gap-x-3 gap-y-2 rounded-card border border-line bg-s2 px-4 py-3 text-table text-t1',
          title: 'line-clamp-3 min-w-0 break-words',
          content: 'min-w-0 grow',
          actionButton: buttonClass('plain'),
          cancelButton: buttonClass('quiet'),
          closeButton: 'order-last text-t3',
        },
      }}
    />
  )
}
