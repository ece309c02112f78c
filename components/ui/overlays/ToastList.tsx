/** The toasts on screen: three at most, newest last, Alt+T to reach; at the lower left, above what one writes and presses there. */
import { useEffect, useRef, useState } from 'react'
import { toast as sonner, Toaster } from 'sonner'
import { useTranslations } from 'use-intl'
import { buttonClass } from '../Button'
import { useIsNarrow } from '../useIsNarrow'
import { drawToasts, isToastThere, type ToastKind, type ToastNote } from './toast'

const SHOWN_MS: Record<ToastKind, number> = { done: 5_000, info: 8_000, error: Number.POSITIVE_INFINITY }

function show({ id, kind, text, actions }: ToastNote): void {
  const [first, second] = actions
  sonner(text, {
    id,
    duration: SHOWN_MS[kind],
    closeButton: kind === 'error',
    action: first ? { label: first.label, onClick: first.onPress } : undefined,
    cancel: second ? { label: second.label, onClick: second.onPress } : undefined,
    className: kind === 'error' ? 'border-failed!' : undefined,
  })
}

const LOOK_EVERY_MS = 500
const WIDTH = 352
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

/** The position of toasts. It is updated while there are any: a composer grows, a page changes. */
function usePlace(isNarrow: boolean): { left: number; bottom: number; look: () => void } {
  const [place, setPlace] = useState({ left: GAP, bottom: GAP })
  const look = (): void => {
    const nav = isNarrow ? null : document.querySelector('[data-pane=nav]')
    const left = (nav?.getBoundingClientRect().right ?? 0) + GAP
    const bottom = footHeight(left, isNarrow ? window.innerWidth : left + WIDTH) + GAP
    setPlace((before) => (before.left === left && before.bottom === bottom ? before : { left, bottom }))
  }
  return { ...place, look }
}

export default function ToastList() {
  const t = useTranslations()
  const isNarrow = useIsNarrow()
  const { left, bottom, look } = usePlace(isNarrow)
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    // Joins the toasts: the list below is subscribed by now, since effects of children run first.
    drawToasts({
      show: (note) => {
        latest.current()
        show(note)
      },
      close: (id) => void sonner.dismiss(id),
    })
    const timer = setInterval(() => isToastThere() && latest.current(), LOOK_EVERY_MS)
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
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: t('common.close'),
        classNames: {
          toast:
            'flex w-[22rem] max-w-[calc(100vw-2rem)] items-center gap-3 rounded-card border border-line bg-s2 px-4 py-3 text-table text-t1',
          title: 'min-w-0',
          content: 'min-w-0 grow',
          actionButton: buttonClass('plain'),
          cancelButton: buttonClass('quiet'),
          closeButton: 'order-last text-t3',
        },
      }}
    />
  )
}
