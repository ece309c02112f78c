/**
 * Which random histories the unit tests see.
 *
 * The short runs take the same road every time: a change is judged by what it changed, not by its luck. The long ones
 * (CONVENE_ALL=1) start from a new seed each time; fast-check prints it beside what it found.
 */
import fc from 'fast-check'

if (process.env.CONVENE_ALL === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_121 })
