/** The toasts on screen: three at most, newest last, Alt+T to reach. */
import { useEffect } from 'react'
import { toast as sonner, Toaster } from 'sonner'
import { useTranslations } from 'use-intl'
import { buttonClass } from './Button'
import { drawToasts, type ToastKind, type ToastNote } from './toast'
import { useIsNarrow } from './useIsNarrow'

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

export default function ToastList() {
  const t = useTranslations()
  const isNarrow = useIsNarrow()
  useEffect(() => {
    // Joins the toasts: the list below is subscribed by now, since effects of children run first.
    drawToasts({ show, close: (id) => void sonner.dismiss(id) })
    return () => drawToasts(null)
  }, [])
  return (
    <Toaster
      // At the top on a phone: at the lower edge a toast would cover the navigation and the send button.
      position={isNarrow ? 'top-center' : 'bottom-right'}
      mobileOffset={{ top: 'calc(3.5rem + env(safe-area-inset-top))', left: '1rem', right: '1rem' }}
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
