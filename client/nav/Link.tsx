/** A link inside the console: an <a> whose plain click navigates without a request. At a moment it stays at that moment. */
import type { ComponentProps, MouseEvent } from 'react'
import { useHrefHere } from './atMoment'
import { navigate } from './place'

export type LinkProps = ComponentProps<'a'> & { href: string; replace?: boolean }

const isPlain = (event: MouseEvent<HTMLAnchorElement>): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

export function Link({ href: given, replace, onClick, ...rest }: LinkProps) {
  const href = useHrefHere()(given)
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
