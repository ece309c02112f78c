/** The front door of the skills. */

export { type PromptText, readStoredPrompt } from './prompt'
export { type BodyReferrer, holdersIn, holdersNamed } from './prompt/holders'
export { allowedSkills } from './prompt/role'
export { type LanguagePrompts, loadPrompts, PromptFileError, type PromptLibrary } from './prompts'
export { type StepRoute, routeStep, SKILL_REGISTRY } from './registry'
export { type RunSkillOptions, runSkill } from './run'
