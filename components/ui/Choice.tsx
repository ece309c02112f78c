/**
 * Choosing: a check box, one of several as boxes (the choices of a request), one of many from a list.
 *
 * Owns: Checkbox, RadioChoice, Select. Built on radix-ui: keys, focus and roles are theirs.
 */
import { Check, ChevronDown } from 'lucide-react'
import { RadioGroup, Checkbox as RadixCheckbox, Select as RadixSelect } from 'radix-ui'
import { useId } from 'react'
import { cx } from './cx'

/** A check box with its label. */
export function Checkbox({
  label,
  isChecked,
  onChange,
  isDisabled = false,
  className,
}: {
  label: string
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
      <label htmlFor={id} className="min-w-0">
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

/** One of many. The button's name is the label and what is chosen. */
export function Select<Value extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  isDisabled = false,
  className,
}: {
  label: string
  isLabelHidden?: boolean
  options: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
  isDisabled?: boolean
  className?: string
}) {
  const id = useId()
  return (
    <div className={cx('min-w-0', className)}>
      <span id={id} className={isLabelHidden ? 'sr-only' : 'mb-1 block text-table font-medium'}>
        {label}
      </span>
      <RadixSelect.Root
        value={value}
        disabled={isDisabled}
        onValueChange={(next) => {
          const chosen = options.find((one) => one.value === next)
          if (chosen) onChange(chosen.value)
        }}
      >
        <RadixSelect.Trigger
          aria-labelledby={id}
          className="flex h-8 w-full min-w-0 items-center justify-between gap-2 rounded-control border border-line-strong bg-s2 px-2.5 text-body hover:bg-hover data-disabled:text-t3 touch:h-11"
        >
          <span className="cut">
            <RadixSelect.Value />
          </span>
          <ChevronDown aria-hidden className="size-4 text-t3" />
        </RadixSelect.Trigger>
        <RadixSelect.Portal>
          <RadixSelect.Content
            position="popper"
            sideOffset={4}
            className="z-popover max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-pop overflow-hidden rounded-card border border-line bg-s2 p-1 shadow-overlay"
          >
            <RadixSelect.Viewport>
              {options.map((one) => (
                <RadixSelect.Item
                  key={one.value}
                  value={one.value}
                  className="flex min-h-8 items-center gap-2 rounded-control pr-3 pl-7 text-body outline-none data-highlighted:bg-hover touch:min-h-11"
                >
                  <RadixSelect.ItemIndicator className="-ml-5">
                    <Check aria-hidden className="size-3.5 text-accent" />
                  </RadixSelect.ItemIndicator>
                  <span lang={one.lang}>
                    <RadixSelect.ItemText>{one.label}</RadixSelect.ItemText>
                  </span>
                </RadixSelect.Item>
              ))}
            </RadixSelect.Viewport>
          </RadixSelect.Content>
        </RadixSelect.Portal>
      </RadixSelect.Root>
    </div>
  )
}
