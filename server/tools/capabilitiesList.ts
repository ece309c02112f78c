/** Converts a server's description to the form of the documents, with our own fields last. */
import type { PromptInfo, ResourceInfo, ServerDescription, ToolInfo } from './types'

/** The value of `capabilities_list_description`; of resources with equal names the later ones are listed by uri. */
export function capabilitiesList(description: ServerDescription): Record<string, unknown> {
  const { capabilities, server, guide, instructions } = description
  const has = (name: string): boolean => capabilities.includes(name)
  const names = new Set<string>()
  const nameOf = ({ name, uri }: ResourceInfo): string => {
    const free = names.has(name) ? uri : name
    names.add(free)
    return free
  }
  return {
    capabilities: { prompts: has('prompts'), resources: has('resources'), tools: has('tools') },
    tools: byName(description.tools.map((tool) => [tool.name, toolForm(tool)])),
    resources: byName(description.resources.map((resource) => [nameOf(resource), resourceForm(resource)])),
    prompts: byName(description.prompts.map((prompt) => [prompt.name, promptForm(prompt)])),
    server,
    guide,
    ...(instructions === undefined ? {} : { instructions }),
  }
}

const byName = (entries: [name: string, form: object][]): Record<string, object> => Object.fromEntries(entries)

const toolForm = (tool: ToolInfo): object => ({
  description: tool.description,
  title: tool.title,
  input_schema: tool.inputSchema,
  output_schema: tool.outputSchema,
  required: tool.required,
  read_only: tool.readOnly,
  destructive: tool.destructive,
  idempotent: tool.idempotent,
  open_world: tool.openWorld,
  asks_a_person: tool.confirm,
})

const resourceForm = ({ description, title, uri, mimeType }: ResourceInfo): object => ({
  description,
  title,
  uri,
  mimeType,
})

const promptForm = (prompt: PromptInfo): object => ({
  description: prompt.description,
  title: prompt.title,
  arguments: byName(prompt.arguments.map(({ name, description, required }) => [name, { description, required }])),
})
