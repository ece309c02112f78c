/** The toasts on screen: three at most, newest last, Alt+T to reach; at the lower left, above what one writes and presses there. */
import { useEffect } from 'react'
import { toast as sonner, Toaster } from 'sonner'
import { useTranslations } from 'use-intl'
import { useStore } from 'zustand'
import { buttonClass } from '../Button'
import { useIsNarrow } from '../useIsNarrow'
import { drawnToasts, drawToasts, type ToastKind, type ToastNote, toastRef } from './toast'

const SHOWN_MS: Record<ToastKind, number> = { done: 5_000, info: 8_000, error: Number.POSITIVE_INFINITY }

function show({ id, kind, text, actions }: ToastNote): void {
  const [first, second] = actions
  sonner(<span ref={toastRef}>{text}</span>, {
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

/** A longer text has its button below it. */
const BESIDE_LENGTH = 60
/** Room for one toast, of three lines and a row of buttons. */
const TOAST_ROOM_REM = 9
const MOST = 3

export default function ToastList() {
  const t = useTranslations()
  const isNarrow = useIsNarrow()
  const count = Math.min(MOST, useStore(drawnToasts))
  useEffect(() => {
    // Joins the toasts: the list below is subscribed by now, since effects of children run first.
    drawToasts({ show, close: (id) => void sonner.dismiss(id) })
    return () => drawToasts(null)
  }, [])
  // Joins the page's scroller (`page-scroll`): its end can be scrolled out from under the toasts.
  useEffect(() => document.documentElement.style.setProperty('--toast-room', `${count * TOAST_ROOM_REM}rem`), [count])
  return (
    <Toaster
      position={isNarrow ? 'bottom-center' : 'bottom-left'}
      offset={{ left: 'var(--toast-left)', bottom: 'var(--toast-bottom)' }}
      mobileOffset={{ left: 16, right: 16, bottom: 'var(--toast-bottom)' }}
      visibleToasts={MOST}
      expand
      hotkey={['altKey', 'KeyT']}
      containerAriaLabel={t('shell.announced')}
      className="toast-place font-sans! z-toast!"
      style={{ ['--width' as string]: isNarrow ? '22rem' : 'auto' }}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: t('common.close'),
        classNames: {
          toast:
            'flex w-full max-w-[calc(100vw-2rem)] flex-wrap items-center justify-end gap-x-3 gap-y-2 rounded-card border border-line bg-s2 px-4 py-3 text-table text-t1',
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
