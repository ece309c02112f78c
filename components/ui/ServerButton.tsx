/** A button whose act needs the server: while it is away the button is disabled and says why. */
import { useTranslations } from 'use-intl'
import { Button, type ButtonProps } from './Button'
import { useServerAway } from './serverAway'

export function ServerButton({ isDisabled = false, reason, ...rest }: ButtonProps) {
  const t = useTranslations('common')
  const isAway = useServerAway() !== null
  return <Button {...rest} isDisabled={isAway || isDisabled} reason={isAway ? t('needsServer') : reason} />
}
