/** Desktop notices, and the number on the installed app's icon. Both need a secure context. */

import { shownText } from '@/lib/format/hiddenSigns'

type DesktopPermission = 'granted' | 'denied' | 'default' | 'unavailable'

export function desktopPermission(): DesktopPermission {
  return typeof Notification === 'undefined' || !window.isSecureContext ? 'unavailable' : Notification.permission
}

/** Only after the person pressed "Allow". */
export async function requestDesktopPermission(): Promise<DesktopPermission> {
  return desktopPermission() === 'default' ? await Notification.requestPermission() : desktopPermission()
}

const open = new Map<string, Notification>()

export function showDesktop(
  id: string,
  { title, text, isUrgent, onClick }: { title: string; text: string; isUrgent: boolean; onClick: () => void },
): void {
  if (desktopPermission() !== 'granted') return
  const shown = shownText(title)
  // The same tag replaces the notice of the same item.
  const options = { body: shownText(text), tag: id, requireInteraction: isUrgent, icon: '/icon-192.png' }
  try {
    const notice = new Notification(shown, options)
    notice.onclick = () => {
      window.focus()
      onClick()
      notice.close()
    }
    open.set(id, notice)
  } catch {
    // Phones allow notices by a service worker only, which is registered when pushes are on.
    void navigator.serviceWorker
      ?.getRegistration('/')
      .then((worker) => worker?.showNotification(shown, options))
      .catch(() => undefined)
  }
}

export function closeDesktop(id: string): void {
  open.get(id)?.close()
  open.delete(id)
}

export function setAppBadge(count: number): void {
  const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  done?.catch(() => undefined)
}
