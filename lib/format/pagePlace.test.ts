import { describe, expect, it } from 'vitest'
import { boxOf, boxOnPage, placeQuery, readPlace } from './pagePlace'

const A4 = { width: 600, height: 800 }

describe('[R904] a cited place on a page', () => {
  it('is in per cent of the page, whichever corners come first', () => {
    const wanted = { left: 10, top: 25, width: 50, height: 50 }
    expect(boxOnPage([60, 200, 360, 600], A4)).toEqual(wanted)
    expect(boxOnPage([360, 600, 60, 200], A4)).toEqual(wanted)
  })

  it('is cut at the edges of the page, and none beyond them or without a size', () => {
    expect(boxOnPage([-60, -80, 660, 880], A4)).toEqual({ left: 0, top: 0, width: 100, height: 100 })
    expect(boxOnPage([0, 0, 600, 800], A4)).toEqual({ left: 0, top: 0, width: 100, height: 100 })
    expect(boxOnPage([601, 0, 700, 10], A4)).toBeNull()
    expect(boxOnPage([60, 200, 60, 600], A4)).toBeNull()
  })

  it('is read again from its address; what is no page is none, what is no box is left out', () => {
    const place = { page: 3, box: [100, 200.5, 500, 600] as const }
    const query = placeQuery(place)
    expect(readPlace(query.page, query.box)).toEqual(place)
    expect(readPlace('3', null)).toEqual({ page: 3, box: null })
    for (const box of ['', '1,2,3', '1,2,3,4,5', '1,2,3,x', '1,2,3,Infinity'])
      expect(readPlace('3', box), box).toEqual({ page: 3, box: null })
    for (const page of [null, '', '0', '-1', '1.5', 'x']) expect(readPlace(page, null), String(page)).toBeNull()
    expect(boxOf(undefined)).toBeNull()
  })
})
