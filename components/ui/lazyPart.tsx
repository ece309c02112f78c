/** Parts of the page whose file is fetched when they are first drawn, by React.lazy: screens, dialogs, readers of files. */
import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useDeferredValue, useState } from 'react'
import { ErrorBoundary } from './ErrorBoundary'
import { Loading } from './States'

export type LazyPart<Props> = ComponentType<Props> & {
  /** Fetches the file ahead; a refused one is asked for once more. */
  load: () => Promise<unknown>
  /** Forgets that it was refused: the next time that it is drawn asks again. */
  forget: () => void
}

type Fetch<Props> = () => Promise<{ default: ComponentType<Props> }>
type Options<Props> = {
  /** In its place until the file is there. */
  fallback?: (props: Props) => ReactNode
  /** It opens: where its file is refused, a toast says so and this closes it. Without it its place says so. */
  close?: (props: Props) => void
}

/** The bundler asks for a refused chunk a second time within half a second. */
const AGAIN_AFTER_MS = 1_000
const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS))

/** in: fetch: an import() that is at no other place (lazy.tsx). out: the part, for a boundary that is there: it suspends */
export function lazyBody<Props extends object>(fetch: Fetch<Props>): LazyPart<Props> {
  let here: ComponentType<Props> | null = null
  const load = async () => {
    const file = await fetch().catch(() => wait().then(fetch))
    here = file.default
    return file
  }
  let coming = lazy(load)
  // biome-ignore lint/correctness/noComponentHookFactories: once, at the top of a module.
  function Body(props: Props) {
    // A file that is there is drawn at once: React.lazy would show the fallback for a moment.
    const [shown] = useState(() => here ?? coming)
    return createElement<Props>(shown, props)
  }
  // React.lazy keeps a refusal for ever.
  const forget = (): void => {
    coming = lazy(load)
  }
  return Object.assign(Body, { load, forget })
}

/** Like lazyBody, with a boundary of its own. */
export function lazyPart<Props extends object>(
  fetch: Fetch<Props>,
  { fallback, close }: Options<Props> = {},
): LazyPart<Props> {
  const body = lazyBody(fetch)
  const { load, forget } = body
  // biome-ignore lint/correctness/noComponentHookFactories: once, at the top of a module.
  const Part = (props: Props) => (
    <ErrorBoundary onCatch={forget} onLost={close && (() => close(props))}>
      <Suspense fallback={fallback?.(props)}>{createElement(body, props)}</Suspense>
    </ErrorBoundary>
  )
  return Object.assign(Part, { load, forget })
}

/** A screen, or a whole pane. */
export const lazyScreen = <Props extends object>(fetch: Fetch<Props>) =>
  lazyPart(fetch, { fallback: () => <Loading lines={5} /> })

/** A dialog or a panel: it closes where its file is refused. */
export const lazyDialog = <Props extends { onClose: () => void }>(fetch: Fetch<Props>, options: Options<Props> = {}) =>
  lazyPart(fetch, { close: ({ onClose }) => onClose(), ...options })

/**
 * A button that a lazy body draws from its first press on. Until the file is there the same element stays, and keeps the focus.
 *
 * in      part: from lazyBody; isPressed: true from the first press on; onLost: its file is refused: back to the button
 */
export function FromPress<Props extends object>({
  part,
  partProps,
  isPressed,
  onLost,
  button,
}: {
  part: LazyPart<Props>
  partProps: Props
  isPressed: boolean
  onLost: () => void
  button: ReactNode
}) {
  const isSwapped = useDeferredValue(isPressed)
  return (
    <ErrorBoundary onCatch={part.forget} onLost={onLost}>
      <Suspense fallback={button}>{isPressed && isSwapped ? createElement(part, partProps) : button}</Suspense>
    </ErrorBoundary>
  )
}
