/** A button whose act needs the server: while it is away, and at a moment, the button is disabled and says why. */
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useMoment } from '@/client/moment'
import { Button, type ButtonProps } from './Button'
import { useServerAway } from './serverAway'

export function ServerButton({ isDisabled = false, reason, ...rest }: ButtonProps) {
  const t = useTranslations('common')
  const isAway = useServerAway() !== null
  const isThen = useMoment() !== null
  const off = isThen ? t('atMoment') : isAway ? t('needsServer') : null
  return <Button {...rest} isDisabled={off !== null || isDisabled} reason={off ?? reason} />
}

type ActionButtonProps = Omit<ButtonProps, 'onClick'> & { act: () => Promise<unknown> }

/** The same, and off while its act is under way. */
export function ActionButton({ act, isDisabled = false, ...rest }: ActionButtonProps) {
  const [isActing, setActing] = useState(false)
  const press = (): void => {
    setActing(true)
    void act().finally(() => setActing(false))
  }
  return <ServerButton {...rest} isDisabled={isDisabled || isActing} onClick={press} />
}
