/** A link inside the console: an <a> whose plain click navigates without a request. */
import type { ComponentProps, MouseEvent } from 'react'
import { navigate } from './place'

export type LinkProps = ComponentProps<'a'> & { href: string; replace?: boolean }

const isPlain = (event: MouseEvent<HTMLAnchorElement>): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

export function Link({ href, replace, onClick, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        const { target } = event.currentTarget
        if (event.defaultPrevented || !isPlain(event) || (target !== '' && target !== '_self')) return
        event.preventDefault()
        navigate(href, { replace })
      }}
    />
  )
}
