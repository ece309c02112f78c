import { Check, ChevronDown } from 'lucide-react'
import { Select as RadixSelect } from 'radix-ui'
import { useId } from 'react'
import { menuRef } from '@/client/pageUse'
import { cx } from '../cx'
import { useLayer } from '../overlays/layer'
import { SELECT_BUTTON, type SelectProps, selectLabelClass } from './Choice'

export default function SelectBody({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  className,
}: SelectProps<string>) {
  const id = useId()
  const layer = useLayer()
  return (
    <div className={cx('min-w-0', className)}>
      <span id={id} className={selectLabelClass(isLabelHidden)}>
        {label}
      </span>
      <RadixSelect.Root defaultOpen value={value} onValueChange={onChange}>
        <RadixSelect.Trigger aria-labelledby={id} className={SELECT_BUTTON}>
          <span className="cut">
            <RadixSelect.Value />
          </span>
          <ChevronDown className="size-4 text-t3" />
        </RadixSelect.Trigger>
        <RadixSelect.Portal>
          <RadixSelect.Content
            ref={menuRef}
            position="popper"
            sideOffset={4}
            className={cx(
              layer,
              'max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width)',
              'animate-pop overflow-hidden rounded-card border border-line bg-s2 p-1 shadow-overlay',
            )}
          >
            <RadixSelect.Viewport>
              {options.map((one) => (
                <RadixSelect.Item
                  key={one.value}
                  value={one.value}
                  className={cx(
                    'flex min-h-8 items-center gap-2 rounded-control pr-3 pl-7 text-body outline-none',
                    'data-highlighted:bg-hover touch:min-h-11',
                  )}
                >
                  <RadixSelect.ItemIndicator className="-ml-5">
                    <Check className="size-3.5 text-accent" />
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
