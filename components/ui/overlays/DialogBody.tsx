/** The bodies of dialogs, confirmations and sheets; a lazy file of Dialog.tsx. */
import { X } from 'lucide-react'
import { AlertDialog as RadixAlert, Dialog as RadixDialog } from 'radix-ui'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { TextDraft } from '@/client/drafts'
import { useLocation, useSearchParam } from '@/client/nav'
import { Button, IconButton } from '../Button'
import { cx } from '../cx'
import { OtherDraft } from '../fields/OtherDraft'
import { TextArea } from '../fields/TextField'
import { ServerButton } from '../ServerButton'
import { AlertText } from '../States'
import { hasMovedOn } from './focusAfter'
import { LayerProvider } from './layer'

export type DialogProps = {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  children: ReactNode
  /** Buttons along the lower edge. */
  foot?: ReactNode
  /** The element that gets the focus on closing if the opener no longer exists, such as the next row. */
  focusAfter?: () => HTMLElement | null
  className?: string
}

export type AlertDialogProps = Omit<DialogProps, 'title'> & {
  /** The heading, which names the dialog. It gets the first focus unless `focusFirst` says otherwise. */
  title: ReactNode
  icon?: ReactNode
  subtitle?: ReactNode
  head?: ReactNode
  focusFirst?: () => HTMLElement | null
  /** Urgent: red edge, above toasts. */
  isUrgent?: boolean
}

/** title: the question, "Release this wait?"; children: what happens, to whom, what is lost, whether it can be undone */
export type ConfirmDialogProps = Omit<DialogProps, 'foot' | 'className'> & {
  action: string
  /** Label of the cancelling button, where "Cancel" could be taken for the act. */
  dismiss?: string
  /** Label of the reason box; without it no reason is asked for. */
  reasonLabel?: string
  isReasonNeeded?: boolean
  /** Of the reason. */
  draft: TextDraft
  /** The error of the last attempt: the dialog stays open with the reason. */
  failure: string | null
  onConfirm: (reason: string) => void | Promise<void>
}

const SCRIM = 'fixed inset-0 bg-scrim'
/** As high as the window below the top bar, which may show a notice. */
const CENTRED = cx(
  'fixed left-1/2 top-1/2 flex max-h-[calc(100dvh-7rem)] w-[35rem] max-w-[calc(100vw-2rem)]',
  'short:max-h-[calc(100dvh-2rem)] max-md:max-h-[calc(100dvh-4rem)]',
  '-translate-1/2 animate-pop flex-col overflow-hidden rounded-dialog border border-line bg-s2',
  'shadow-overlay max-md:top-auto max-md:bottom-2 max-md:translate-y-0 max-md:max-w-[calc(100vw-1rem)]',
)

/**
 * Where the focus goes when an overlay closes.
 *
 * out     a handler for radix' onCloseAutoFocus: back to what had the focus before, else to `focusAfter`, else to the heading
 * A menu's entry is gone by then: its button takes its place. Without this radix has no opener, for our overlays have no trigger.
 */
function useFocusReturn(isOpen: boolean, focusAfter: DialogProps['focusAfter']): (event: Event) => void {
  const opener = useRef<HTMLElement | null>(null)
  // Joins the browser's focus: read before radix moves it, which it does after layout.
  useLayoutEffect(() => {
    if (!isOpen || !(document.activeElement instanceof HTMLElement)) return
    const button = document.activeElement.closest('[role=menu]')?.getAttribute('aria-labelledby')
    opener.current = (button ? document.getElementById(button) : null) ?? document.activeElement
  }, [isOpen])
  return (event) => {
    event.preventDefault()
    if (hasMovedOn(document.activeElement)) return
    const back = opener.current?.isConnected && opener.current !== document.body ? opener.current : focusAfter?.()
    const target =
      back ??
      document.querySelector<HTMLElement>('main h1[tabindex]') ??
      document.querySelector<HTMLElement>('main[tabindex]')
    target?.focus()
  }
}

const Foot = ({ children }: { children: ReactNode }) => (
  <div className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line px-5 py-3 max-md:gap-1.5 max-md:px-3">
    {children}
  </div>
)

const DIALOG = {
  layer: 'z-dialog',
  frame: CENTRED,
  head: 'pt-3 pr-3 pb-2 pl-5',
  // Room for the focus ring of the first field.
  body: 'px-5 pt-1 pb-4',
}
const SHEET = {
  layer: 'z-sheet',
  frame: cx(
    'fixed inset-y-0 right-0 flex w-[26.25rem] max-w-full animate-sheet flex-col border-l',
    'border-line bg-s1 max-md:inset-x-0 max-md:top-12 max-md:w-full max-md:border-t max-md:border-l-0',
  ),
  head: 'h-12 border-b border-line pr-2 pl-4',
  body: '',
}

const FIRST_FIELD = 'textarea, input:is([type=text], :not([type]), [type=radio]:checked), [role=combobox][data-none]'

type ModalProps = DialogProps & { look: typeof DIALOG }

/** A link of a dialog leads to another place: the dialog makes way for it, and so does the focus. out: whether it did */
function useLeaving(leave: () => void): RefObject<boolean> {
  const isLeft = useRef(false)
  const place = `${useLocation()?.pathname} ${useSearchParam('inspect')}`
  const openedAt = useRef(place)
  const onLeave = useEffectEvent(leave)
  useEffect(() => {
    // Joins the address.
    if (place === openedAt.current) return
    isLeft.current = true
    onLeave()
  }, [place])
  return isLeft
}

const placeToRead = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('#inspector') ?? document.querySelector<HTMLElement>('main h1[tabindex]')

function Modal({ look, isOpen, onOpenChange, title, children, foot, focusAfter, className }: ModalProps) {
  const t = useTranslations('common')
  const isLeft = useLeaving(() => onOpenChange(false))
  const goBack = useFocusReturn(isOpen, focusAfter)
  const returnFocus = (event: Event): void => {
    if (!isLeft.current) {
      goBack(event)
      return
    }
    event.preventDefault()
    placeToRead()?.focus()
  }
  const content = useRef<HTMLDivElement>(null)
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={cx(SCRIM, look.layer)} />
        <RadixDialog.Content
          ref={content}
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => {
            // It closes the list of a field first.
            if (event.target instanceof Element && event.target.matches('[role=combobox][aria-expanded=true]'))
              event.preventDefault()
          }}
          onOpenAutoFocus={(event) => {
            // The first field gets the focus, a choice as well as a text: a text below choices would scroll them away. Else a button.
            const field = content.current?.querySelector<HTMLElement>(FIRST_FIELD)
            if (!field) return
            event.preventDefault()
            field.focus()
          }}
          onCloseAutoFocus={returnFocus}
          className={cx(look.frame, look.layer, className)}
        >
          <div className={cx('flex shrink-0 items-center gap-2', look.head)}>
            <RadixDialog.Title className="cut grow text-question font-bold">{title}</RadixDialog.Title>
            <RadixDialog.Close asChild>
              <IconButton icon={<X />} label={t('close')} />
            </RadixDialog.Close>
          </div>
          <LayerProvider value="z-dialog">
            <div className={cx('min-h-0 grow overflow-y-auto', look.body)}>{children}</div>
            {foot ? <Foot>{foot}</Foot> : null}
          </LayerProvider>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

export const DialogBody = (props: DialogProps) => <Modal {...props} look={DIALOG} />
export const SheetBody = (props: DialogProps) => <Modal {...props} look={SHEET} />

export function AlertDialogBody({
  isOpen,
  onOpenChange,
  title,
  icon,
  subtitle,
  head,
  children,
  foot,
  focusAfter,
  focusFirst,
  isUrgent = false,
  className,
}: AlertDialogProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const returnFocus = useFocusReturn(isOpen, focusAfter)
  const layer = isUrgent ? 'z-urgent' : 'z-dialog'
  return (
    <RadixAlert.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={cx(SCRIM, layer)} />
        <RadixAlert.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            const first = focusFirst?.() ?? heading.current
            first?.focus()
          }}
          onCloseAutoFocus={returnFocus}
          className={cx(CENTRED, layer, isUrgent && 'border-2 border-urgent', className)}
        >
          <div className={cx('flex shrink-0 items-center gap-2.5 px-5 py-3', isUrgent && 'bg-urgent-b')}>
            {icon}
            <div className="min-w-0 grow">
              <RadixAlert.Title asChild>
                <h2 ref={heading} tabIndex={-1} className="text-question font-bold">
                  {title}
                </h2>
              </RadixAlert.Title>
              {subtitle ? <p className="cut text-meta text-t2">{subtitle}</p> : null}
            </div>
            {head}
          </div>
          <LayerProvider value={layer}>
            <div className="min-h-0 grow overflow-y-auto px-5 py-4 first:pt-0">{children}</div>
            {foot ? <Foot>{foot}</Foot> : null}
          </LayerProvider>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  )
}

/** The server's limit for reasons, in characters. */
const REASON_LENGTH = 1_000

export function ConfirmDialogBody({
  onOpenChange,
  title,
  children,
  action,
  dismiss,
  reasonLabel,
  isReasonNeeded = false,
  draft,
  failure,
  onConfirm,
  focusAfter,
}: ConfirmDialogProps) {
  const t = useTranslations('common')
  const cancel = useRef<HTMLButtonElement>(null)
  const reason = draft.text
  const [isWorking, setWorking] = useState(false)
  const isShort = isReasonNeeded && reason.trim() === ''
  return (
    <AlertDialogBody
      isOpen
      onOpenChange={onOpenChange}
      title={title}
      focusFirst={() => cancel.current}
      focusAfter={focusAfter}
      foot={
        <>
          <ServerButton
            look="danger"
            isDisabled={isShort || isWorking}
            reason={isShort ? reasonLabel : undefined}
            onClick={() => {
              setWorking(true)
              void Promise.resolve(onConfirm(reason.trim())).finally(() => setWorking(false))
            }}
          >
            {action}
          </ServerButton>
          <Button ref={cancel} onClick={() => onOpenChange(false)}>
            {dismiss ?? t('cancel')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div>{children}</div>
        {reasonLabel ? (
          <TextArea
            label={reasonLabel}
            value={reason}
            maxLength={REASON_LENGTH}
            onChange={(event) => draft.setText(event.target.value)}
          />
        ) : null}
        <OtherDraft draft={draft} />
        <AlertText text={failure} />
      </div>
    </AlertDialogBody>
  )
}
