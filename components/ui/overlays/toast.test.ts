import { afterEach, describe, expect, it } from 'vitest'
import {
  closeToast,
  drawnToasts,
  drawToasts,
  isToastThere,
  onFirstToast,
  showToast,
  type ToastNote,
  toastRef,
} from './toast'

afterEach(() => {
  drawToasts(null)
  onFirstToast(null)
})

const drawer = () => {
  const shown: ToastNote[] = []
  const closed: string[] = []
  return {
    shown,
    closed,
    by: { show: (note: ToastNote) => void shown.push(note), close: (id: string) => void closed.push(id) },
  }
}

describe('notices', () => {
  it('that come before they can be drawn are held back, wake the host, and are shown once in order', () => {
    let woken = 0
    onFirstToast(() => {
      woken += 1
    })
    showToast('done', 'one')
    showToast('info', 'two')
    expect(woken).toBe(2)
    const { shown, by } = drawer()
    drawToasts(by)
    drawToasts(by)
    expect(shown.map((note) => note.text)).toEqual(['one', 'two'])
  })

  it('replace each other under one id, and can be taken back before they were drawn', () => {
    showToast('info', 'old', { id: 'settings' })
    showToast('info', 'new', { id: 'settings' })
    closeToast(showToast('done', 'gone'))
    const { shown, by } = drawer()
    drawToasts(by)
    expect(shown.map((note) => note.text)).toEqual(['new'])
  })

  it('go straight to what draws them', () => {
    const { shown, closed, by } = drawer()
    drawToasts(by)
    closeToast(showToast('done', 'now', { actions: [{ label: 'Undo', onPress: () => {} }] }))
    expect(shown).toHaveLength(1)
    expect(closed).toEqual([shown[0]?.id])
  })

  it('are there while they wait for the list, and while their text is drawn', () => {
    const gone = showToast('info', 'waits')
    expect(isToastThere()).toBe(true)
    closeToast(gone)
    expect(isToastThere()).toBe(false)
    const ends = [toastRef({} as Element), toastRef({} as Element)]
    expect(drawnToasts.getState()).toBe(2)
    for (const end of ends) {
      expect(isToastThere()).toBe(true)
      end?.()
    }
    expect(isToastThere()).toBe(false)
  })
})
