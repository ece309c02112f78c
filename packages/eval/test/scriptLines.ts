/** Scripts of models: one answer a line. */
import { readFileSync } from 'node:fs'
import type { z } from 'zod'

/** in: a file of JSON lines; the shape of a line. Throws where a line has another shape */
export const readScript = <Line>(file: string, shape: z.ZodType<Line>): Line[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => shape.parse(JSON.parse(line)))
