import { CircleAlert, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { CallRefused } from '@/client/api'
import { skeletonRef } from '@/client/pageUse'
import { Button } from './Button'
import { copyText } from './copyText'
import { cx } from './cx'
import { useFaultWords } from './useFaultWords'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  /** A link or a button: no empty place is a dead end. */
  action: ReactNode
  icon?: ReactNode
  /** In a column of its own width: at its left edge, not in the middle. */
  isInColumn?: boolean
}

/** What this is, why it is empty, and the next thing to do. */
export function EmptyState({ title, children, action, icon, isInColumn = false }: EmptyStateProps) {
  return (
    <div
      className={cx(
        'flex max-w-[40rem] flex-col items-start gap-2 text-t2',
        isInColumn ? 'py-8' : 'mx-auto w-full px-6 py-12 max-md:px-4',
      )}
    >
      {icon ? (
        <span className="mb-1 grid size-10 place-items-center rounded-card bg-s3 text-t2 [&>svg]:size-5">{icon}</span>
      ) : null}
      <h2 className="text-question font-bold text-t1">{title}</h2>
      {children ? <div>{children}</div> : null}
      <div className="mt-2">{action}</div>
    </div>
  )
}

type ErrorStateProps = {
  title: string
  children?: ReactNode
  onRetry?: () => void
  /** Copied by "Copy details", for support. */
  details?: string
  action?: ReactNode
  /** The whole screen: the title is the page's h1. */
  isHeading?: boolean
}

/** What failed in plain words, what still works, and what can be done. Announced once. */
export function ErrorState({ title, children, onRetry, details, action, isHeading = false }: ErrorStateProps) {
  const t = useTranslations('common')
  const Heading = isHeading ? 'h1' : 'h2'
  return (
    <div
      role="alert"
      className="mx-auto flex w-full max-w-[40rem] flex-col items-start gap-2 px-6 py-12 text-t2 max-md:px-4"
    >
      <CircleAlert className="size-5 text-failed" />
      <Heading tabIndex={-1} className={cx('font-bold text-t1', isHeading ? 'text-title' : 'text-question')}>
        {title}
      </Heading>
      {children ? <div>{children}</div> : null}
      <div className="mt-2 flex flex-wrap gap-2">
        {action}
        {onRetry ? (
          <Button icon={<RotateCcw />} onClick={onRetry}>
            {t('tryAgain')}
          </Button>
        ) : null}
        {details ? (
          <Button look="quiet" onClick={() => copyText(details, t('copied'))}>
            {t('copyDetails')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

/** What was asked for did not come: the server's own words, or that it did not answer. */
export function FaultState({ fault, ...rest }: Omit<ErrorStateProps, 'children' | 'details'> & { fault: CallRefused }) {
  const t = useTranslations('error')
  const faultWords = useFaultWords()
  return (
    <ErrorState {...rest} details={JSON.stringify(fault)}>
      {faultWords(fault, t('restWorks'))}
    </ErrorState>
  )
}

/** Grey bars of the content's size, drawn after 150 ms. The element around them carries aria-busy. */
export function Skeleton({ lines = 3, className }: { lines?: number; className?: string }) {
  const widths = ['w-3/4', 'w-full', 'w-1/2', 'w-5/6', 'w-2/3']
  return (
    <div ref={skeletonRef} aria-hidden className={cx('flex animate-late flex-col gap-3 p-5', className)}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity.
        <span key={at} className={cx('h-4 rounded-control bg-s3', widths[at % widths.length])} />
      ))}
    </div>
  )
}

/** A place that is loading, for eyes and screen readers. */
export function Loading({ lines, className }: { lines: number; className?: string }) {
  const t = useTranslations('common')
  return (
    <div aria-busy="true">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton lines={lines} className={className} />
    </div>
  )
}

/** What went wrong, below the fields it concerns; read out when it appears. */
export function AlertText({ text, className }: { text: string | null; className?: string }) {
  if (text === null) return null
  return (
    <p role="alert" className={cx('text-failed', className)}>
      {text}
    </p>
  )
}
