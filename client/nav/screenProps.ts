import type { Me } from '@/lib/wire'
import type { Params, ScreenName } from '../nav'

/** Props of a screen: the parameters of its address, and the member. It reads search parameters itself (useSearchParam). */
export type ScreenProps = { screen: ScreenName; params: Params; person: Me['person'] }
/** inspect: the StateID of `?inspect=`; tab: of `?tab=`. */
export type InspectorProps = { inspect: string; tab: string | null; onClose: () => void }
