/**
 * Which random histories the unit tests see, and which database.
 *
 * The short runs take the same road every time: a change is judged by what it changed, not by its luck. The long ones
 * (CONVENE_ALL=1) start from a new seed each time; fast-check prints it beside what it found.
 */
import fc from 'fast-check'

// For packages/cluster/test alone: the programs that tests start keep to their own folders.
if (process.env.DATABASE_URL) process.env.TEST_DATABASE_URL = process.env.DATABASE_URL
delete process.env.DATABASE_URL

if (process.env.CONVENE_ALL === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_121 })
