/** The keys of one person: those of the table of actions, with the ones that they changed. Pure. */
import { ACTION_IDS, type ActionId, actionRow, canMeet } from './actionTable'
import { type Chord, isChoosable, isSingle } from './chords'

/** A key of one's own by the id of its action; '' switches the key off. */
export type OwnKeys = Readonly<Record<string, Chord>>

/** The key of an action for this person; '' when they switched it off. */
export const ownKey = (id: ActionId, own: OwnKeys): Chord => own[id] ?? actionRow(id).key

/** The key that this person presses for an action; '' where none does it. Every place that names a key takes it from here. */
export function pressableKey(id: ActionId, { keys, singleKeys }: { keys: OwnKeys; singleKeys: boolean }): Chord {
  const key = ownKey(id, keys)
  return singleKeys || !isSingle(key) ? key : ''
}

/** The actions whose keys each person can change or switch off, in the order of the table. */
export const CHANGEABLE: readonly ActionId[] = ACTION_IDS.filter((id) => isChoosable(actionRow(id).key))

/** unfit: no key that can be chosen · an action: it has that key in the same place · null: the key is free */
export function whyNot(wanted: Chord, id: ActionId, own: OwnKeys): 'unfit' | ActionId | null {
  if (!isChoosable(wanted)) return 'unfit'
  return CHANGEABLE.find((other) => other !== id && canMeet(other, id) && ownKey(other, own) === wanted) ?? null
}
