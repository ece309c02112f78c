/** A dialog with the form of an operator's act, its reason, and the server's refusal. */
import { type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useDraft } from '@/client/drafts'
import { Button } from '@/components/ui/Button'
import { isComposing } from '@/components/ui/fields/keyboard'
import { OtherDraft } from '@/components/ui/fields/OtherDraft'
import { TextArea } from '@/components/ui/fields/TextField'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import type { Act } from './acts'
import { useSendAct } from './useSendAct'

const REASON_LENGTH = 1_000

export function FormDialog({
  title,
  children,
  action,
  takesAway = false,
  hasReason: asksReason = true,
  missing,
  act,
  form,
  done,
  onDone,
  onClose,
}: {
  title: string
  children: ReactNode
  action: string
  /** The act ends or hands over something: the button is red. */
  takesAway?: boolean
  /** Without a reason the act is recorded with who did it alone. */
  hasReason?: boolean
  /** What is not filled in yet, in words; null: nothing. */
  missing: string | null
  act: Act
  /** Values of the fields: other values are another command, also after an answer that never came. */
  form: unknown
  done: string
  onDone?: () => void
  onClose: () => void
}) {
  const t = useTranslations()
  const draft = useDraft(act.place)
  const reason = draft.text
  const [isTried, setTried] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const { failure, isSending, send } = useSendAct()
  const hasReason = !asksReason || reason.trim() !== ''
  const submit = async (): Promise<void> => {
    setTried(true)
    if (!hasReason) box.current?.focus()
    if (missing !== null || !hasReason || isSending) return
    if (!(await send(JSON.stringify([reason.trim(), form]), (head) => act(reason.trim(), head)))) return
    draft.clear()
    onDone?.()
    onClose()
    showToast('done', done)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={title}
      foot={
        <>
          <ServerButton look={takesAway ? 'danger' : 'primary'} isDisabled={isSending} onClick={() => void submit()}>
            {action}
          </ServerButton>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: one chord for every field in it; each field is reachable by itself. */}
      <div
        className="flex flex-col gap-3"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event) || !(event.metaKey || event.ctrlKey)) return
          event.preventDefault()
          void submit()
        }}
      >
        {children}
        {asksReason ? (
          <>
            <TextArea
              ref={box}
              label={t('operate.reason')}
              value={reason}
              maxLength={REASON_LENGTH}
              error={isTried && !hasReason ? t('operate.reasonNeeded') : undefined}
              onChange={(event) => draft.setText(event.target.value)}
            />
            <OtherDraft draft={draft} />
          </>
        ) : null}
        {isTried && missing !== null ? (
          <p role="alert" className="text-failed">
            {missing}
          </p>
        ) : failure !== null ? (
          <p role="alert" className="text-failed">
            {failure}
          </p>
        ) : null}
      </div>
    </Dialog>
  )
}
