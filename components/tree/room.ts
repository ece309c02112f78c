/**
 * How much room there is: the tree is so many pixels wide, or less; null: more than the first.
 *
 * Known to the program and not asked of the style sheet: container queries in every line, inside of a pane that is a container
 * too, had the browser compute all of their styles again whenever one line came (5 ms each time; 0.2 ms without them).
 */
export const ROOMS = [800, 640, 560, 480] as const
export type Room = (typeof ROOMS)[number] | null

export const roomOf = (width: number): Room => ROOMS.findLast((step) => width <= step) ?? null
export const isAtMost = (room: Room, step: NonNullable<Room>): boolean => room !== null && room <= step
