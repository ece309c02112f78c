export { isOwnPath, openFile, pathInWorkspace } from './open'
export { readOnce } from './readOnce'
export { look, walk } from './walk'
export { type CallWatch, type FilesFound, type FileWatch, KEPT_BYTES, openFileWatch } from './watchCalls'
