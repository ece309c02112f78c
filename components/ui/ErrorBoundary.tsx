import { Component, type ErrorInfo, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocation } from '@/client/nav'
import { Button } from './Button'
import { showToast } from './overlays/toast'
import { ErrorState } from './States'

type Props = {
  children: ReactNode
  /** Something was thrown, which is on the console. */
  onCatch?: () => void
  /** What is below opens: instead of its place a toast says that it is broken, and this closes it. */
  onLost?: () => void
  /** Draw nothing in its place: for parts above a page that still works. */
  isQuiet?: boolean
}

/** Catches what the parts below throw: says so in their place, until the reader tries again or goes to another address. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack)
    this.props.onCatch?.()
  }

  override render(): ReactNode {
    const { error } = this.state
    const { children, isQuiet, onLost } = this.props
    if (!error) return children
    const reset = (): void => this.setState({ error: null })
    if (isQuiet) return null
    if (onLost)
      return (
        <Closed
          error={error}
          onClose={() => {
            reset()
            onLost()
          }}
        />
      )
    return <Broken error={error} onRetry={reset} />
  }
}

/** True for a file that could not be fetched: offline, or the server runs another build now. */
const isLostChunk = (error: Error): boolean =>
  /chunk|dynamically imported module|Failed to fetch/i.test(`${error.name} ${error.message}`)

// Drafts survive a reload.
const reload = (): void => window.location.reload()

function Closed({ error, onClose }: { error: Error; onClose: () => void }) {
  const t = useTranslations()
  const close = useEffectEvent((): void => {
    onClose()
    showToast('error', t(isLostChunk(error) ? 'error.chunk' : 'error.broken'), {
      id: 'late-file',
      actions: [{ label: t('connection.reload'), onPress: reload }],
    })
  })
  // Joins the part that opened this one: it is closed there too.
  useEffect(() => close(), [])
  return null
}

function Broken({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations()
  const isChunk = isLostChunk(error)
  const href = useLocation()?.href
  const [brokenAt] = useState(href)
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    // Joins the address: another one may be drawn.
    if (href !== brokenAt) retry()
  }, [href, brokenAt])
  return (
    <ErrorState
      title={t(isChunk ? 'error.chunk' : 'error.broken')}
      onRetry={onRetry}
      action={isChunk ? <Button onClick={reload}>{t('connection.reload')}</Button> : null}
      details={`${error.stack ?? error.message}\n${window.location.href}`}
    >
      {t(isChunk ? 'error.chunkWhy' : 'error.brokenWhy')}
    </ErrorState>
  )
}
