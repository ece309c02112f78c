/**
 * Choosing: a check box, one of several as boxes (the choices of a request), one of many from a list.
 *
 * Owns: Checkbox, RadioChoice, and fetching the list of many (SelectBox.tsx, 17 kB). Keys, focus and roles are radix-ui's.
 */
import { Check } from 'lucide-react'
import { RadioGroup, Checkbox as RadixCheckbox } from 'radix-ui'
import { type ComponentType, lazy, Suspense, useId } from 'react'
import { cx } from './cx'
import { loadSelectBox } from './loaders'

/** A check box with its label. */
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
    <span className={cx('inline-flex items-center gap-1.5 text-table text-t2 touch:min-h-11', className)}>
      <RadixCheckbox.Root
        id={id}
        checked={isChecked}
        disabled={isDisabled}
        onCheckedChange={(next) => onChange(next === true)}
        className="relative grid size-4 shrink-0 place-items-center rounded-control border border-line-strong bg-s2 text-on-accent after:absolute after:-inset-1 data-[state=checked]:border-accent data-[state=checked]:bg-accent touch:after:-inset-3"
      >
        <RadixCheckbox.Indicator>
          <Check aria-hidden className="size-3 stroke-3" />
        </RadixCheckbox.Indicator>
      </RadixCheckbox.Root>
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'min-w-0'}>
        {label}
      </label>
    </span>
  )
}

export type Choice<Value extends string> = { value: Value; label: string; hint?: string; lang?: string }

/** One of several, each a box that can be pressed as a whole; stacked at full width where room is short. */
export function RadioChoice<Value extends string>({
  label,
  choices,
  value,
  onChange,
  isDisabled = false,
  className,
}: {
  label: string
  choices: readonly Choice<Value>[]
  value: Value | null
  onChange: (value: Value) => void
  isDisabled?: boolean
  className?: string
}) {
  const id = useId()
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value ?? ''}
      disabled={isDisabled}
      onValueChange={(next) => {
        const chosen = choices.find((one) => one.value === next)
        if (chosen) onChange(chosen.value)
      }}
      className={cx('flex flex-wrap gap-2 max-md:flex-col', className)}
    >
      {choices.map((one, at) => (
        <RadioGroup.Item
          key={one.value}
          value={one.value}
          aria-labelledby={`${id}-${at}`}
          aria-describedby={one.hint ? `${id}-${at}-hint` : undefined}
          className="group flex min-h-8 items-center gap-2 rounded-control border border-line-strong bg-s2 px-3 py-1 text-left text-body hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:ring-1 data-[state=checked]:ring-accent disabled:border-line disabled:text-t3 touch:min-h-11"
        >
          <span
            aria-hidden
            className="size-3.5 shrink-0 rounded-person border-[1.5px] border-line-strong group-data-[state=checked]:border-[4.5px] group-data-[state=checked]:border-accent"
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
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

export type SelectProps<Value extends string> = {
  label: string
  isLabelHidden?: boolean
  options: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
  isDisabled?: boolean
  className?: string
}

/** A lazy part forgets that it is generic; the wrapper below says it again. */
const SelectBox: ComponentType<SelectProps<string>> = lazy(loadSelectBox)

/** One of many. The button's name is the label. A box of its size stands there until its file has come. */
export function Select<Value extends string>({ options, onChange, ...rest }: SelectProps<Value>) {
  return (
    <Suspense
      fallback={
        <div className={cx('min-w-24', rest.className)}>
          <span className={rest.isLabelHidden ? 'sr-only' : 'mb-1 block text-table font-medium'}>{rest.label}</span>
          <div className="h-8 rounded-control border border-line bg-s2 touch:h-11" />
        </div>
      }
    >
      <SelectBox
        {...rest}
        options={options}
        onChange={(next) => {
          const chosen = options.find((one) => one.value === next)
          if (chosen) onChange(chosen.value)
        }}
      />
    </Suspense>
  )
}
