/**
 * Short notices at the lower edge: done (5 s, with undo), info (8 s), error (stays).
 *
 * Owns: the one way to show them, their look and layer. Never the only place of a fact. Errors are also announced.
 */
import { toast as sonner, Toaster } from 'sonner'
import { useTranslations } from 'use-intl'
import { announce } from './announce'
import { buttonClass } from './Button'

const SHOWN_MS = { done: 5_000, info: 8_000, error: Number.POSITIVE_INFINITY } as const

export type ToastAction = { label: string; onPress: () => void }

/** Show a notice; returns its id for closeToast. The same `id` again replaces it. */
export function showToast(
  kind: keyof typeof SHOWN_MS,
  text: string,
  options: { actions?: readonly ToastAction[]; id?: string } = {},
): string {
  if (kind === 'error') announce(text, 'assertive')
  const [first, second] = options.actions ?? []
  const id = options.id ?? crypto.randomUUID?.() ?? `${performance.now()}`
  sonner(text, {
    id,
    duration: SHOWN_MS[kind],
    dismissible: true,
    closeButton: kind === 'error',
    action: first ? { label: first.label, onClick: first.onPress } : undefined,
    cancel: second ? { label: second.label, onClick: second.onPress } : undefined,
    className: kind === 'error' ? 'border-failed!' : undefined,
  })
  return id
}

export const closeToast = (id: string): void => {
  sonner.dismiss(id)
}

/** Where notices appear; the frame draws it once. */
export function ToastHost() {
  const t = useTranslations()
  return (
    <Toaster
      position="bottom-right"
      visibleToasts={3}
      expand
      hotkey={['altKey', 'KeyT']}
      containerAriaLabel={t('shell.announced')}
      toastOptions={{
        unstyled: true,
        closeButtonAriaLabel: t('common.close'),
        classNames: {
          toast:
            'z-toast flex w-[22rem] max-w-[calc(100vw-2rem)] items-center gap-3 rounded-card border border-line bg-s2 px-4 py-3 text-table text-t1',
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
