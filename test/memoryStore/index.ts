/** The exports of the memory store, for tests above the store. */
export { type MemoryData, memoryData } from './memoryData'
export { memoryStore } from './memoryStore'
