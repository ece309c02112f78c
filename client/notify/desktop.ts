/** Desktop notices, and the number on the installed app's icon. Both need a secure context. */

type DesktopPermission = 'granted' | 'denied' | 'default' | 'unavailable'

export function desktopPermission(): DesktopPermission {
  return typeof Notification === 'undefined' || !window.isSecureContext ? 'unavailable' : Notification.permission
}

/** Only after the person pressed "Allow". */
export async function requestDesktopPermission(): Promise<DesktopPermission> {
  return desktopPermission() === 'default' ? await Notification.requestPermission() : desktopPermission()
}

const shown = new Map<string, Notification>()

export function showDesktop(
  id: string,
  note: { title: string; text: string; isUrgent: boolean; onClick: () => void },
): void {
  if (desktopPermission() !== 'granted') return
  try {
    // The same tag replaces the notice of the same item.
    const notice = new Notification(note.title, {
      body: note.text,
      tag: id,
      requireInteraction: note.isUrgent,
      icon: '/icon-192.png',
    })
    notice.onclick = () => {
      window.focus()
      note.onClick()
      notice.close()
    }
    shown.set(id, notice)
  } catch {
    // Phones allow notices by a service worker only, which is registered when pushes are on.
    void navigator.serviceWorker
      ?.getRegistration('/')
      .then((worker) =>
        worker?.showNotification(note.title, {
          body: note.text,
          tag: id,
          requireInteraction: note.isUrgent,
          icon: '/icon-192.png',
        }),
      )
      .catch(() => undefined)
  }
}

export function closeDesktop(id: string): void {
  shown.get(id)?.close()
  shown.delete(id)
}

export function setAppBadge(count: number): void {
  const done = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
  done?.catch(() => undefined)
}
