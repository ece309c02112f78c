/** The fields of commands of people about steps. */
import * as z from 'zod'
import type { StageId, StepId, TaskId } from '../../ids'
import { idOf } from '../../setup/schemas/fields'
import { why } from '../../tasks/commands/schemas'

const step = { step: idOf<StepId>() }

export const stepCommands = {
  cancelStep: z.object({ ...step, ...why }),
  /** Repeat a failed step as a new one. */
  retryStep: z.object({ ...step, ...why }),
  /** A person runs a tool by hand. */
  runTool: z.object({
    task: idOf<TaskId>(),
    stage: idOf<StageId>().nullable(),
    server: z.string(),
    tool: z.string().min(1).max(200),
  }),
  /** A call of the model of a step, with a prompt that a person changed: it is recorded, and nothing else happens. */
  tryCall: z.object(step),
}
