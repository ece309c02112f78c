/** The front door of the skills. */

export { type PromptText, readPrompt } from './prompt'
export { type Holder, holdersIn, holdersNamed } from './prompt/holders'
export { allowedSkills } from './prompt/role'
export { type LanguagePrompts, loadPrompts, PromptFileError, type PromptLibrary } from './prompts'
export { type Route, routeStep, SKILL_REGISTRY } from './registry'
export { type RunSkillOptions, runSkill } from './run'
