/**
 * A button whose act needs the server: while it is away, it cannot be pressed and says why.
 *
 * Owns: that reason. Not here: what is queued instead and sent later (messages: client/outbox.ts), what silence is (silence.ts).
 */
import { useTranslations } from 'use-intl'
import { Button, type ButtonProps } from './Button'
import { useServerAway } from './silence'

export function ServerButton({ isDisabled = false, reason, ...rest }: ButtonProps) {
  const t = useTranslations('common')
  const isAway = useServerAway() !== null
  return <Button {...rest} isDisabled={isAway || isDisabled} reason={isAway ? t('needsServer') : reason} />
}
