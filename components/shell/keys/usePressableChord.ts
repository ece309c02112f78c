import { useDisplay } from '@/client/theme'
import { type Chord, pressableChord } from './keyList'

/** in: a key's usual chord; out: the one that this member presses for it, for every place that names a key; '' where it does nothing */
export const usePressableChord = (chord: Chord): Chord => useDisplay((display) => pressableChord(chord, display))
