/** In place of socket.io-client in tests of components (vitest.config.ts): the socket of the running test's server. */
import { pageServer } from './pageServer'

export const io = () => pageServer().openSocket()
