import { Check, ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { cx } from '../cx'
import { SelectBody } from '../lazy'
import { FromPress } from '../lazyPart'

export function Checkbox({
  label,
  isChecked,
  onChange,
  isLabelHidden = false,
  isDisabled = false,
  className,
}: {
  label: string
  isLabelHidden?: boolean
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  isDisabled?: boolean
  className?: string
}) {
  const id = useId()
  return (
    <span className={cx('inline-flex items-center text-table text-t2 touch:min-h-11', className)}>
      {/* The box aligns with the first line of its label. */}
      <span className="flex items-start gap-1.5">
        <span
          className={cx(
            'relative grid size-4 shrink-0 place-items-center',
            !isLabelHidden && 'mt-[calc(0.5lh-0.5rem)]',
          )}
        >
          <input
            type="checkbox"
            id={id}
            checked={isChecked}
            disabled={isDisabled}
            onChange={(event) => onChange(event.target.checked)}
            className={cx(
              'peer absolute inset-0 appearance-none rounded-control border border-line-strong bg-s2 after:absolute',
              'after:-inset-1 checked:border-accent checked:bg-accent touch:after:-inset-3',
            )}
          />
          <Check
            aria-hidden
            className="pointer-events-none relative size-3 stroke-3 text-on-accent not-peer-checked:hidden"
          />
        </span>
        <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'min-w-0'}>
          {label}
        </label>
      </span>
    </span>
  )
}

type SelectChoice<Value extends string> = { value: Value; label: string; hint?: string; lang?: string }

/** One of several, each a box that can be pressed as a whole; stacked at full width where room is short. */
export function RadioChoice<Value extends string>({
  label,
  choices,
  value,
  onChange,
  className,
}: {
  label: string
  choices: readonly SelectChoice<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  className?: string
}) {
  const id = useId()
  return (
    <div role="radiogroup" aria-label={label} className={cx('flex flex-wrap gap-2 max-md:flex-col', className)}>
      {choices.map((one, at) => (
        <label
          key={one.value}
          className={cx(
            'flex min-h-8 cursor-default items-center gap-2 rounded-control border border-line-strong bg-s2 px-3',
            'py-1 text-left text-body hover:bg-hover has-checked:border-accent has-checked:ring-1',
            'has-checked:ring-accent has-focus-visible:outline-2',
            'has-focus-visible:outline-offset-2 has-focus-visible:outline-focus touch:min-h-11',
          )}
        >
          <input
            type="radio"
            name={id}
            value={one.value}
            checked={one.value === value}
            onChange={() => onChange(one.value)}
            aria-labelledby={`${id}-${at}`}
            aria-describedby={one.hint ? `${id}-${at}-hint` : undefined}
            className={cx(
              'size-3.5 shrink-0 appearance-none rounded-person border-[1.5px] border-line-strong outline-none',
              'checked:border-[4.5px] checked:border-accent',
            )}
          />
          <span className="min-w-0">
            <span id={`${id}-${at}`} lang={one.lang}>
              {one.label}
            </span>
            {one.hint ? (
              <span id={`${id}-${at}-hint`} className="block text-meta text-t3">
                {one.hint}
              </span>
            ) : null}
          </span>
        </label>
      ))}
    </div>
  )
}

export type SelectProps<Value extends string> = {
  label: string
  isLabelHidden?: boolean
  options: readonly SelectChoice<Value>[]
  value: Value
  onChange: (value: Value) => void
  className?: string
  /** Nothing is chosen yet, and something has to be: a dialog begins there. */
  isNone?: boolean
}

export const SELECT_BUTTON = cx(
  'flex h-8 w-full min-w-0 items-center justify-between gap-2 rounded-control border border-line-strong',
  'bg-s2 px-2.5 text-body hover:bg-hover touch:h-11',
)
export const selectLabelClass = (isHidden = false): string =>
  isHidden ? 'sr-only' : 'mb-1 block text-table font-medium'

/** One of many. The button's name is the label. Its list is a lazy file. */
export function Select<Value extends string>({ options, onChange, ...rest }: SelectProps<Value>) {
  const id = useId()
  const [isPressed, setPressed] = useState(false)
  const choose = (next: string): void => {
    const chosen = options.find((one) => one.value === next)
    if (chosen) onChange(chosen.value)
  }
  const fetchAhead = (): void => void SelectBody.load().catch(() => undefined)
  const button = (
    <div className={cx('min-w-0', rest.className)}>
      <span id={id} className={selectLabelClass(rest.isLabelHidden)}>
        {rest.label}
      </span>
      <button
        type="button"
        role="combobox"
        data-none={rest.isNone ? '' : undefined}
        aria-labelledby={id}
        aria-expanded={false}
        // The list does not exist yet, so aria-controls would name nothing.
        aria-controls={undefined}
        className={SELECT_BUTTON}
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={() => setPressed(true)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setPressed(true)
        }}
      >
        <span className="cut">{options.find((one) => one.value === rest.value)?.label}</span>
        <ChevronDown className="size-4 text-t3" />
      </button>
    </div>
  )
  return (
    <FromPress
      part={SelectBody}
      partProps={{ ...rest, options, onChange: choose }}
      isPressed={isPressed}
      onLost={() => setPressed(false)}
      button={button}
    />
  )
}

/** No value that is chosen is ever equal to it, and radix takes no empty one. */
const NONE = '(none)'

type OptionalSelectProps<Value extends string> = Omit<SelectProps<Value>, 'value' | 'onChange'> & {
  /** The words of choosing none of them. */
  none: string
  /** One has to be chosen. */
  isRequired?: boolean
  value: Value | null
  onChange: (value: Value | null) => void
}

/** One of many, or none. */
export function OptionalSelect<Value extends string>(props: OptionalSelectProps<Value>) {
  const { none, options, value, onChange, isRequired = false, ...rest } = props
  return (
    <Select<Value | typeof NONE>
      {...rest}
      options={[{ value: NONE, label: none }, ...options]}
      value={value ?? NONE}
      isNone={isRequired && value === null}
      onChange={(next) => onChange(next === NONE ? null : next)}
    />
  )
}
