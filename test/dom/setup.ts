/** Of each file of the project `dom`. Not in index.tsx: files share modules, and its hooks would be those of the first one. */
import { afterEach, beforeEach, vi } from 'vitest'
import { leavePage } from '.'
import { standIn } from './standIns'

beforeEach(() => {
  vi.clearAllMocks()
  standIn()
})
afterEach(leavePage)
