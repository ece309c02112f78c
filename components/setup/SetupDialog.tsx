/** The dialog around a form of the setup: sending, the server's refusal, and what is not valid yet. */
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSendAct } from '@/components/operate/useSendAct'
import { Button } from '@/components/ui/Button'
import { Dialog } from '@/components/ui/overlays/Dialog'
import { showToast } from '@/components/ui/overlays/toast'
import { ServerButton } from '@/components/ui/ServerButton'
import { postSetupChange, type SetupChange } from './setupCalls'
import { useSetup } from './useSetup'

export function SetupDialog({
  title,
  action,
  missing,
  changes,
  done,
  extra,
  problem = null,
  onDone,
  onClose,
  children,
}: {
  title: string
  action: string
  /** What is not valid yet, in words; null: nothing. */
  missing: string | null
  /** What is sent; null: it could not be made, and the form says why. */
  changes: () => Promise<SetupChange[] | null> | SetupChange[]
  done: string
  extra?: ReactNode
  problem?: string | null
  onDone: () => void
  onClose: () => void
  children: ReactNode
}) {
  const t = useTranslations()
  const { reload } = useSetup()
  const [isTried, setTried] = useState(false)
  const { failure, isSending, send } = useSendAct()
  const submit = async (): Promise<void> => {
    setTried(true)
    if (missing !== null || isSending) return
    const wanted = await changes()
    if (wanted === null) return
    const isStored = await send(JSON.stringify(wanted), (head) => postSetupChange(wanted, head))
    reload()
    if (!isStored) return
    showToast('done', done)
    onDone()
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={title}
      className="w-[40rem]!"
      foot={
        <>
          <ServerButton look="primary" isDisabled={isSending} onClick={() => void submit()}>
            {action}
          </ServerButton>
          {extra}
          <Button onClick={onClose}>{t('common.cancel')}</Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {children}
        {problem === null ? null : (
          <p role="alert" className="text-failed">
            {problem}
          </p>
        )}
      </div>
      {isTried && missing !== null ? (
        <p role="alert" className="mt-3 text-failed">
          {missing}
        </p>
      ) : failure !== null ? (
        <p role="alert" className="mt-3 text-failed">
          {failure}
        </p>
      ) : null}
    </Dialog>
  )
}
