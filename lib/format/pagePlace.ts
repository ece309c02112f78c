/** A place on a page of a PDF, as citations name it and addresses carry it. */

/** x1, y1, x2, y2 in PDF points, from the top left of the page; corners in any order. */
export type PointBox = readonly [number, number, number, number]
export type PagePlace = { page: number; box: PointBox | null }
type PageSize = { width: number; height: number }

/** The parameters of an address: `page=3`, `page=3&box=100,200,500,600`. */
export const placeQuery = ({ page, box }: PagePlace) => ({ page: String(page), box: box === null ? null : box.join() })

/** in: both parameters as they stand in the address. out: null: they name no page; a box that is none is left out */
export function readPlace(page: string | null, box: string | null): PagePlace | null {
  const number = Number(page ?? 'none')
  return Number.isSafeInteger(number) && number >= 1
    ? { page: number, box: boxOf((box ?? '').split(',').map(Number)) }
    : null
}

/** in: numbers from elsewhere. out: null: they are no box */
export function boxOf(numbers: readonly number[] | undefined): PointBox | null {
  const [x1, y1, x2, y2] = numbers ?? []
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined || numbers?.length !== 4) return null
  return [x1, y1, x2, y2].every(Number.isFinite) ? [x1, y1, x2, y2] : null
}

/** A box in per cent of its page, cut at the edges. out: null: nothing of it is on the page */
export function boxOnPage([x1, y1, x2, y2]: PointBox, { width, height }: PageSize) {
  const [left, right] = within(x1, x2, width)
  const [top, bottom] = within(y1, y2, height)
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : null
}

const within = (a: number, b: number, size: number): [number, number] => {
  const perCent = (points: number): number => (Math.min(Math.max(points, 0), size) / size) * 100
  return [perCent(Math.min(a, b)), perCent(Math.max(a, b))]
}
