import { showToast } from './overlays/toast'

/** Without a secure context there is no clipboard: the text is shown, to be copied by hand. */
export function copyText(text: string, copied: string): void {
  const written = navigator.clipboard?.writeText(text)
  if (!written) {
    showToast('info', text)
    return
  }
  written.then(
    () => showToast('done', copied),
    () => showToast('info', text),
  )
}
