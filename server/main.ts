/** Starts the server. */
import { runServer } from './runServer'

runServer()
