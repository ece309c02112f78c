import { cx } from '../cx'
import { Checkbox } from './Choice'

type CheckboxGroupProps<Value extends string> = {
  legend: string
  hint?: string
  names: readonly Value[]
  chosen: readonly Value[]
  /** Cannot be taken away. */
  fixed?: readonly string[]
  /** Said where there is nothing to choose. */
  empty?: string
  labelOf?: (name: Value) => string
  /** One below the other. */
  isColumn?: boolean
  onChange: (chosen: Value[]) => void
}

/** Several of a list, each a box. What is chosen and no longer in the list stays chosen. */
export function CheckboxGroup<Value extends string>(props: CheckboxGroupProps<Value>) {
  const { legend, hint, names, chosen, fixed = [], empty, labelOf = (name) => name, isColumn = false, onChange } = props
  return (
    <fieldset>
      <legend className="mb-1 text-table font-medium">{legend}</legend>
      {hint ? <p className="mb-1.5 text-meta text-t3">{hint}</p> : null}
      {names.length === 0 ? <p className="text-meta text-t3">{empty}</p> : null}
      <div className={cx('flex flex-wrap gap-x-4 gap-y-1.5', isColumn && 'flex-col')}>
        {names.map((name) => (
          <Checkbox
            key={name}
            label={labelOf(name)}
            isChecked={chosen.includes(name)}
            isDisabled={fixed.includes(name) && chosen.includes(name)}
            onChange={(isIn) => onChange(isIn ? [...chosen, name] : chosen.filter((other) => other !== name))}
          />
        ))}
      </div>
    </fieldset>
  )
}
