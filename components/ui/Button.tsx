/** Buttons: primary (one per pane), plain (outlined), quiet (no border), danger (outlined, never solid red). */
import type { ComponentProps, ReactNode } from 'react'
import { Link } from '@/client/nav'
import { cx } from './cx'

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger'
type ButtonSize = 'normal' | 'large'

const LOOKS: Record<ButtonLook, string> = {
  primary: 'border-accent bg-accent text-on-accent font-medium hover:brightness-110',
  plain: 'border-line-strong bg-s2 text-t1 font-medium hover:bg-hover',
  quiet: 'border-transparent text-t2 font-normal hover:bg-hover hover:text-t1',
  danger: 'border-failed bg-s2 text-failed font-medium hover:bg-failed-b',
}
const offLook = (look: ButtonLook): string =>
  look === 'quiet' ? 'border-transparent text-t3 font-normal' : 'border-line bg-transparent text-t3 font-medium'
const SIZES: Record<ButtonSize, string> = {
  normal: 'h-7 px-2.5 text-table touch:h-11 touch:px-3 touch:text-body',
  large: 'h-10 px-4 text-body touch:h-11',
}

/** The classes of a button, for links and triggers that look like one. */
export const buttonClass = (look: ButtonLook = 'plain', size: ButtonSize = 'normal', isOff = false): string =>
  cx(
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border whitespace-nowrap select-none',
    'transition-[background-color,color,filter] duration-140 active:duration-80 [&>svg]:size-[.9375rem]',
    isOff ? offLook(look) : LOOKS[look],
    SIZES[size],
  )

export type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  look?: ButtonLook
  size?: ButtonSize
  icon?: ReactNode
  /** Cannot be pressed now. Stays focusable, so that the reason can be read. */
  isDisabled?: boolean
  /** Why it cannot be pressed: the button's description and tooltip. */
  reason?: string
}

/** isDisabled means aria-disabled: the button keeps the focus and tells its reason, and its handler is not called. */
export function Button({
  look = 'plain',
  size = 'normal',
  icon,
  isDisabled = false,
  reason,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={cx(buttonClass(look, size, isDisabled), className)}
      aria-disabled={isDisabled || undefined}
      aria-description={isDisabled ? reason : rest['aria-description']}
      title={isDisabled ? reason : rest.title}
      onClick={(event) => {
        if (isDisabled) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ButtonProps, 'icon' | 'children' | 'aria-label' | 'look' | 'size'> & {
  icon: ReactNode
  label: string
}

/** A square button with an icon only; its label is name and tooltip. */
export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <Button
      title={label}
      {...rest}
      look="quiet"
      icon={icon}
      aria-label={label}
      className={cx('w-7 px-0! touch:w-11', className)}
    />
  )
}

type LinkButtonProps = Omit<ComponentProps<typeof Link>, 'className'> & { look?: ButtonLook }

export const LinkButton = ({ look, ...rest }: LinkButtonProps) => <Link {...rest} className={buttonClass(look)} />
