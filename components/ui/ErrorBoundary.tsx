import { Component, type ErrorInfo, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from './Button'
import { ErrorState } from './States'

type Props = {
  children: ReactNode
  /** Called before the children are mounted again: fetch a lost chunk, drop a bad cache. */
  onRetry?: () => void
  /** Another value mounts the children again: the address, an id. */
  resetKey?: string
  /** Draw nothing in its place: for parts above a page that still works. */
  isQuiet?: boolean
}
type State = { error: Error | null; resetKey: string | undefined }

/** True for a screen's file that could not be fetched. */
const isLostChunk = (error: Error): boolean =>
  /chunk|dynamically imported module|Failed to fetch/i.test(`${error.name} ${error.message}`)

function Broken({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations()
  const isChunk = isLostChunk(error)
  return (
    <ErrorState
      title={t(isChunk ? 'error.chunk' : 'error.broken')}
      onRetry={onRetry}
      action={isChunk ? <Button onClick={() => window.location.reload()}>{t('connection.reload')}</Button> : null}
      details={`${error.stack ?? error.message}\n${window.location.href}`}
    >
      {t(isChunk ? 'error.chunkWhy' : 'error.brokenWhy')}
    </ErrorState>
  )
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack)
  }

  override render(): ReactNode {
    if (!this.state.error) return this.props.children
    if (this.props.isQuiet) return null
    return (
      <Broken
        error={this.state.error}
        onRetry={() => {
          this.props.onRetry?.()
          this.setState({ error: null })
        }}
      />
    )
  }
}
