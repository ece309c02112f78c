import { Eye, EyeOff } from 'lucide-react'
import {
  type ComponentProps,
  type ReactNode,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../Button'
import { cx } from '../cx'

const BOX = cx(
  'w-full min-w-0 rounded-control border border-line-strong bg-s2 px-2.5 text-t1 disabled:text-t3',
  'disabled:border-line aria-invalid:border-failed',
)

type FieldParts = {
  label: string
  /** The label is read aloud but not drawn. */
  isLabelHidden?: boolean
  hint?: ReactNode
  /** Announced, and drawn under the field. */
  error?: string | null
}

function Field({ id, label, isLabelHidden, hint, error, children }: FieldParts & { id: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block text-table font-medium'}>
        {label}
      </label>
      {children}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1 text-meta text-t3">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} role="alert" className="mt-1 text-meta text-failed">
          {error}
        </p>
      ) : null}
    </div>
  )
}

const describedBy = (id: string, { hint, error }: FieldParts): string | undefined =>
  cx(hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined

type TextFieldProps = Omit<ComponentProps<'input'>, 'size'> &
  FieldParts & {
    size?: 'normal' | 'large'
    /** A button over the right end of the box. */
    inside?: ReactNode
  }

export function TextField({
  label,
  isLabelHidden,
  hint,
  error,
  size = 'normal',
  inside,
  className,
  ...rest
}: TextFieldProps) {
  const made = useId()
  const id = rest.id ?? made
  const box = (
    <input
      {...rest}
      id={id}
      aria-invalid={error ? true : undefined}
      aria-describedby={describedBy(id, { label, hint, error })}
      className={cx(BOX, size === 'large' ? 'h-10 touch:h-11' : 'h-8 touch:h-11', className)}
    />
  )
  return (
    <Field id={id} label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      {inside ? (
        <div className="relative">
          {box}
          {inside}
        </div>
      ) : (
        box
      )}
    </Field>
  )
}

/** A password, with a button that shows it. */
export function PasswordField(props: TextFieldProps) {
  const t = useTranslations('common')
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      className="pr-24"
      inside={
        <Button
          look="quiet"
          className="absolute inset-y-1 right-1 h-auto! touch:inset-y-0"
          icon={isShown ? <EyeOff /> : <Eye />}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? t('hide') : t('show')}
        </Button>
      }
    />
  )
}

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'rows' | 'ref'> &
  FieldParts & {
    ref?: Ref<HTMLTextAreaElement>
    /** Lines shown when empty, and at most before it scrolls. */
    minLines?: number
    maxLines?: number
    /** Without a frame of its own: the composer around it has one. */
    isBare?: boolean
  }

const LINE_PX = 22
/** The height of so many lines, with padding and border. */
const heightOf = (lines: number, isBare: boolean): string => `calc(${lines}lh + 0.75rem + ${isBare ? 0 : 2}px)`
/** Where the browser sizes a box by its text nothing is measured, which saves one layout of the first page. */
const growsByItself = (): boolean => CSS.supports('field-sizing', 'content')

/** Many lines of text; grows with them up to maxLines. Controlled. */
export function TextArea({
  label,
  isLabelHidden,
  hint,
  error,
  minLines = 2,
  maxLines = 12,
  isBare = false,
  className,
  ref,
  ...rest
}: TextAreaProps) {
  const made = useId()
  const id = rest.id ?? made
  const box = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle<HTMLTextAreaElement | null, HTMLTextAreaElement | null>(ref, () => box.current, [])
  // Joins the layout: the height of a text is known only after it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text needs another height.
  useLayoutEffect(() => {
    const area = box.current
    if (!area || growsByItself()) return
    const pad = isBare ? 12 : 14
    area.style.height = 'auto'
    area.style.height = `${Math.min(Math.max(area.scrollHeight + (isBare ? 0 : 2), minLines * LINE_PX + pad), maxLines * LINE_PX + pad)}px`
  }, [rest.value, minLines, maxLines, isBare])
  return (
    <Field id={id} label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      <textarea
        {...rest}
        id={id}
        ref={box}
        rows={minLines}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { label, hint, error })}
        style={{ minHeight: heightOf(minLines, isBare), maxHeight: heightOf(maxLines, isBare) }}
        className={cx(
          'block field-sizing-content resize-none py-1.5 text-body',
          isBare ? 'w-full min-w-0 bg-transparent px-3 outline-none' : cx(BOX, 'touch:py-2.5'),
          className,
        )}
      />
    </Field>
  )
}
