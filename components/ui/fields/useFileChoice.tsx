import { type InputHTMLAttributes, type ReactNode, useRef } from 'react'

/** The browser's choice of files. out: `input` is placed beside the button that calls `choose` */
export function useFileChoice(
  onChosen: (files: readonly File[]) => void,
  kinds: Pick<InputHTMLAttributes<HTMLInputElement>, 'accept' | 'multiple'> = {},
): { input: ReactNode; choose: () => void } {
  const box = useRef<HTMLInputElement>(null)
  return {
    choose: () => box.current?.click(),
    input: (
      <input
        ref={box}
        type="file"
        hidden
        {...kinds}
        onChange={({ target }) => {
          onChosen([...(target.files ?? [])])
          // Else choosing the same file again would fire no event.
          target.value = ''
        }}
      />
    ),
  }
}
