/** The h1 of a screen: takes the focus once after the address changed, and sets the window's title. Every screen has one. */
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useTitle } from '@/client/nav'
import { cx } from './cx'

let focusedVisit = 0
/** The last heading had the focus when it was removed: the one that takes its place gets it, such as the name of a task that has loaded. */
let wasFocused = false

type PageHeadingProps = { children: ReactNode; title: readonly string[]; className?: string }

/** `title`: the parts of the window's title ("Price page", "Chat"); without it the text of the heading. */
export function PageHeading({ children, title, className }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const visit = useLocation()?.visit ?? 0
  useTitle(...title)
  // Joins the browser's focus, which is lost with the element.
  useLayoutEffect(() => {
    const own = heading.current
    return () => {
      wasFocused = document.activeElement === own
    }
  }, [])
  // Joins the browser's focus: after a change of the path it moves to the new heading, once.
  useEffect(() => {
    const isLost = wasFocused && document.activeElement === document.body
    wasFocused = false
    if (visit <= focusedVisit && !isLost) return
    focusedVisit = visit
    heading.current?.focus()
  }, [visit])
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className={cx('text-title font-bold tracking-tight [anchor-name:--page-text]', className)}
    >
      {children}
    </h1>
  )
}
